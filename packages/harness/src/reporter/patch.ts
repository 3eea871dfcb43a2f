import type { OperationEvent } from '@sitrep/schema/wire';
import type { Patch, ReporterOptions } from './types.ts';

const PATCH_KEYS = [
  'title',
  'activeTitle',
  'message',
  'current',
  'total',
  'fraction',
  'unit',
  'usage',
  'native',
  'ext',
  'tool',
  'kind',
  'ambient',
  'cancellable',
  'cancelRequested',
  'reason',
] as const satisfies readonly (keyof Patch)[];

const FIELDS: ReadonlySet<string> = new Set<string>([...PATCH_KEYS, 'state']);
const OPTIONS: ReadonlySet<string> = new Set<string>([
  ...FIELDS,
  ...([
    'sink',
    'session',
    'run',
    'id',
    'attempt',
    'parent',
    'signal',
    'throttleMs',
    'clock',
    'onDiagnostic',
  ] satisfies (keyof ReporterOptions)[]),
]);

/** What other tools call our fields. */
const MEANT: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null) as object, {
  progress: 'current',
  value: 'current',
  done: 'current',
  completed: 'current',
  max: 'total',
  percent: 'fraction',
  percentage: 'fraction',
  label: 'title',
  name: 'title',
  text: 'message',
  status: 'state',
});

/** The keys of a patch, or of a reporter's options, that mean nothing here. */
export function strayKeys(given: object | null | undefined, from: 'patch' | 'options'): string[] {
  const known = from === 'patch' ? FIELDS : OPTIONS;
  return typeof given === 'object' && given !== null
    ? Object.keys(given).filter((key) => !known.has(key) && Reflect.get(given, key) !== undefined)
    : [];
}

/** Says of a key that it means nothing, and which one may be meant. */
export function strayText(key: string, from: 'patch' | 'options'): string {
  const meant = MEANT[key];
  const what = from === 'patch' ? 'field of a report' : 'option of a reporter';
  return `${JSON.stringify(key.slice(0, 60))} is no ${what} and was left out${meant === undefined ? '.' : `; is ${meant} meant?`}`;
}

/** What one event changes. */
export type Change = { [K in keyof OperationEvent]?: OperationEvent[K] | undefined };

/** Only the keys a patch may have, so that a stray `session` or `seq` cannot forge an event. */
export function pick(patch: Patch | undefined): Change {
  const change: Record<string, unknown> = {};
  for (const key of PATCH_KEYS) {
    const value = patch?.[key];
    if (value !== undefined) change[key] = asTold(value);
  }
  return change as Change;
}

/** The value as it is now: an event may wait in a sink while the work goes on changing its objects. */
export function asTold<T>(value: T): T {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}

/** What of a change is fit by itself, field by field: one that is refused must not cost the others. */
export function soundPart(change: Change, isFit: (part: Change) => boolean): Change {
  return Object.fromEntries(Object.entries(change).filter(([key, value]) => isFit({ [key]: value })));
}

/** A final state with the word for why, where there is one. */
export function withReason<S extends OperationEvent['state']>(state: S, reason: string | undefined): Change & { readonly state: S } {
  return reason === undefined ? { state } : { state, reason };
}

/** The id of a parent that is given as its id or as its reporter. */
export function idOf(parent: NonNullable<ReporterOptions['parent']>): OperationEvent['id'] {
  return typeof parent === 'object' ? parent.id : parent;
}
