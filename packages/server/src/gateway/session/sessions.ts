import { randomBytes } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import { LiveSession } from './live-session.ts';

/**
 * The sessions that are in memory: read from the store when first asked for, dropped when nobody watches them and more
 * than `idle` are there.
 */
export class Sessions {
  readonly #store: Store;
  readonly #idle: number;
  readonly #operations: number;
  readonly #watched: (session: string) => boolean;
  /** How often each session is held. */
  readonly #held = new Map<string, number>();
  // Least recently used first.
  readonly #live = new Map<string, LiveSession>();

  constructor(
    store: Store,
    { idle, operations }: { readonly idle: number; readonly operations: number },
    watched: (session: string) => boolean,
  ) {
    this.#store = store;
    this.#idle = idle;
    this.#operations = operations;
    this.#watched = watched;
  }

  /** Sessions in memory. */
  get size(): number {
    return this.#live.size;
  }

  /** The session if it is in memory. */
  get(session: string): LiveSession | undefined {
    const live = this.#live.get(session);
    if (live) {
      this.#live.delete(session);
      this.#live.set(session, live);
    }
    return live;
  }

  /** The session, read from the store if need be. One that was never written is empty and gets a new epoch. */
  async load(session: string, epoch: string = newEpoch()): Promise<LiveSession> {
    const stored = await this.#store.load(session);
    // Other gateways may have readers of it too, who must see it begin in the same epoch.
    const first = stored ? epoch : await (this.#store.shared?.reserve(session, epoch) ?? epoch);
    // Somebody else may have read it meanwhile: there must be one object per session.
    const present = this.get(session);
    if (present) return present;
    const live = new LiveSession(stored ?? { session, epoch: first }, this.#operations);
    this.#live.set(session, live);
    return live;
  }

  /** Keeps a session in memory, once it is there, until the returned function is called. */
  hold(session: string): () => void {
    this.#held.set(session, (this.#held.get(session) ?? 0) + 1);
    return () => {
      const left = (this.#held.get(session) ?? 1) - 1;
      if (left > 0) this.#held.set(session, left);
      else this.#held.delete(session);
    };
  }

  /** Forgets what is in memory, because it is ahead of the store or the store has let the session go. */
  drop(session: string): void {
    this.#live.delete(session);
  }

  /** Forgets all that is in memory: it is of another history than the store's. */
  clear(): void {
    this.#live.clear();
  }

  /** Drops the least recently used sessions that nobody watches or holds. Call only while nothing is between apply and commit. */
  trim(): void {
    if (this.#live.size <= this.#idle) return;
    for (const session of this.#live.keys()) {
      if (this.#live.size <= this.#idle) break;
      if (!this.#watched(session) && !this.#held.has(session)) this.#live.delete(session);
    }
  }
}

/** Marks one life of a history. Only characters that are safe in a header, an SSE field and a URL. */
export function newEpoch(): string {
  return randomBytes(9).toString('base64url');
}
