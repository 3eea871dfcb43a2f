import type { Position } from '../../store/store.ts';
import type { SharedStore } from '../../store/shared.ts';
import { StoreUnavailable } from '../../store/unavailable.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { Sessions } from '../session/sessions.ts';
import { storeFault } from '../store-fault.ts';
import type { Batch } from '../read/batch.ts';

interface FollowParts {
  readonly shared: SharedStore;
  readonly sessions: Sessions;
  readonly publish: (batch: Batch) => void;
  readonly position: (session: string) => Position | undefined;
  readonly restart: (live: LiveSession, reason: string) => void;
}

interface Question {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Takes in what others write to a shared store. The writer calls it between its commits, while memory holds nothing that is
 * not stored.
 */
export class Follow {
  readonly #parts: FollowParts;
  #questions = new Map<string, Question[]>();

  constructor(parts: FollowParts) {
    this.#parts = parts;
  }

  /** True while somebody waits for an answer. */
  get asked(): boolean {
    return this.#questions.size > 0;
  }

  /** Throws a GatewayError while the store cannot be reached. */
  assertUp(): void {
    if (!this.#parts.shared.up) throw storeFault(new StoreUnavailable('The store cannot be reached.'));
  }

  /** Asks what is stored of a session. Resolves once `answer` was called and memory holds it. */
  async ask(session: string): Promise<void> {
    this.assertUp();
    await new Promise<void>((resolve, reject) => {
      const questions = this.#questions.get(session);
      if (questions) questions.push({ resolve, reject });
      else this.#questions.set(session, [{ resolve, reject }]);
    });
  }

  /** Answers whoever asked. Never rejects. */
  async answer(): Promise<void> {
    const asked = this.#questions;
    if (asked.size === 0) return;
    this.#questions = new Map();
    const faults = await this.align(asked.keys());
    for (const [session, questions] of asked) {
      const fault = faults.get(session);
      for (const { resolve, reject } of questions) {
        if (fault) reject(storeFault(fault));
        else resolve();
      }
    }
  }

  /** Brings sessions in memory, and their readers, to where they are stored. Answers the faults. Never rejects. */
  async align(sessions: Iterable<string>): Promise<ReadonlyMap<string, unknown>> {
    const faults = new Map<string, unknown>();
    const align = (session: string): Promise<unknown> => this.#align(session).catch((error: unknown) => faults.set(session, error));
    await Promise.all([...sessions].map(align));
    return faults;
  }

  /** Those of the writes whose sessions are in memory now; the others are refused. */
  async loaded<W extends { readonly session: string; readonly reject: (error: unknown) => void }>(
    writes: readonly W[],
  ): Promise<readonly W[]> {
    const missing = new Set(writes.map(({ session }) => session).filter((session) => !this.#parts.sessions.get(session)));
    if (missing.size === 0) return writes;
    const faults = await this.align(missing);
    return writes.filter(({ session, reject }) => {
      if (faults.has(session)) reject(storeFault(faults.get(session)));
      return !faults.has(session);
    });
  }

  /** Those of the sessions, which hold nothing that is not stored, that somebody else has written to. Never rejects. */
  async outdated(unchanged: readonly LiveSession[]): Promise<Map<string, 'moved' | StoreUnavailable>> {
    const found = new Map<string, 'moved' | StoreUnavailable>();
    if (unchanged.length === 0) return found;
    const heads = await this.#parts.shared.heads(unchanged.map(({ session }) => session));
    for (const live of unchanged) {
      const head = heads.get(live.session);
      if (!heads.has(live.session)) found.set(live.session, new StoreUnavailable('The store cannot be reached.'));
      else if (head ? !isAt(live, head) : live.seq > 0) found.set(live.session, 'moved');
    }
    return found;
  }

  async #align(session: string): Promise<void> {
    const { shared, sessions, publish, position, restart } = this.#parts;
    const read = position(session);
    let live = sessions.get(session);
    if (!live) {
      live = await sessions.load(session);
      if (!read || isAt(live, read)) return;
    }
    const known = read ?? live;
    const since = await shared.since(session, known);
    if (since?.events && since.epoch === live.epoch) {
      const held = live.seq;
      if (live.catchUp(since.events.filter(({ seq }) => seq > held))) {
        const { epoch, seq } = live;
        if (since.events.length > 0) publish({ session, epoch, events: since.events, end: { epoch, seq } });
        return;
      }
    }
    const empty = since === undefined && live.seq === 0;
    if (!empty) {
      sessions.drop(session);
      live = await sessions.load(session);
    }
    if (read && !isAt(live, read)) restart(live, 'epoch');
  }
}

function isAt(one: Position, other: Position): boolean {
  return one.epoch === other.epoch && one.seq === other.seq;
}
