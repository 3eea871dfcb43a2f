// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { everyItem, isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { Step, Card, CardEvent, CardRecord } from '../wire/card.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `Step`, byte limits and text rules aside. */
export function isStep(value: unknown): value is Step {
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
        if (x !== 'pending' && x !== 'in_progress' && x !== 'completed' && x !== 'failed' && x !== 'cancelled') return false;
        found++;
        break;
    }
  }
  return found === 2;
}

/** What `isStep` asks, as data for the issue collector. */
export const stepRule: ObjectRule = {
  is: 'object',
  fields: {
    step: { is: 'text', min: 1, max: 512 },
    status: { is: 'enum', words: ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] },
  },
  required: ['step', 'status'],
};

/** True for the shape of `Card`, byte limits and text rules aside. */
export function isCard(value: unknown): value is Card {
  if (!isObject(value)) return false;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'plan':
        if (!(Array.isArray(x) && x.length <= 50 && everyItem(x, isStep))) return false;
        break;
      case 'markdown':
        if (!isText(x, 0, 8192)) return false;
        break;
    }
  }
  return true;
}

/** What `isCard` asks, as data for the issue collector. */
export const cardRule: ObjectRule = {
  is: 'object',
  fields: {
    plan: { is: 'array', item: stepRule, max: 50 },
    markdown: { is: 'text', max: 8192 },
  },
  required: [],
};

/** True for the shape of `CardEvent`, byte limits and text rules aside. */
export function isCardEvent(value: unknown): value is CardEvent {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'card') return false;
        found++;
        break;
      case 'session':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'revision':
        if (!isInteger(x, 1)) return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'card':
        if (x !== null && !isCard(x)) return false;
        found++;
        break;
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
    }
  }
  return found === 5;
}

/** What `isCardEvent` asks, as data for the issue collector. */
export const cardEventRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'card' },
    session: { is: 'text', min: 1, max: 256 },
    revision: { is: 'integer', min: 1 },
    at: { is: 'number', min: 0, max: 4102444800000 },
    run: { is: 'text', min: 1, max: 256 },
    card: { is: 'any', of: [cardRule, { is: 'null' }] },
  },
  required: ['type', 'session', 'revision', 'at', 'card'],
};

/** True for the shape of `CardRecord`, byte limits and text rules aside. */
export function isCardRecord(value: unknown): value is CardRecord {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'revision':
        if (!isInteger(x, 0)) return false;
        found++;
        break;
      case 'card':
        if (x !== null && !isCard(x)) return false;
        found++;
        break;
      case 'updatedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
    }
  }
  return found === 2;
}

/** What `isCardRecord` asks, as data for the issue collector. */
export const cardRecordRule: ObjectRule = {
  is: 'object',
  fields: {
    revision: { is: 'integer', min: 0 },
    updatedAt: { is: 'number', min: 0, max: 4102444800000 },
    run: { is: 'text', min: 1, max: 256 },
    card: { is: 'any', of: [cardRule, { is: 'null' }] },
  },
  required: ['revision', 'card'],
};
