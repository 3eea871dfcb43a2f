// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { SessionEvent } from '../wire/session.ts';
import { isUsage, usageRule } from './parts.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `SessionEvent`, byte limits and text rules aside. */
export function isSessionEvent(value: unknown): value is SessionEvent {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'session') return false;
        found++;
        break;
      case 'session':
        if (!isText(x, 1, 256)) return false;
        found++;
        break;
      case 'at':
        if (!isNumber(x, 0, 4102444800000)) return false;
        found++;
        break;
      case 'title':
        if (x !== null && !isText(x, 0, 120)) return false;
        break;
      case 'usage':
        if (x !== null && !isUsage(x)) return false;
        break;
    }
  }
  return found === 3;
}

/** What `isSessionEvent` asks, as data for the issue collector. */
export const sessionEventRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'session' },
    session: { is: 'text', min: 1, max: 256 },
    at: { is: 'number', min: 0, max: 4102444800000 },
    title: { is: 'any', of: [{ is: 'text', max: 120 }, { is: 'null' }] },
    usage: { is: 'any', of: [usageRule, { is: 'null' }] },
  },
  required: ['type', 'session', 'at'],
};
