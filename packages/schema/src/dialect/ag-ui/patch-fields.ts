/**
 * Our event as a patch of the record it moves, and back. Every field it sets is one `add`, which also replaces; every field
 * it clears is an `add` of null and a `remove`, so that it applies whether or not the field was there.
 */
import { isObject } from '../../check/guards.ts';

/** Fields that name the record and do not change. */
const PLACE: ReadonlySet<string> = new Set(['type', 'session', 'id', 'run']);

/** The event's fields as a patch. */
export function patchOf(event: object): readonly object[] {
  return Object.entries(event).flatMap(([field, value]) => {
    if (PLACE.has(field) || value === undefined) return [];
    const path = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const add = { op: 'add', path, value };
    return value === null ? [add, { op: 'remove', path }] : [add];
  });
}

/** The fields of such a patch; undefined for a patch of any other making. */
export function fieldsOf(patch: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(patch) || patch.length > 200) return undefined;
  const fields = new Map<string, unknown>();
  for (const operation of patch) {
    const path: unknown = isObject(operation) ? operation['path'] : undefined;
    const field = typeof path === 'string' ? /^\/([^/]+)$/.exec(path)?.[1] : undefined;
    if (field === undefined || PLACE.has(field) || field === '__proto__') return undefined;
    const name = field.replaceAll('~1', '/').replaceAll('~0', '~');
    if (operation.op === 'add' || operation.op === 'replace') fields.set(name, operation.value);
    else if (operation.op === 'remove') fields.set(name, null);
    else return undefined;
  }
  return Object.fromEntries(fields);
}
