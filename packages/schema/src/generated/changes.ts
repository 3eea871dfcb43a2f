// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { everyItem, isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { Changes } from '../wire/changes.ts';
import { cardRule, isCard } from './card.ts';
import { isOperation, operationRule } from './operation.ts';
import { isUsage, usageRule } from './parts.ts';
import { isRun, runRule } from './run.ts';

const own = Object.prototype.hasOwnProperty;

function isChangesRemovedItem(value: unknown): boolean {
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
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
    }
  }
  return found === 1;
}

const changesRemovedItemRule: ObjectRule = {
  is: 'object',
  fields: {
    id: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }] },
    run: { is: 'text', min: 1, max: 256 },
  },
  required: ['id'],
};

/** True for the shape of `Changes`, byte limits and text rules aside. */
export function isChanges(value: unknown): value is Changes {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'changes') return false;
        found++;
        break;
      case 'session':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'epoch':
        if (!isText(x, 1, 64)) return false;
        found++;
        break;
      case 'after':
      case 'seq':
        if (!isInteger(x, 0)) return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'removed':
        if (!(Array.isArray(x) && x.length <= 1000 && everyItem(x, isChangesRemovedItem))) return false;
        found++;
        break;
      case 'operations':
        if (!(Array.isArray(x) && x.length <= 1000 && everyItem(x, isOperation))) return false;
        found++;
        break;
      case 'runs':
        if (!(Array.isArray(x) && x.length <= 100 && everyItem(x, isRun))) return false;
        break;
      case 'revision':
        if (!isInteger(x, 0)) return false;
        break;
      case 'card':
        if (x !== null && !isCard(x)) return false;
        break;
      case 'cardUpdatedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'cardRun':
        if (!isText(x, 1, 256)) return false;
        break;
      case 'title':
        if (x !== null && !isText(x, 0, 120)) return false;
        break;
      case 'usage':
        if (x !== null && !isUsage(x)) return false;
        break;
    }
  }
  return found === 8;
}

/** What `isChanges` asks, as data for the issue collector. */
export const changesRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'changes' },
    session: { is: 'text', min: 1, max: 256 },
    epoch: { is: 'text', min: 1, max: 64 },
    after: { is: 'integer', min: 0 },
    seq: { is: 'integer', min: 0 },
    at: { is: 'number', min: 0, max: 4102444800000 },
    removed: { is: 'array', item: changesRemovedItemRule, max: 1000 },
    operations: { is: 'array', item: operationRule, max: 1000 },
    runs: { is: 'array', item: runRule, max: 100 },
    revision: { is: 'integer', min: 0 },
    card: { is: 'any', of: [cardRule, { is: 'null' }] },
    cardUpdatedAt: { is: 'number', min: 0, max: 4102444800000 },
    cardRun: { is: 'text', min: 1, max: 256 },
    title: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    usage: { is: 'any', of: [usageRule, { is: 'null' }] },
  },
  required: ['type', 'session', 'epoch', 'after', 'seq', 'at', 'removed', 'operations'],
};
