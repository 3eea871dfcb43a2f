import type { Changes, Resync, Snapshot } from '@sitrep/schema/wire';
import type { LoggedEvent, Store } from '../../store/store.ts';
import { isUnavailable } from '../../store/unavailable.ts';
import type { Clock } from '../clock.ts';
import { Delivery } from './delivery.ts';
import { stateFrame } from './frames.ts';
import { parseCursor } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import type { Hub, Opening, Subscriber } from './hub.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { Sessions } from '../session/sessions.ts';
import { storeFault } from '../store-fault.ts';
import type { Writer } from '../write/writer.ts';

/** How often a replay is tried when the history moves while it is read; then a snapshot is taken instead. */
const REPLAY_TRIES = 3;
/** Milliseconds for which a snapshot that is still true is given to others, with its own time. */
const SHARED_MS = 250;
/** Positions that readers may be apart and still be sent the same changes. */
const SHARED_SPAN = 256;

interface ReaderParts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly writer: Writer;
  readonly hub: Hub;
  readonly clock: Clock;
  /** Tells readers of a session what they were not told yet. */
  readonly flush: (session: string) => void;
  /** Bytes of events that are replayed at most; more is a snapshot's work. */
  readonly replayLimit: number;
}

interface Taken {
  readonly snapshot: Snapshot;
  readonly delivery: Delivery;
}

interface Merged {
  readonly changes: Changes;
  readonly delivery: Delivery;
}

function take(snapshot: Snapshot): Taken {
  return { snapshot, delivery: new Delivery(() => stateFrame(snapshot)) };
}

/** Reads committed state only, and begins streams so that nothing falls between their beginning and what follows. */
export class Reader {
  readonly #parts: ReaderParts;
  /** The newest snapshot of each session, so that many readers who come at once share one and its bytes. */
  readonly #taken = new WeakMap<LiveSession, Taken>();

  /** The newest changes that somebody missed, by session. */
  readonly #merged = new WeakMap<LiveSession, Merged>();

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** The session as it stands. One that was never written is empty, at position 0. */
  async snapshot(session: string): Promise<Snapshot> {
    return this.#snapshot(await this.#live(session));
  }

  /**
   * Begins a stream: decides how, tells the subscriber and adds it, in one step as far as writers can tell.
   *
   * @param cursor `epoch:seq` of what the reader saw last, if it asks to go on from there
   * @throws GatewayError when no more readers are let in
   */
  async subscribe(session: string, cursor: string | undefined, subscriber: Subscriber): Promise<void> {
    const { hub, sessions } = this.#parts;
    hub.admit(session);
    // What is written next must continue what the reader is about to see, epoch included.
    const release = sessions.hold(session);
    try {
      const { opening, live } = await this.#opening(session, cursor);
      hub.admit(session);
      this.#parts.flush(session);
      hub.add(session, subscriber, live);
      subscriber.open(opening);
    } finally {
      release();
    }
  }

