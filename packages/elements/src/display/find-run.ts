import type { Run } from '@sitrep/schema';

/** The run with this key. */
export function findRun(runs: readonly Run[], key: string | undefined): Run | undefined {
  return key === undefined ? undefined : runs.findLast((run) => run.run === key);
}
