import type { Changes, End, Heartbeat, Resync, Snapshot } from '@sitrep/schema/wire';
import type { LoggedEvent, Position } from '../../store/store.ts';
import type { Clock } from '../clock.ts';
import { Delivery } from './delivery.ts';
import { controlFrame, eventFrame, stateFrame } from './frames.ts';
import type { MergedBatch } from './flush-quantum.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Batch } from './batch.ts';

/** How a stream begins, or begins anew: with the events that were missed, or with a snapshot, which `delivery` holds as bytes. */
export type Opening =
  | { readonly resumed: true; readonly epoch: string; readonly events: readonly LoggedEvent[]; readonly heartbeat: Heartbeat }
  | { readonly resumed: false; readonly resync?: Resync | undefined; readonly snapshot: Snapshot; readonly delivery: Delivery };

/** One reader of one session. No call may throw or wait. */
export interface Subscriber {
  /** True for a reader over HTTP, false for one in process. */
  readonly remote: boolean;
  /** The beginning; also a new beginning after the reader lost the thread. */
  open(opening: Opening): void;
  /**
   * What was just stored. `delivery` holds the same as bytes; where `changes` is given, these say the same in fewer bytes, and
   * `delivery` holds them.
   */
  batch(batch: Batch, delivery: Delivery, changes?: Changes): void;
  /** In place of what a reader missed that was behind: the newest of what changed. `delivery` holds the same as bytes. */
  merged(changes: Changes, delivery: Delivery): void;
  heartbeat(event: Heartbeat, delivery: Delivery): void;
  /**
   * The last call: with `end` the reader is told why and, by the reason, whether to come back; without it the connection just closes.
   * `retryMs` asks it to wait that long before it comes back.
   */
  close(end: End | undefined, retryMs?: number): void;
}

/** Told which sessions have readers. */
export interface HubWatch {
  began(session: string): void;
  ended(session: string): void;
  /** False while it is not known whether what the readers of a session were sent is all there is: no heartbeat says so then. */
  sure(session: string): boolean;
}

interface Topic {
  epoch: string;
  seq: number;
  readonly subscribers: Set<Subscriber>;
}

/** Who reads which session, and the position each of them has been sent. */
export class Hub {
  readonly #topics = new Map<string, Topic>();
  readonly #limits: { readonly clientLimit: number; readonly sessionClientLimit: number };
  readonly #clock: Clock;
  readonly #stopHeartbeat: () => void;
  #watch: HubWatch | undefined;
  #count = 0;

  constructor(clock: Clock, heartbeatMs: number, limits: { readonly clientLimit: number; readonly sessionClientLimit: number }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#stopHeartbeat = clock.every(heartbeatMs, () => this.#heartbeat());
  }

  /** Tells one watcher from now on. Call before there are readers. */
  watch(watch: HubWatch): void {
    this.#watch = watch;
  }

  /** Sessions with readers. */
  sessions(): string[] {
    return [...this.#topics.keys()];
  }

  /** Number of open streams. */
  get count(): number {
    return this.#count;
  }

  /** True while somebody reads the session. */
  has(session: string): boolean {
    return this.#topics.has(session);
  }

  /** Throws a GatewayError when one more reader is not let in. */
  admit(session: string): void {
    if (this.#count >= this.#limits.clientLimit) {
      throw new GatewayError(
        'too_many_clients',
        `This gateway serves at most ${this.#limits.clientLimit} streams. Close some or try again later.`,
      );
    }
    if ((this.#topics.get(session)?.subscribers.size ?? 0) >= this.#limits.sessionClientLimit) {
      const message = `A session serves at most ${this.#limits.sessionClientLimit} streams. Close some or try again later.`;
      throw new GatewayError('too_many_streams', message);
    }
  }

  /** Adds a reader that has just been sent everything up to this position. */
  add(session: string, subscriber: Subscriber, position: { readonly epoch: string; readonly seq: number }): void {
    const topic = this.#topics.get(session) ?? { epoch: position.epoch, seq: position.seq, subscribers: new Set() };
    if (!this.#topics.has(session)) this.#watch?.began(session);
    this.#topics.set(session, topic);
    if (topic.subscribers.has(subscriber)) return;
    topic.subscribers.add(subscriber);
    this.#count += 1;
  }

  remove(session: string, subscriber: Subscriber): void {
    const topic = this.#topics.get(session);
    if (!topic?.subscribers.delete(subscriber)) return;
    this.#count -= 1;
    if (topic.subscribers.size > 0) return;
    this.#topics.delete(session);
    this.#watch?.ended(session);
  }

  /** True while this reader reads the session. */
  reads(session: string, subscriber: Subscriber): boolean {
    return this.#topics.get(session)?.subscribers.has(subscriber) === true;
  }

  /** The readers of one session, as they are now. */
  of(session: string): Subscriber[] {
    return [...(this.#topics.get(session)?.subscribers ?? [])];
  }

  /** Tells the readers of a session what was stored; `merged` says the same in fewer bytes. */
  publish(batch: Batch, merged?: MergedBatch): void {
    const topic = this.#topics.get(batch.session);
    if (!topic) return;
    topic.epoch = batch.epoch;
    topic.seq = batch.end.seq;
    const { epoch, events } = batch;
    const delivery = new Delivery(() =>
      merged ? stateFrame(merged.changes, merged.data) : events.map((event) => eventFrame(epoch, event)).join(''),
    );
    for (const subscriber of topic.subscribers) subscriber.batch(batch, delivery, merged?.changes);
  }

  /** The position the readers of a session have been sent; undefined without readers. */
  position(session: string): Position | undefined {
    return this.#topics.get(session);
  }

  /** Notes that the readers of a session were given a new beginning at this position. */
  moved(session: string, epoch: string, seq: number): void {
    const topic = this.#topics.get(session);
    if (topic) Object.assign(topic, { epoch, seq });
  }

  /** Every reader over HTTP, with its session. */
  remote(): Map<Subscriber, string> {
    const found = new Map<Subscriber, string>();
    for (const [session, { subscribers }] of this.#topics) {
      for (const subscriber of subscribers) if (subscriber.remote) found.set(subscriber, session);
    }
    return found;
  }

  /** Ends every stream over HTTP. */
  endRemote(end: End | undefined): void {
    this.#end(end, (subscriber) => subscriber.remote);
  }

  /** Ends every stream and the heartbeat. */
  close(end: End | undefined): void {
    this.#stopHeartbeat();
    this.#end(end, () => true);
  }

  #end(end: End | undefined, which: (subscriber: Subscriber) => boolean): void {
    for (const [session, { subscribers }] of this.#topics) {
      for (const subscriber of [...subscribers].filter(which)) {
        subscriber.close(end);
        this.remove(session, subscriber);
      }
    }
  }

  #heartbeat(): void {
    const at = this.#clock.now();
    for (const [session, { epoch, seq, subscribers }] of this.#topics) {
      if (this.#watch?.sure(session) === false) continue;
      const event: Heartbeat = { type: 'heartbeat', epoch, seq, at };
      const delivery = new Delivery(() => controlFrame(event));
      for (const subscriber of subscribers) subscriber.heartbeat(event, delivery);
    }
  }
}
