import { isFinal } from '../wire/states.ts';
import type { OperationState, RunState } from '../wire/states.ts';
import type { Outcome } from './outcome.ts';

/**
 * Every rule about lateness, in one place. The amount never takes part: what is newer is decided by attempt, then
 * sequence, then finality, and for a card by its revision alone.
 */

/** What to do with an event: merge it, begin a new attempt, only enrich what has ended, or drop it by that name. */
export type Verdict = 'merge' | 'afresh' | 'enrich' | Extract<Outcome, 'late' | 'stale' | 'duplicate'>;

interface OperationPosition {
  readonly attempt: number;
  readonly seq?: number | undefined;
  readonly state: OperationState;
}

interface OperationClaim {
  readonly attempt?: number | undefined;
  readonly seq?: number | undefined;
  readonly state?: OperationState | undefined;
}

/**
 * The attempt an event speaks of. An event without one speaks of the first, whatever is running by now: otherwise a
 * delayed event of a first attempt that never numbered itself could end the second.
 */
export function attemptOf(event: { readonly attempt?: number | undefined }): number {
  return event.attempt ?? 1;
}

/** Where an operation event stands against the record: attempt first, then sequence, then finality. */
export function orderOperation(record: OperationPosition, event: OperationClaim): Verdict {
  const attempt = attemptOf(event);
  if (attempt !== record.attempt) return attempt > record.attempt ? 'afresh' : 'stale';
  if (event.seq !== undefined && record.seq !== undefined && event.seq <= record.seq) {
    return event.seq === record.seq ? 'duplicate' : 'stale';
  }
  return orderFinality(record.state, event.state);
}

/** A final state is final: only the same state may still add to it. */
export function orderFinality(
  held: OperationState | RunState,
  claimed: OperationState | RunState | undefined,
): 'merge' | 'enrich' | 'late' {
  if (!isFinal(held)) return 'merge';
  return claimed === held ? 'enrich' : 'late';
}

/** Where a card write stands: the revision alone decides, clears included. */
export function orderCard(held: number, claimed: number): 'merge' | 'stale' | 'duplicate' {
  if (claimed > held) return 'merge';
  return claimed === held ? 'duplicate' : 'stale';
}

/** True when an event may bring back what was cleared or let go: only a higher attempt may. */
export function mayRevive(forgotten: { readonly attempt: number } | undefined, attempt: number): boolean {
  return forgotten === undefined || attempt > forgotten.attempt;
}
