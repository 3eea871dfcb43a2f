// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { isInteger, isNumber, isObject, isText, lookAt } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { Look } from '../check/guards.ts';
import type { OperationEvent, Operation } from '../wire/operation.ts';
import { blockedOnRule, extRule, failureRule, isBlockedOn, isExt, isFailure, isNative, isTool, isUsage, isWaitingOn, nativeRule, toolRule, usageRule, waitingOnRule } from './parts.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `OperationEvent`, byte limits and text rules aside. */
export function isOperationEvent(value: unknown, look?: Look): value is OperationEvent {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'operation') return false;
        found++;
        break;
      case 'session':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'id':
        if (!isText(x, 1, 256) && !isInteger(x, -Infinity)) return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'seq':
        if (!isInteger(x, 0)) return false;
        break;
      case 'state':
        if (x !== 'pending' && x !== 'running' && x !== 'waiting' && x !== 'blocked' && x !== 'paused' && x !== 'completed' && x !== 'failed' && x !== 'cancelled' && x !== 'denied' && x !== 'interrupted') return false;
        break;
      case 'message':
        if (x !== null && !isText(x, 0, 500)) return false;
        if (look !== undefined && x !== null) lookAt(x, look);
        break;
      case 'current':
      case 'total':
      case 'fraction':
        if (x !== null && !isNumber(x, -Infinity, Infinity)) return false;
        break;
      case 'title':
      case 'activeTitle':
      case 'unit':
      case 'kind':
      case 'reason':
        if (x !== null && !isText(x, 0, 120)) return false;
        if (look !== undefined && x !== null) lookAt(x, look);
        break;
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
      case 'attempt':
        if (!isInteger(x, 1)) return false;
        break;
      case 'tool':
        if (x !== null && !isTool(x, look)) return false;
        break;
      case 'parent':
        if (x !== null && !isText(x, 1, 256) && !isInteger(x, -Infinity)) return false;
        break;
      case 'error':
        if (x !== null && !isFailure(x, look)) return false;
        break;
      case 'blockedOn':
        if (x !== null && !isBlockedOn(x, look)) return false;
        break;
      case 'waitingOn':
        if (x !== null && !isWaitingOn(x, look)) return false;
        break;
      case 'startedAt':
      case 'endedAt':
        if (x !== null && !isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'cancellable':
      case 'cancelRequested':
      case 'ambient':
        if (x !== null && typeof x !== 'boolean') return false;
        break;
      case 'usage':
        if (x !== null && !isUsage(x, look)) return false;
        break;
      case 'native':
        if (x !== null && !isNative(x, look)) return false;
        break;
      case 'ext':
        if (x !== null && !isExt(x)) return false;
        if (look !== undefined && x !== null) lookAt(x, look);
        break;
    }
  }
  return found === 4;
}

/** What `isOperationEvent` asks, as data for the issue collector. */
export const operationEventRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'operation' },
    session: { is: 'text', min: 1, max: 256 },
    id: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }] },
    run: { is: 'text', min: 1, max: 256 },
    attempt: { is: 'integer', min: 1 },
    seq: { is: 'integer', min: 0 },
    at: { is: 'number', min: 0, max: 4102444800000 },
    state: { is: 'enum', words: ['pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied', 'interrupted'] },
    title: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    activeTitle: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    message: { is: 'any', of: [{ is: 'text', max: 500 }, { is: 'null' }] },
    current: { is: 'any', of: [{ is: 'number' }, { is: 'null' }] },
    total: { is: 'any', of: [{ is: 'number' }, { is: 'null' }] },
    fraction: { is: 'any', of: [{ is: 'number' }, { is: 'null' }] },
    unit: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    kind: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    tool: { is: 'any', of: [toolRule, { is: 'null' }] },
    parent: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }, { is: 'null' }] },
    reason: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    error: { is: 'any', of: [failureRule, { is: 'null' }] },
    blockedOn: { is: 'any', of: [blockedOnRule, { is: 'null' }] },
    waitingOn: { is: 'any', of: [waitingOnRule, { is: 'null' }] },
    startedAt: { is: 'any', of: [{ is: 'number', min: 0, max: 4102444800000 }, { is: 'null' }] },
    endedAt: { is: 'any', of: [{ is: 'number', min: 0, max: 4102444800000 }, { is: 'null' }] },
    cancellable: { is: 'any', of: [{ is: 'boolean' }, { is: 'null' }] },
    cancelRequested: { is: 'any', of: [{ is: 'boolean' }, { is: 'null' }] },
    ambient: { is: 'any', of: [{ is: 'boolean' }, { is: 'null' }] },
    usage: { is: 'any', of: [usageRule, { is: 'null' }] },
    native: { is: 'any', of: [nativeRule, { is: 'null' }] },
    ext: { is: 'any', of: [extRule, { is: 'null' }] },
  },
  required: ['type', 'session', 'id', 'at'],
};

