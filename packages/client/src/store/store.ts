import type { CardRecord, Operation, Outcome, Run, Usage } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';

/** A session as a front-end sees it: frozen, and the same reference until something changed. */
export interface SessionView {
  readonly session: string;
  /** False until a first snapshot or event arrived: nothing is known yet, which is not the same as nothing there. */
  readonly loaded: boolean;
  readonly epoch: string | undefined;
  readonly seq: number;
  readonly card: CardRecord;
  /** In order of first appearance. Each record is frozen and keeps its reference while unchanged. */
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly title: string | undefined;
  readonly usage: Usage | undefined;
  readonly connection: Connection;
}

/** One session's state for a front-end, fed by one source. */
export interface Store {
  /** The current view: cheap, stable, frozen. */
  getSnapshot(): SessionView;
  /**
   * Calls back at once and after every change, coalesced to one call per visual quantum (100 ms); final states, cards
   * and connection changes at once. Opens the source with the first subscriber. Returns unsubscribe.
   */
  subscribe(listener: (view: SessionView) => void): () => void;
  /** Counts of what became of the events so far. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Ends the source and drops all listeners. */
  close(): void;
}
