import type { Position } from '../../store/store.ts';
import type { SharedStore } from '../../store/shared.ts';
import type { Clock } from '../clock.ts';
import type { Hub } from './hub.ts';

/** Milliseconds between two looks at where the sessions stand that are read here: what a lost hint costs at most. */
const POLL_MS = 1_000;
/** Sessions looked at in one turn; of more, each has its turn after the others. */
const POLL_LIMIT = 5_000;
/** Milliseconds without an answer about a session after which its readers are let go. */
const LOST_MS = 3_000;
/** Bounds of the time they are asked to wait, milliseconds. */
const RETRY_MIN = 500;
const RETRY_SPREAD = 1_500;

interface WatchParts {
  readonly shared: SharedStore;
  readonly hub: Hub;
  readonly clock: Clock;
  /** The position the readers of a session have been sent, or are about to be; undefined without readers. */
  readonly position: (session: string) => Position | undefined;
  /** Brings a session, and its readers, to where it is stored. */
  readonly check: (session: string) => Promise<void>;
}

/**
 * Keeps readers of a shared store true to it: hints say at once that somebody else wrote, and a look every second finds what no
 * hint told. Readers of sessions that cannot be looked at hear no heartbeat and are soon let go, so that they see that they
 * are not live; they come back by themselves.
 */
export class StoreWatch {
  readonly #parts: WatchParts;
  readonly #stop: () => void;
  /** When each session was last known to stand where its readers are, or to be about to. */
  readonly #sureAt = new Map<string, number>();
  readonly #unsure = new Set<string>();
  #next: string[] = [];
  #polling = false;
  /** Looks at sessions so far. */
  polls = 0;

  constructor(parts: WatchParts) {
    const { shared, hub, clock } = parts;
    this.#parts = parts;
    shared.watch({
      changed: (session, position) => this.#compare(session, position),
      reachable: () => void this.#poll(),
    });
    hub.watch({
      began: (session) => {
        this.#sureAt.set(session, clock.now());
        shared.follow(session);
      },
      ended: (session) => {
        this.#sureAt.delete(session);
        this.#unsure.delete(session);
        shared.unfollow(session);
      },
      sure: (session) => shared.up && !this.#unsure.has(session),
    });
    this.#stop = clock.every(POLL_MS, () => void this.#poll());
  }

  close(): void {
    this.#stop();
  }

  /** Never rejects. */
  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    const { shared, hub, clock } = this.#parts;
    if (this.#next.length === 0) this.#next = hub.sessions();
    const turns = Math.ceil(this.#next.length / POLL_LIMIT);
    const looked = this.#next.splice(0, POLL_LIMIT);
    this.polls += looked.length;
    const heads = await shared.heads(looked);
    const now = clock.now();
    for (const session of looked) {
      if (!this.#sureAt.has(session)) continue;
      if (heads.has(session)) {
        this.#sureAt.set(session, now);
        this.#unsure.delete(session);
        this.#compare(session, heads.get(session));
      } else {
        this.#unsure.add(session);
        if (now - (this.#sureAt.get(session) ?? now) >= LOST_MS + turns * POLL_MS) this.#letGo(session);
      }
    }
    this.#polling = false;
  }

  #compare(session: string, stored: Position | undefined): void {
    const read = this.#parts.position(session);
    if (!read) return;
    const behind = stored ? stored.epoch !== read.epoch || stored.seq !== read.seq : read.seq > 0;
    // Why it could not be brought up to date, the next look will say.
    if (behind) this.#parts.check(session).catch(() => undefined);
  }

  #letGo(session: string): void {
    const { hub } = this.#parts;
    for (const subscriber of hub.of(session)) {
      if (!subscriber.remote) continue;
      subscriber.close(undefined, Math.round(RETRY_MIN + Math.random() * RETRY_SPREAD));
      hub.remove(session, subscriber);
    }
  }
}
