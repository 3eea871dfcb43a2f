/**
 * Our event as a patch of the record it moves, and back. Every field it sets is one `add`, which also replaces; every field
 * it clears is an `add` of null and a `remove`, so that it applies whether or not the field was there. A `copy` and a
 * `replace` are no news: they keep what follows from the events before, which the content alone would get wrong.
 */
import { isObject } from '../../check/guards.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';

/** Fields that name the record and do not change. */
const PLACE: ReadonlySet<string> = new Set(['type', 'session', 'id', 'run']);

/** What the content is of, as far as a patch of it must know. */
export type Held = Pick<Partial<Operation>, 'updatedAt' | 'startedAt' | 'endedAt' | 'blockedOn' | 'waitingOn'>;

/** The event's fields as a patch of the content of `held`. */
export function patchOf(event: object, held: Held = {}): readonly object[] {
  return [...timesOf(held), ...outdated(event, held), ...changesOf(event)];
}

/** A record that began or ended with the event it was last moved by did so at that time, which is about to be overwritten. */
function timesOf(held: Held): object[] {
  const { updatedAt } = held;
  if (updatedAt === undefined) return [];
  return (['startedAt', 'endedAt'] as const)
    .filter((field) => held[field] === updatedAt)
    .map((field) => ({ op: 'copy', from: '/at', path: `/${field}` }));
}

/** A state takes the explanation of the one before with it. */
function outdated(event: Pick<Partial<OperationEvent>, 'state' | 'blockedOn' | 'waitingOn'>, held: Held): object[] {
  const { state } = event;
  if (state === undefined) return [];
  const gone = [
    ...(state !== 'blocked' && held.blockedOn !== undefined && event.blockedOn === undefined ? ['blockedOn'] : []),
    ...(state !== 'waiting' && held.waitingOn !== undefined && event.waitingOn === undefined ? ['waitingOn'] : []),
  ];
  return gone.map((field) => ({ op: 'replace', path: `/${field}`, value: null }));
}

function changesOf(event: object): object[] {
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
    if (operation.op === 'copy' || operation.op === 'replace') continue;
    if (operation.op === 'add') fields.set(name, operation.value);
    else if (operation.op === 'remove') fields.set(name, null);
    else return undefined;
  }
  return Object.fromEntries(fields);
}
