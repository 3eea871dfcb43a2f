// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.
import { isInteger, isNumber, isObject, isText } from '../check/guards.ts';
import type { ObjectRule } from '../check/rule.ts';
import type { OperationClearEvent } from '../wire/operation-clear.ts';

const own = Object.prototype.hasOwnProperty;

/** True for the shape of `OperationClearEvent`, byte limits and text rules aside. */
export function isOperationClearEvent(value: unknown): value is OperationClearEvent {
  if (!isObject(value)) return false;
  let found = 0;
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
      case 'type':
        if (x !== 'operation.clear') return false;
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
      case 'run':
        if (!isText(x, 1, 256)) return false;
        break;
    }
  }
  return found === 4;
}

/** What `isOperationClearEvent` asks, as data for the issue collector. */
export const operationClearEventRule: ObjectRule = {
  is: 'object',
  fields: {
    type: { is: 'const', value: 'operation.clear' },
    session: { is: 'text', min: 1, max: 256 },
    id: { is: 'any', of: [{ is: 'text', min: 1, max: 256 }, { is: 'integer' }] },
    run: { is: 'text', min: 1, max: 256 },
    at: { is: 'number', min: 0, max: 4102444800000 },
  },
  required: ['type', 'session', 'id', 'at'],
};
