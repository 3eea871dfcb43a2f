import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';

/**
 * What an element needs to know of a session. The client's session view fits it as it is; the elements name the shape
 * themselves, because nothing that draws may load anything that connects.
 */
export interface SessionState {
  readonly session: string;
  /** False until a first snapshot or event arrived. */
  readonly loaded: boolean;
  readonly card: CardRecord;
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly title: string | undefined;
  readonly usage: Usage | undefined;
  readonly connection: Connection;
}

/** Where a feed stands: the newest session known, and why the last attempt to load it failed, if it did. */
export interface FeedState {
  readonly session: SessionState | undefined;
  /** A sentence for the reader. What was known before stays in `session`. */
  readonly error: string | undefined;
  /** The reader may not read the session, not even what of it was known before: `session` is undefined. */
  readonly denied?: boolean;
}

/** What of a session can still be shown as it was. */
export interface FeedHistory {
  /** The oldest and the newest position that can be shown; undefined while there is none. Positions of another epoch mean something else. */
  readonly window: { readonly from: number; readonly to: number; readonly epoch?: string | undefined } | undefined;
  /** The session as it stood at a position, or at the nearest before it that is known; undefined beyond the window. */
  at(seq: number): SessionState | undefined;
}

/** A session that may be watched by any number of elements. */
export interface SessionFeed {
  /** Where it stands now; the same reference until something changed. */
  getSnapshot(): FeedState;
  /** Calls back after every change until the returned function is called. The first subscriber opens the session. */
  subscribe(listener: () => void): () => void;
  /** The versions of the session's card that are still known, in any order; absent where none are kept. */
  revisions?(): readonly CardRecord[];
  /** What can be shown of how it was; where nobody kept that before, it is kept from the first call on. */
  history?(): FeedHistory;
  /** True while whoever hands it out says by itself that the connection is lost. */
  tells?(): boolean;
  /** Loads the session again. */
  retry(): void;
  /** Keeps what is known of it while nobody watches, until the returned function is called. */
  hold?(): () => void;
}
