import { createMemoryStore } from '@sitrep/server/memory';
import type { SessionChange, Store, StoredSession } from '@sitrep/server/store';

/** Bounds small enough that every run comes to them. */
const LIMITS = { events: 12, sessions: 2 };

/** What lasts while gateways come and go: one store, through which each life of a gateway works until it is killed. */
export class Kept {
  readonly #committed: (change: SessionChange, before: StoredSession | undefined) => void;
  #store = createMemoryStore(LIMITS);
  #failing = false;
  #backup: StoredSession | undefined;

  /** @param committed told of each change right before it is stored; of a session begun anew, with what is stored until then */
  constructor(committed: (change: SessionChange, before: StoredSession | undefined) => void) {
    this.#committed = committed;
  }

  /** The store as one life of a gateway sees it. Nothing it asked for is done or answered once it is killed. */
  life(): { readonly store: Store; kill(): void } {
    const inner = this.#store;
    let killed = false;
    const alive = async <T>(work: () => Promise<T>): Promise<T> => {
      const answer = killed ? undefined : await work();
      return killed ? new Promise<never>(() => undefined) : (answer as T);
    };
    const store: Store = {
      ...inner,
      load: (session) => alive(() => inner.load(session)),
      commit: (changes) =>
        alive(async () => {
          if (this.#failing) {
            this.#failing = false;
            throw new Error('No space left.');
          }
          for (const change of changes) this.#committed(change, change.reset ? await inner.load(change.session) : undefined);
          return inner.commit(changes);
        }),
      eventsAfter: (session, seq) => alive(() => inner.eventsAfter(session, seq)),
      receipt: (session, key) => alive(() => inner.receipt(session, key)),
      list: (options) => alive(() => inner.list(options)),
      close: async () => undefined,
    };
    return { store, kill: () => (killed = true) };
  }

  /** The next commit fails and stores nothing. */
  fail(): void {
    this.#failing = true;
  }

  /** Everything is gone. */
  lose(): void {
    this.#store = createMemoryStore(LIMITS);
  }

  async backUp(session: string): Promise<void> {
    this.#backup = await this.#store.load(session);
  }

  /** Everything is as it was backed up, in a history of its own; answers which one it was. */
  async restore(epoch: string): Promise<StoredSession | undefined> {
    const backup = this.#backup;
    this.lose();
    if (backup === undefined) return undefined;
    const { operations, tombstones, ...rest } = backup;
    const change: SessionChange = { ...rest, epoch, activity: 'idle', open: true, events: [], operations, removed: tombstones };
    await this.#store.commit([change]);
    return backup;
  }
}
