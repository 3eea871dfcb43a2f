// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { RunEvent, Run } from '../wire/run.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `RunEvent`, byte limits and text rules aside. */
export function isRunEvent(value: unknown): value is RunEvent {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'run') return false;
        found++;
        break;
      case 'session':
      case 'run':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'state':
        if (x !== 'running' && x !== 'completed' && x !== 'failed' && x !== 'cancelled' && x !== 'interrupted') return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'parent':
        if (x !== null && !isText(x, 0, 256)) return false;
        break;
      case 'startedAt':
      case 'endedAt':
        if (x !== null && !isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'reason':
        if (x !== null && !isText(x, 0, 120)) return false;
        break;
    }
  }
  return found === 5;
}

/** What `isRunEvent` asks, as data for the issue collector. */
export const runEventRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'run' },
    session: { is: 'text', min: 1, max: 256 },
    run: { is: 'text', min: 1, max: 256 },
    state: { is: 'enum', words: ['running', 'completed', 'failed', 'cancelled', 'interrupted'] },
    at: { is: 'number', min: 0, max: 4102444800000 },
    parent: { is: 'any', of: [{ is: 'text', max: 256 }, { is: 'null' }] },
    startedAt: { is: 'any', of: [{ is: 'number', min: 0, max: 4102444800000 }, { is: 'null' }] },
    endedAt: { is: 'any', of: [{ is: 'number', min: 0, max: 4102444800000 }, { is: 'null' }] },
    reason: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
  },
  required: ['type', 'session', 'run', 'state', 'at'],
};

/** True for the shape of `Run`, byte limits and text rules aside. */
export function isRun(value: unknown): value is Run {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'run':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'state':
        if (x !== 'running' && x !== 'completed' && x !== 'failed' && x !== 'cancelled' && x !== 'interrupted') return false;
        found++;
        break;
      case 'updatedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'parent':
        if (!isText(x, 0, 256)) return false;
        break;
      case 'startedAt':
      case 'endedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'reason':
        if (!isText(x, 0, 120)) return false;
        break;
    }
  }
  return found === 3;
}

/** What `isRun` asks, as data for the issue collector. */
export const runRule: ObjectRule = {
  is: 'object',
  fields: {
    run: { is: 'text', min: 1, max: 256 },
    state: { is: 'enum', words: ['running', 'completed', 'failed', 'cancelled', 'interrupted'] },
    updatedAt: { is: 'number', min: 0, max: 4102444800000 },
    parent: { is: 'text', max: 256 },
    startedAt: { is: 'number', min: 0, max: 4102444800000 },
    endedAt: { is: 'number', min: 0, max: 4102444800000 },
    reason: { is: 'text', max: 120 },
  },
  required: ['run', 'state', 'updatedAt'],
};
