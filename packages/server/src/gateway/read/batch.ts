import type { LoggedEvent, Position } from '../../store/position.ts';

/** What was stored of one session in one commit, in order. */
export interface Batch {
  readonly session: string;
  readonly epoch: string;
  readonly events: readonly LoggedEvent[];
  /** Where a reader stands that has taken them: one object for all of them. */
  readonly end: Position;
}
