import type { Operation } from '../wire/operation.ts';

/**
 * Milliseconds of work so far, or in all once it ended: recomputed from the start, never counted up, and never negative
 * however the clocks differ. Undefined when no start is known.
 */
export function elapsed(op: Pick<Operation, 'startedAt' | 'endedAt'>, now: number): number | undefined {
  if (op.startedAt === undefined) return undefined;
  return Math.max(0, (op.endedAt ?? now) - op.startedAt);
}
