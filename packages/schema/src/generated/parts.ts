// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { everyValue, isNumber, isObject, isText, lookAt } from '../check/guards.ts';
import type { ObjectRule, Rule } from '../check/rule.ts';
import type { Look } from '../check/guards.ts';
import type { Tool, Failure, BlockedOn, WaitingOn, Usage, Native, Ext } from '../wire/parts.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `Tool`, byte limits and text rules aside. */
export function isTool(value: unknown, look?: Look): value is Tool {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'name':
      case 'origin':
        if (!isText(x, 1, 120)) return false;
        if (look !== undefined) lookAt(x, look);
        found++;
        break;
      case 'server':
        if (!isText(x, 1, 120)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
    }
  }
  return found === 2;
}

/** What `isTool` asks, as data for the issue collector. */
export const toolRule: ObjectRule = {
  is: 'object',
  fields: {
    name: { is: 'text', min: 1, max: 120 },
    origin: { is: 'text', min: 1, max: 120 },
    server: { is: 'text', min: 1, max: 120 },
  },
  required: ['name', 'origin'],
};

/** True for the shape of `Failure`, byte limits and text rules aside. */
export function isFailure(value: unknown, look?: Look): value is Failure {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'message':
        if (!isText(x, 0, 500)) return false;
        if (look !== undefined) lookAt(x, look);
        found++;
        break;
      case 'code':
        if (!isText(x, 0, 120)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
    }
  }
  return found === 1;
}

/** What `isFailure` asks, as data for the issue collector. */
export const failureRule: ObjectRule = {
  is: 'object',
  fields: {
    message: { is: 'text', max: 500 },
    code: { is: 'text', max: 120 },
  },
  required: ['message'],
};

/** True for the shape of `BlockedOn`, byte limits and text rules aside. */
export function isBlockedOn(value: unknown, look?: Look): value is BlockedOn {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'kind':
        if (x !== 'permission' && x !== 'question' && x !== 'auth' && x !== 'other') return false;
        found++;
        break;
      case 'prompt':
        if (!isText(x, 0, 500)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
      case 'requestId':
        if (!isText(x, 0, 256)) return false;
        break;
    }
  }
  return found === 1;
}

/** What `isBlockedOn` asks, as data for the issue collector. */
export const blockedOnRule: ObjectRule = {
  is: 'object',
  fields: {
    kind: { is: 'enum', words: ['permission', 'question', 'auth', 'other'] },
    prompt: { is: 'text', max: 500 },
    requestId: { is: 'text', max: 256 },
  },
  required: ['kind'],
};

/** True for the shape of `WaitingOn`, byte limits and text rules aside. */
export function isWaitingOn(value: unknown, look?: Look): value is WaitingOn {
  if (!isObject(value)) return false;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'text':
        if (!isText(x, 0, 500)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
      case 'until':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
    }
  }
  return true;
}

/** What `isWaitingOn` asks, as data for the issue collector. */
export const waitingOnRule: ObjectRule = {
  is: 'object',
  fields: {
    text: { is: 'text', max: 500 },
    until: { is: 'number', min: 0, max: 4102444800000 },
  },
  required: [],
};

function isUsageCost(value: unknown): boolean {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'amount':
        if (!isNumber(x, -Infinity, Infinity)) return false;
        found++;
        break;
      case 'currency':
        if (!isText(x, 1, 16)) return false;
        found++;
        break;
    }
  }
  return found === 2;
}

const usageCostRule: ObjectRule = {
  is: 'object',
  fields: {
    amount: { is: 'number' },
    currency: { is: 'text', min: 1, max: 16 },
  },
  required: ['amount', 'currency'],
};

/** True for the shape of `Usage`, byte limits and text rules aside. */
export function isUsage(value: unknown, look?: Look): value is Usage {
  if (!isObject(value)) return false;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'tokens':
        if (!isNumber(x, 0, Infinity)) return false;
        break;
      case 'cost':
        if (!isUsageCost(x)) return false;
        break;
      case 'label':
        if (!isText(x, 0, 120)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
    }
  }
  return true;
}

/** What `isUsage` asks, as data for the issue collector. */
export const usageRule: ObjectRule = {
  is: 'object',
  fields: {
    tokens: { is: 'number', min: 0 },
    cost: usageCostRule,
    label: { is: 'text', max: 120 },
  },
  required: [],
};

function isNativeIds(value: unknown): boolean {
  return isObject(value) && everyValue(value, (x) => typeof x === 'string' || isNumber(x, -Infinity, Infinity));
}

const nativeIdsRule: Rule = { is: 'record', value: { is: 'any', of: [{ is: 'text' }, { is: 'number' }] } };

/** True for the shape of `Native`, byte limits and text rules aside. */
export function isNative(value: unknown, look?: Look): value is Native {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'protocol':
        if (!isText(x, 1, 120)) return false;
        found++;
        break;
      case 'state':
        if (!isText(x, 0, 120)) return false;
        break;
      case 'ids':
        if (!isNativeIds(x)) return false;
        if (look !== undefined) lookAt(x, look);
        break;
    }
  }
  return found === 1;
}

/** What `isNative` asks, as data for the issue collector. */
export const nativeRule: ObjectRule = {
  is: 'object',
  fields: {
    protocol: { is: 'text', min: 1, max: 120 },
    state: { is: 'text', max: 120 },
    ids: nativeIdsRule,
  },
  required: ['protocol'],
};

/** True for the shape of `Ext`, byte limits and text rules aside. */
export function isExt(value: unknown): value is Ext {
  return isObject(value);
}

/** What `isExt` asks, as data for the issue collector. */
export const extRule: Rule = { is: 'record', value: { is: 'anything' } };
