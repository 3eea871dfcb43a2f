// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { everyItem, isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { ReportProgressInput, ProgressInput, ProgressCardInput, CardPut } from '../wire/tool-inputs.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `ReportProgressInput`, byte limits and text rules aside. */
export function isReportProgressInput(value: unknown): value is ReportProgressInput {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'title':
        if (!isText(x, 1, 120)) return false;
        found++;
        break;
      case 'current':
        if (!isNumber(x, -Infinity, Infinity)) return false;
        found++;
        break;
      case 'total':
        if (!(isNumber(x, -Infinity, Infinity) && x > 0)) return false;
        found++;
        break;
      case 'status':
        if (x !== 'running' && x !== 'completed' && x !== 'failed') return false;
        break;
      case 'message':
        if (!isText(x, 0, 500)) return false;
        break;
      default:
        return false;
    }
  }
  return found === 3;
}

/** What `isReportProgressInput` asks, as data for the issue collector. */
export const reportProgressInputRule: ObjectRule = {
  is: 'object',
  fields: {
    title: { is: 'text', min: 1, max: 120 },
    current: { is: 'number' },
    total: { is: 'number', above: 0 },
    status: { is: 'enum', words: ['running', 'completed', 'failed'] },
    message: { is: 'text', max: 500 },
  },
  required: ['title', 'current', 'total'],
  closed: true,
};

/** True for the shape of `ProgressInput`, byte limits and text rules aside. */
export function isProgressInput(value: unknown): value is ProgressInput {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'id':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'status':
        if (x !== 'running' && x !== 'done' && x !== 'error' && x !== 'waiting') return false;
        found++;
        break;
      case 'title':
        if (!isText(x, 1, 120)) return false;
        break;
      case 'detail':
        if (!isText(x, 0, 500)) return false;
        break;
      case 'progress':
        if (!isNumber(x, 0, 1)) return false;
        break;
      default:
        return false;
    }
  }
  return found === 2;
}

/** What `isProgressInput` asks, as data for the issue collector. */
export const progressInputRule: ObjectRule = {
  is: 'object',
  fields: {
    id: { is: 'text', min: 1, max: 256 },
    status: { is: 'enum', words: ['running', 'done', 'error', 'waiting'] },
    title: { is: 'text', min: 1, max: 120 },
    detail: { is: 'text', max: 500 },
    progress: { is: 'number', min: 0, max: 1 },
  },
  required: ['id', 'status'],
  closed: true,
};

function isProgressCardInputPlanItem(value: unknown): boolean {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'step':
        if (!isText(x, 1, 512)) return false;
        found++;
        break;
      case 'status':
        if (x !== 'pending' && x !== 'in_progress' && x !== 'completed') return false;
        found++;
        break;
      default:
        return false;
    }
  }
  return found === 2;
}

const progressCardInputPlanItemRule: ObjectRule = {
  is: 'object',
  fields: {
    step: { is: 'text', min: 1, max: 512 },
    status: { is: 'enum', words: ['pending', 'in_progress', 'completed'] },
  },
  required: ['step', 'status'],
  closed: true,
};

/** True for the shape of `ProgressCardInput`, byte limits and text rules aside. */
export function isProgressCardInput(value: unknown): value is ProgressCardInput {
  if (!isObject(value)) return false;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'plan':
        if (!(Array.isArray(x) && x.length <= 50 && everyItem(x, isProgressCardInputPlanItem))) return false;
        break;
      case 'markdown':
        if (!isText(x, 0, 8192)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** What `isProgressCardInput` asks, as data for the issue collector. */
export const progressCardInputRule: ObjectRule = {
  is: 'object',
  fields: {
    plan: { is: 'array', item: progressCardInputPlanItemRule, max: 50 },
    markdown: { is: 'text', max: 8192 },
  },
  required: [],
  closed: true,
};

/** True for the shape of `CardPut`, byte limits and text rules aside. */
export function isCardPut(value: unknown): value is CardPut {
  if (!isObject(value)) return false;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'plan':
        if (!(Array.isArray(x) && x.length <= 50 && everyItem(x, isProgressCardInputPlanItem))) return false;
        break;
      case 'markdown':
        if (!isText(x, 0, 8192)) return false;
        break;
      case 'expectedRevision':
        if (!isInteger(x, 0)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** What `isCardPut` asks, as data for the issue collector. */
export const cardPutRule: ObjectRule = {
  is: 'object',
  fields: {
    plan: { is: 'array', item: progressCardInputPlanItemRule, max: 50 },
    markdown: { is: 'text', max: 8192 },
    expectedRevision: { is: 'integer', min: 0 },
  },
  required: [],
  closed: true,
};