  /** Gives a reader that lost the thread a new beginning, with `resync` where a reason is given. Nothing happens when it has left meanwhile. */
  async restart(session: string, subscriber: Subscriber, reason: string | undefined): Promise<void> {
    const live = await this.#live(session);
    if (!this.#parts.hub.reads(session, subscriber)) return;
    this.#parts.flush(session);
    this.#parts.hub.moved(session, live.epoch, live.seq);
    subscriber.open(this.#begin(live, reason));
  }

  /**
   * Gives a reader that was behind the newest of what changed after its position or, where that is not known, the state as it is.
   * Nothing happens when it has left meanwhile.
   */
  async catchUp(session: string, subscriber: Subscriber, after: Cursor): Promise<void> {
    const live = await this.#live(session);
    if (!this.#parts.hub.reads(session, subscriber)) return;
    const merged = after.epoch === live.epoch ? this.#changes(live, after.seq) : undefined;
    if (!merged) return this.restart(session, subscriber, undefined);
    this.#parts.flush(session);
    subscriber.merged(merged.changes, merged.delivery);
  }

  /** Gives all readers of a session a new beginning, at once, because they saw another history. Call while memory and store agree. */
  restartAll(live: LiveSession, reason: string): void {
    const { hub } = this.#parts;
    hub.moved(live.session, live.epoch, live.seq);
    for (const subscriber of hub.of(live.session)) subscriber.open(this.#begin(live, reason));
  }

  /** The session in memory, while memory and store agree. The caller must go on synchronously. */
  async #live(session: string): Promise<LiveSession> {
    const { writer, sessions, store } = this.#parts;
    if (store.shared) return this.#shared(session);
    await writer.settled();
    const present = sessions.get(session);
    if (present) return present;
    const release = sessions.hold(session);
    try {
      for (;;) {
        await sessions.load(session);
        await writer.settled();
        const live = sessions.get(session);
        if (!live) continue;
        // Whoever asks about session after session must not fill the memory with them.
        sessions.trim();
        return live;
      }
    } finally {
      release();
    }
  }

  /** The same of a store that others write to: as it is stored there now. */
  async #shared(session: string): Promise<LiveSession> {
    const { writer, sessions } = this.#parts;
    const release = sessions.hold(session);
    try {
      for (;;) {
        await writer.check(session);
        const live = await this.#present(session);
        if (live) return live;
      }
    } finally {
      release();
    }
  }

  async #present(session: string): Promise<LiveSession | undefined> {
    await this.#parts.writer.settled();
    return this.#parts.sessions.get(session);
  }

  async #opening(session: string, text: string | undefined): Promise<{ readonly opening: Opening; readonly live: LiveSession }> {
    for (let attempt = 0; ; attempt += 1) {
      const live = await this.#live(session);
      if (text === undefined) return { live, opening: this.#begin(live) };
      const cursor = parseCursor(text);
      if (cursor?.epoch !== live.epoch) return { live, opening: this.#begin(live, 'epoch') };
      if (cursor.seq > live.seq) return { live, opening: this.#begin(live, 'ahead') };
      if (attempt === REPLAY_TRIES) return { live, opening: this.#begin(live, 'too-old') };
      if (cursor.seq === live.seq) return this.#resume(live, []);
      const events = await this.#after(session, cursor);
      const now = await this.#present(session);
      // What is stored beyond what is in memory comes as every event does, once it is taken in here.
      if (now?.epoch !== cursor.epoch || (events && (events.at(-1)?.seq ?? 0) < now.seq)) continue;
      return this.#resume(
        now,
        events?.filter(({ seq }) => seq <= now.seq),
      );
    }
  }

  async #after(session: string, cursor: Cursor): Promise<readonly LoggedEvent[] | undefined> {
    const { store } = this.#parts;
    try {
      return await (store.shared
        ? store.shared.since(session, cursor).then((since) => since?.events)
        : store.eventsAfter(session, cursor.seq));
    } catch (error) {
      throw isUnavailable(error) ? storeFault(error) : error;
    }
  }

  #resume(live: LiveSession, events: readonly LoggedEvent[] | undefined): { readonly opening: Opening; readonly live: LiveSession } {
    const { epoch, seq } = live;
    const bytes = events?.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
    if (!events || bytes > this.#parts.replayLimit) return { live, opening: this.#begin(live, 'too-old') };
    const heartbeat = { type: 'heartbeat', epoch, seq, at: this.#parts.clock.now() } as const;
    return { live, opening: { resumed: true, epoch, events, heartbeat } };
  }

  #begin(live: LiveSession, reason?: string): Opening {
    const resync: Resync | undefined = reason === undefined ? undefined : { type: 'resync', epoch: live.epoch, seq: live.seq, reason };
    const held = this.#taken.get(live);
    const now = this.#parts.clock.now();
    const fresh =
      held &&
      held.snapshot.seq === live.seq &&
      held.snapshot.epoch === live.epoch &&
      now >= held.snapshot.at &&
      now - held.snapshot.at < SHARED_MS;
    const taken = fresh ? held : take(this.#snapshot(live));
    if (!fresh) this.#taken.set(live, taken);
    return { resumed: false, resync, ...taken };
  }

  /** Readers that stand near one another share what changed after the first of them: nothing is harmed by what one has already. */
  #changes(live: LiveSession, after: number): Merged | undefined {
    const held = this.#merged.get(live);
    if (held && held.changes.seq === live.seq && held.changes.after <= after && after - held.changes.after <= SHARED_SPAN) return held;
    const changes = live.changesSince(after, this.#parts.clock.now());
    if (!changes) return undefined;
    const delivery = new Delivery(() => stateFrame(changes));
    const merged = { changes, delivery };
    this.#merged.set(live, merged);
    return merged;
  }

  #snapshot(live: LiveSession): Snapshot {
    return live.index.snapshot(this.#parts.clock.now(), live.epoch, live.seq);
  }
}
