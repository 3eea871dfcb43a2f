import type { Operation, Outcome } from '@sitrep/schema';
import type { Coalescer } from '@sitrep/schema/reduce';
import type { Clock } from '../clock.ts';
import type { Diagnostic, Source } from '../source/source.ts';
import type { History } from './history.ts';
import type { SessionView } from './view.ts';

/** One session's state for a front-end, fed by one source. */
export interface Store {
  /** The current view: cheap, stable, frozen. It may be newer than the one listeners were last told of. */
  getSnapshot(): SessionView;
  /**
   * Calls back at once and after every change, coalesced to one call per visual quantum (100 ms); final states, blocked
   * ones, cards, runs, snapshots and connection changes in the next microtask (more than ten of these in one quantum are a
   * storm and coalesced too). Opens the source with the first subscriber and closes it a moment after the last. A listener
   * that throws is reported and keeps its subscription. Returns unsubscribe, which may be called more than once. Like
   * every method here it needs no `this`, so it can be handed to `useSyncExternalStore` and its like.
   */
  subscribe(listener: (view: SessionView) => void): () => void;
  /** The operation with this id (its JSON type counts) and run, in constant time. */
  operation(id: string | number, run?: string): Operation | undefined;
  /**
   * Like `subscribe`, for one operation: calls back at once and whenever that record changed, with undefined while there is
   * none. Connection changes do not call it.
   */
  subscribeOperation(id: string | number, run: string | undefined, listener: (operation: Operation | undefined) => void): () => void;
  /** Counts of what became of the events so far, those dropped before they reached a record included. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /**
   * How often each diagnostic code was reported so far, by code; codes beyond the first 64 are counted as `other`. What was said
   * goes to `onDiagnostic`.
   */
  readonly diagnostics: ReadonlyMap<string, number>;
  /**
   * The session as it stood at a position of the life that is shown, frozen, its connection `ended`; the current view for the
   * current position. As far back as the store's `history` goes; undefined beyond, and without one. Where the newest of
   * everything came in place of events, the nearest position before that is shown, and its `seq` says which.
   */
  at(seq: number): SessionView | undefined;
  /** How far back `at` goes; undefined for a store without history. */
  readonly history?: Pick<History, 'window' | 'size'> | undefined;
  /** Ends the source and drops all listeners, for good. The last view stays readable, its connection `ended`. */
  close(): void;
}

export interface StoreOptions {
  /** Where the frames come from. One store opens it at most once at a time. */
  readonly source: Source;
  /** The session to show; frames of another are `invalid`. Default: that of the first frame that names one. */
  readonly session?: string | undefined;
  /** Told of everything that was survived. Default: nobody is. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** Shortest time between two calls of a listener for what is not urgent, milliseconds. Default: 100. */
  readonly quantum?: number | undefined;
  /** How long the source stays open after the last subscriber left, milliseconds. Default: 1,000. */
  readonly linger?: number | undefined;
  /** Shortest time between two reopenings that repair a lost position, milliseconds. Default: 1,000. */
  readonly repairSpacing?: number | undefined;
  /**
   * Silence after which a stream that has heartbeats is called quiet, milliseconds: one and a half of their intervals.
   * Default: 22,500.
   */
  readonly quietAfter?: number | undefined;
  /**
   * For streams of many small updates: makes what holds back updates as text and spares the parsing of those that a later
   * one replaces before anybody looks. `(session) => new Coalescer(session)`, with `Coalescer` of `@sitrep/schema/reduce`;
   * handed in, so that a page without such streams does not load it. What is shown and counted is the same. Takes effect
   * with sources that offer text, as `sse` does. Default: every frame is read when it comes.
   */
  readonly coalesce?: ((session: string) => Coalescer) | undefined;
  /** Keeps the newest events for `at`. `createHistory()`; one for each store. Default: none are kept. */
  readonly history?: History | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
}