/** True for the shape of `Operation`, byte limits and text rules aside. */
export function isOperation(value: unknown): value is Operation {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'id':
        if (!isText(x, 1, 256) && !isInteger(x, -Infinity)) return false;
        found++;
        break;
      case 'attempt':
        if (!isInteger(x, 1)) return false;
        found++;
        break;
      case 'state':
        if (x !== 'pending' && x !== 'running' && x !== 'waiting' && x !== 'blocked' && x !== 'paused' && x !== 'completed' && x !== 'failed' && x !== 'cancelled' && x !== 'denied' && x !== 'interrupted') return false;
        found++;
        break;
      case 'updatedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'seq':
        if (!isInteger(x, 0)) return false;
        break;
      case 'message':
        if (!isText(x, 0, 500)) return false;
        break;
      case 'current':
      case 'total':
      case 'fraction':
        if (!isNumber(x, -Infinity, Infinity)) return false;
        break;
      case 'title':
      case 'activeTitle':
      case 'unit':
      case 'kind':
      case 'reason':
        if (!isText(x, 0, 120)) return false;
        break;
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
      case 'tool':
        if (!isTool(x)) return false;
        break;
      case 'parent':
        if (!isText(x, 1, 256) && !isInteger(x, -Infinity)) return false;
        break;
      case 'error':
        if (!isFailure(x)) return false;
        break;
      case 'blockedOn':
        if (!isBlockedOn(x)) return false;
        break;
      case 'waitingOn':
        if (!isWaitingOn(x)) return false;
        break;
      case 'startedAt':
      case 'endedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'cancellable':
      case 'cancelRequested':
      case 'ambient':
        if (typeof x !== 'boolean') return false;
        break;
      case 'usage':
        if (!isUsage(x)) return false;
        break;
      case 'native':
        if (!isNative(x)) return false;
        break;
      case 'ext':
        if (!isExt(x)) return false;
        break;
    }
  }
  return found === 4;
}

/** What `isOperation` asks, as data for the issue collector. */
export const operationRule: ObjectRule = {
  is: 'object',
  fields: {
    id: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }] },
    run: { is: 'text', min: 1, max: 256 },
    attempt: { is: 'integer', min: 1 },
    seq: { is: 'integer', min: 0 },
    state: { is: 'enum', words: ['pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied', 'interrupted'] },
    updatedAt: { is: 'number', min: 0, max: 4102444800000 },
    title: { is: 'text', max: 120 },
    activeTitle: { is: 'text', max: 120 },
    message: { is: 'text', max: 500 },
    current: { is: 'number' },
    total: { is: 'number' },
    fraction: { is: 'number' },
    unit: { is: 'text', max: 120 },
    kind: { is: 'text', max: 120 },
    tool: toolRule,
    parent: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }] },
    reason: { is: 'text', max: 120 },
    error: failureRule,
    blockedOn: blockedOnRule,
    waitingOn: waitingOnRule,
    startedAt: { is: 'number', min: 0, max: 4102444800000 },
    endedAt: { is: 'number', min: 0, max: 4102444800000 },
    cancellable: { is: 'boolean' },
    cancelRequested: { is: 'boolean' },
    ambient: { is: 'boolean' },
    usage: usageRule,
    native: nativeRule,
    ext: extRule,
  },
  required: ['id', 'attempt', 'state', 'updatedAt'],
};
