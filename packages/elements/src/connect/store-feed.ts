import type { SessionView, Store } from '@sitrep/client';
import type { CardRecord } from '@sitrep/schema';
import type { FeedHistory, FeedState, SessionFeed } from '../display/feed.ts';

/** What the reader is told where something else came. */
export const NO_SESSION = 'The server answered with something else than a session.';

const isOpen = ({ connection: { state } }: SessionView): boolean => state === 'live' || state === 'resumed';

/** A store as elements read it, together with why it could not be loaded. */
export class StoreFeed implements SessionFeed {
  readonly #store: Store;
  readonly #again: () => void;
  readonly #listeners = new Set<() => void>();
  readonly #idle: () => void;
  readonly #remember: () => void;
  readonly #history: FeedHistory;
  #unsubscribe: (() => void) | undefined;
  #holds = 0;
  #error: string | undefined;
  #denied = false;
  #state: FeedState;
  #versions: { readonly of: CardRecord; readonly found: readonly CardRecord[] } | undefined;

  /**
   * `again` loads the session again; `idle` is called when the last listener has left; `remember` is called when somebody wants to
   * look back, for a store whose history begins only then.
   */
  constructor(store: Store, again: () => void = () => {}, idle: () => void = () => {}, remember: () => void = () => {}) {
    this.#remember = remember;
    const shown = (): boolean => !this.#denied;
    this.#history = {
      get window() {
        return shown() ? store.history?.window : undefined;
      },
      at: (seq) => (shown() ? store.at(seq) : undefined),
    };
    this.#store = store;
    this.#again = again;
    this.#idle = idle;
    this.#state = { session: store.getSnapshot(), error: undefined };
  }

  history(): FeedHistory {
    this.#remember();
    return this.#history;
  }

  getSnapshot(): FeedState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    this.#unsubscribe ??= this.#watch();
    return () => {
      if (!this.#listeners.delete(own) || this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
      this.#idle();
    };
  }

  /** Looked up once for each version, by code that comes with the first question; then the listeners are told. */
  revisions(): readonly CardRecord[] {
    const { card } = this.#store.getSnapshot();
    const before = this.#versions;
    if (this.#denied) return [];
    if (before?.of !== card) {
      this.#versions = { of: card, found: before?.found ?? [] };
      void this.#look(card);
    }
    return this.#versions!.found;
  }

  async #look(of: CardRecord): Promise<void> {
    const { cardVersions } = await import('./card-versions.ts').catch(() => ({ cardVersions: () => [] }));
    this.#versions = { of, found: cardVersions(this.#store) };
    for (const listener of this.#listeners) listener();
  }

  retry(): void {
    this.#again();
    if (!this.#unsubscribe || this.#store.getSnapshot().connection.state !== 'lost') return;
    // A store tries a source that gave up once more for whoever comes.
    this.#unsubscribe();
    this.#unsubscribe = this.#watch();
  }

  hold(): () => void {
    this.#holds++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      this.#idle();
    };
  }

  /** True while somebody watches, or wants to find what is known again. */
  get wanted(): boolean {
    return this.size + this.#holds > 0;
  }

  /**
   * Says why the session could not be loaded, or that something was; what the store refused was no session. What is `denied` is
   * shown no more, whatever of it is known.
   */
  fail(error: string | undefined, denied = false): void {
    if (!error && !this.#state.session?.loaded && !this.#store.getSnapshot().loaded) error = NO_SESSION;
    if (error === this.#error && denied === this.#denied) return;
    this.#error = error;
    this.#denied = denied;
    this.#set();
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  #watch(): () => void {
    return this.#store.subscribe((session) => {
      if (this.#denied && isOpen(session)) this.fail(undefined);
      else if (session !== this.#state.session) this.#set();
    });
  }

  #set(): void {
    const error = this.#error;
    this.#state = this.#denied ? { session: undefined, error, denied: true } : { session: this.#store.getSnapshot(), error };
    for (const listener of this.#listeners) listener();
  }
}
