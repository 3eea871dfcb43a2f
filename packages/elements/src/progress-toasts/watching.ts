import type { FeedState, SessionState } from '../display/feed.ts';
import { sessions } from '../display/session-link.ts';
import { Told } from '../page/told.ts';
import { Reporter } from './news.ts';
import type { Step } from './news.ts';

/** Somebody who reads a session, and which that is. */
interface Reader {
  readonly news: Reporter;
  session?: string | undefined;
}

/** The sessions that are told of. Each may be read by several; it is told of as long as one of them is left. */
export class Watching {
  readonly #step: (step: Step, session: string) => void;
  readonly #gone: (session: string) => void;
  readonly #readers = new Map<object, Reader>();
  readonly #followed = new Map<string, () => void>();
  #wanted: ReadonlySet<string> = new Set();
  #told = new Told();

  /** `step` is called with what is new in a session, `gone` once nobody reads it any more. */
  constructor(step: (step: Step, session: string) => void, gone: (session: string) => void) {
    this.#step = step;
    this.#gone = gone;
  }

  /** True while somebody reads the session. */
  has(session: string): boolean {
    for (const reader of this.#readers.values()) if (reader.session === session) return true;
    return false;
  }

  /** What a feed says; of what may not be read any more nothing is left. */
  hear(who: object, { session, denied }: FeedState): void {
    if (denied) this.release(who);
    else if (session) this.take(who, session);
  }

  /** Takes in where a session stands, as `who` reads it. */
  take(who: object, state: SessionState): void {
    if (!state.loaded) return;
    const { session } = state;
    let reader = this.#readers.get(who);
    if (!reader) this.#readers.set(who, (reader = { news: new Reporter(this.#told) }));
    const before = reader.session;
    reader.session = session;
    if (before !== undefined && before !== session && !this.has(before)) this.#gone(before);
    for (const step of reader.news.take(state)) this.#step(step, session);
  }

  /** `who` reads nothing any more. */
  release(who: object): void {
    const session = this.#readers.get(who)?.session;
    this.#readers.delete(who);
    if (session !== undefined && !this.has(session)) this.#gone(session);
  }

  /** Reads the sessions at these addresses, and no others. */
  async follow(addresses: ReadonlySet<string>): Promise<void> {
    this.#wanted = addresses;
    for (const [address, leave] of this.#followed) if (!addresses.has(address)) leave();
    if (addresses.size > 0 && !sessions.open) await sessions.load().catch(() => undefined);
    // Others may be wanted by now.
    if (!sessions.open) return;
    for (const address of this.#wanted) {
      if (this.#followed.has(address)) continue;
      const feed = sessions.open(address);
      const who = {};
      const take = (): void => this.hear(who, feed.getSnapshot());
      const leave = feed.subscribe(take);
      this.#followed.set(address, () => {
        this.#followed.delete(address);
        leave();
        this.release(who);
      });
      take();
    }
  }

  /** Reads nothing any more, and knows nothing of what it has read. */
  clear(): void {
    this.#wanted = new Set();
    for (const leave of this.#followed.values()) leave();
    this.#readers.clear();
    this.#told = new Told();
  }
}
