// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { Heartbeat, Resync, End } from '../wire/control.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `Heartbeat`, byte limits and text rules aside. */
export function isHeartbeat(value: unknown): value is Heartbeat {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'heartbeat') return false;
        found++;
        break;
      case 'epoch':
        if (!isText(x, 1, 64)) return false;
        found++;
        break;
      case 'seq':
        if (!isInteger(x, 0)) return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
    }
  }
  return found === 4;
}

/** What `isHeartbeat` asks, as data for the issue collector. */
export const heartbeatRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'heartbeat' },
    epoch: { is: 'text', min: 1, max: 64 },
    seq: { is: 'integer', min: 0 },
    at: { is: 'number', min: 0, max: 4102444800000 },
  },
  required: ['type', 'epoch', 'seq', 'at'],
};

/** True for the shape of `Resync`, byte limits and text rules aside. */
export function isResync(value: unknown): value is Resync {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'resync') return false;
        found++;
        break;
      case 'epoch':
        if (!isText(x, 1, 64)) return false;
        found++;
        break;
      case 'seq':
        if (!isInteger(x, 0)) return false;
        found++;
        break;
      case 'reason':
        if (!isText(x, 0, 120)) return false;
        found++;
        break;
    }
  }
  return found === 4;
}

/** What `isResync` asks, as data for the issue collector. */
export const resyncRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'resync' },
    epoch: { is: 'text', min: 1, max: 64 },
    seq: { is: 'integer', min: 0 },
    reason: { is: 'text', max: 120 },
  },
  required: ['type', 'epoch', 'seq', 'reason'],
};

/** True for the shape of `End`, byte limits and text rules aside. */
export function isEnd(value: unknown): value is End {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'end') return false;
        found++;
        break;
      case 'reason':
        if (!isText(x, 0, 120)) return false;
        found++;
        break;
    }
  }
  return found === 2;
}

/** What `isEnd` asks, as data for the issue collector. */
export const endRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'end' },
    reason: { is: 'text', max: 120 },
  },
  required: ['type', 'reason'],
};
