import { describeValue } from './describe.ts';
import { isObject } from './guards.ts';
import type { Refused } from './issue.ts';
import { refusal } from './issue-list.ts';

/** The answer for a value that is not an object with a known `type`. */
export function unknownType(value: unknown, types: readonly string[]): Refused {
  if (!isObject(value)) return refusal('', 'type', `must be an object, but is ${describeValue(value)}.`);
  const known = `must be one of ${types.join(', ')}`;
  const type = Object.hasOwn(value, 'type') ? value['type'] : undefined;
  if (type === undefined) return refusal('/type', 'required', `is missing; it ${known}.`);
  return typeof type === 'string'
    ? refusal('/type', 'unknown_type', `${known}, but is another value.`)
    : refusal('/type', 'type', `${known}, but is ${describeValue(type)}.`);
}
