import type { SessionState } from '../display/feed.ts';

/** A session that the page keeps an eye on. A store of the client is one. */
export interface WatchedSession {
  /** The session as it stands. */
  getSnapshot(): SessionState;
  /** Calls back after every change until the returned function is called. */
  subscribe(listener: (session: SessionState) => void): () => void;
}
