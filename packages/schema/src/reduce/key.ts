import type { Id } from '../wire/scalars.ts';

/**
 * The key of an operation within its session: run and id together, the id with its JSON type. Two operations have the
 * same key exactly when run and id are the same, so `7` and `"7"` differ, and so do "no run" and any run. Only for use
 * as a Map key: the form may change between versions.
 */
export function operationKey(id: Id, run?: string): string {
  const own = typeof id === 'number' ? `#${id}` : `$${id}`;
  return run === undefined ? own : `${run.length}/${run}${own}`;
}

/** The key under which a run that was let go is remembered; never equal to the key of an operation. */
export function runKey(run: string): string {
  return `@${run}`;
}
