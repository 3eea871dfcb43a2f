import type { LoggedEvent } from '../store/position.ts';

/** What was stored of one session in one commit, in order. */
export interface Batch {
  readonly session: string;
  readonly epoch: string;
  readonly events: readonly LoggedEvent[];
}
