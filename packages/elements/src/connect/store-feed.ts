import type { Store } from '@sitrep/client';
import type { FeedState, SessionFeed } from '../display/feed.ts';

/** What the reader is told where something else came. */
export const NO_SESSION = 'The server answered with something else than a session.';

/** A store as elements read it, together with why it could not be loaded. */
export class StoreFeed implements SessionFeed {
  readonly #store: Store;
  readonly #again: () => void;
  readonly #listeners = new Set<() => void>();
  readonly #idle: () => void;
  #unsubscribe: (() => void) | undefined;
  #error: string | undefined;
  #state: FeedState;

  /** `again` loads the session again; `idle` is called when the last listener has left. */
  constructor(store: Store, again: () => void = () => {}, idle: () => void = () => {}) {
    this.#store = store;
    this.#again = again;
    this.#idle = idle;
    this.#state = { session: store.getSnapshot(), error: undefined };
  }

  getSnapshot(): FeedState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    this.#unsubscribe ??= this.#store.subscribe((session) => {
      if (session !== this.#state.session) this.#set({ session, error: this.#error });
    });
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
      this.#idle();
    };
  }

  retry(): void {
    this.#again();
  }

  /** Says why the session could not be loaded, or that something was; what the store refused was no session. */
  fail(error: string | undefined): void {
    if (!error && !this.#state.session?.loaded && !this.#store.getSnapshot().loaded) error = NO_SESSION;
    if (error === this.#error) return;
    this.#error = error;
    this.#set({ session: this.#state.session, error });
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  #set(state: FeedState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
