import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';

/** A session as a front-end sees it: frozen, and the same reference until something changed. */
export interface SessionView {
  /** Empty until it is known, for a store that was not told which session it reads. */
  readonly session: string;
  /** False until a first snapshot or event arrived: nothing is known yet, which is not the same as nothing there. */
  readonly loaded: boolean;
  /** Life of the history shown; undefined while the source gives no positions. */
  readonly epoch: string | undefined;
  /** Position of the newest event shown; 0 while the source gives no positions. */
  readonly seq: number;
  readonly card: CardRecord;
  /** In order of first appearance. Each record is frozen and keeps its reference while unchanged. */
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly title: string | undefined;
  readonly usage: Usage | undefined;
  /**
   * How fresh all this is, and since when: `connecting`, `live`, `quiet` (nothing has come for too long), `reconnecting`,
   * `resumed` (for 5 s after it went on with nothing missing; as good as live), `lost`, `ended`.
   */
  readonly connection: Connection;
}
