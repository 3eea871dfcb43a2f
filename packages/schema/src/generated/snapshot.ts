// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { everyItem, isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { Snapshot } from '../wire/snapshot.ts';
import { cardRule, isCard } from './card.ts';
import { isOperation, operationRule } from './operation.ts';
import { isUsage, usageRule } from './parts.ts';
import { isRun, runRule } from './run.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `Snapshot`, byte limits and text rules aside. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'snapshot') return false;
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
      case 'seq':
      case 'revision':
        if (!isInteger(x, 0)) return false;
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
      case 'operations':
        if (!(Array.isArray(x) && x.length <= 1000 && everyItem(x, isOperation))) return false;
        found++;
        break;
      case 'runs':
        if (!(Array.isArray(x) && x.length <= 100 && everyItem(x, isRun))) return false;
        found++;
        break;
      case 'cardUpdatedAt':
        if (!isNumber(x, 0, 4102444800000)) return false;
        break;
      case 'cardRun':
        if (!isText(x, 1, 256)) return false;
        break;
      case 'title':
        if (!isText(x, 0, 120)) return false;
        break;
      case 'usage':
        if (!isUsage(x)) return false;
        break;
    }
  }
  return found === 9;
}

/** What `isSnapshot` asks, as data for the issue collector. */
export const snapshotRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'snapshot' },
    session: { is: 'text', min: 1, max: 256 },
    epoch: { is: 'text', min: 1, max: 64 },
    seq: { is: 'integer', min: 0 },
    at: { is: 'number', min: 0, max: 4102444800000 },
    card: { is: 'any', of: [cardRule, { is: 'null' }] },
    revision: { is: 'integer', min: 0 },
    cardUpdatedAt: { is: 'number', min: 0, max: 4102444800000 },
    cardRun: { is: 'text', min: 1, max: 256 },
    operations: { is: 'array', item: operationRule, max: 1000 },
    runs: { is: 'array', item: runRule, max: 100 },
    title: { is: 'text', max: 120 },
    usage: usageRule,
  },
  required: ['type', 'session', 'epoch', 'seq', 'at', 'card', 'revision', 'operations', 'runs'],
};
