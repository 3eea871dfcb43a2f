import type { Source, SourceSink } from '@sitrep/client';
import type { GatewayCore } from '../../../packages/server/dist/gateway/gateway.js';
import type { Subscriber } from '../../../packages/server/dist/gateway/read/hub.js';
import { parseCursor } from '../../../packages/server/dist/gateway/read/cursor.js';
import type { Time } from './clock.ts';

/** Milliseconds between a connection that ended and the next try. */
const REDIAL_MS = 250;

/** What is on its way: an event as text with its cursor, or the end of the connection. */
type Frame = { readonly text: string; readonly cursor: string | undefined } | 'closed';

/** What a link is part of. */
export interface Net {
  readonly time: Time;
  readonly session: string;
  /** The gateway as it is now. */
  gateway(): GatewayCore;
  /** Told after every frame. */
  delivered(): void;
}

/**
 * One reader's connection to the gateway. Everything the gateway says to it waits in a queue, where the network may do to it
 * what it likes; nothing gets through until it is delivered.
 */
export class Link implements Source {
  readonly #net: Net;
  #sink: SourceSink | undefined;
  #connection: { readonly gateway: GatewayCore; readonly subscriber: Subscriber } | undefined;
  #queue: Frame[] = [];
  /** True once the end of the connection is on its way: nothing comes after it. */
  #ended = false;
  #redial: unknown;
  /** Where the reader stands once it has got everything that was delivered on this connection. */
  #at: string | undefined;

  constructor(net: Net) {
    this.#net = net;
  }

  open(sink: SourceSink, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', () => {
        this.#hangUp();
        this.#sink = undefined;
        resolve();
      });
      this.#sink = sink;
      sink.connection('connecting');
      this.#dial();
    });
  }

  /** Frames on their way. */
  get waiting(): number {
    return this.#queue.length;
  }

  deliver(count: number): void {
    for (let left = count; left > 0 && this.#queue.length > 0; left--) {
      const frame = this.#queue.shift()!;
      const sink = this.#sink;
      if (frame === 'closed') this.cut();
      else if (sink) {
        this.#at = frame.cursor ?? this.#at;
        if (sink.text?.(frame.text, frame.cursor) !== true) sink.frame(JSON.parse(frame.text), frame.cursor);
        this.#net.delivered();
      }
    }
  }

  /** Something happens to what is on its way. The end of a connection is no frame and stays where it is. */
  spoil(how: 'double' | 'drop' | 'swap' | 'late', at: number): void {
    const frames = this.#queue.at(-1) === 'closed' ? this.#queue.length - 1 : this.#queue.length;
    if (at >= frames) return;
    const frame = this.#queue[at]!;
    if (how === 'double') this.#queue.splice(at, 0, frame);
    else this.#queue.splice(at, 1);
    if (how === 'swap') this.#queue.splice(Math.min(at + 1, frames - 1), 0, frame);
    else if (how === 'late') this.#queue.splice(frames - 1, 0, frame);
  }

  /** The connection ends and what was on its way is lost. */
  cut(): void {
    const sink = this.#sink;
    if (!sink || this.#redial !== undefined) return;
    this.#hangUp();
    sink.connection('reconnecting');
    // Told of it, the sink may have closed this source.
    if (this.#sink === sink) this.#again();
  }

  /** The gateway is gone: what is on its way arrives, and then the connection ends. */
  gone(): void {
    if (this.#connection && !this.#ended) this.#end();
  }

  /**
   * The gateway finds this reader too slow: what it was not sent yet is let go, and it is given the newest of what changed
   * after that or, with `mark`, the whole state.
   */
  async slow(mark: boolean, sent: number): Promise<void> {
    const { gateway, subscriber } = this.#connection ?? {};
    if (!subscriber || gateway !== this.#net.gateway()) return;
    const closed = this.#queue.at(-1) === 'closed';
    this.#queue = this.#queue.filter((frame, n) => frame !== 'closed' && n < sent);
    const last = this.#queue.findLast((frame) => frame !== 'closed' && frame.cursor !== undefined);
    const at = last === undefined || last === 'closed' ? this.#at : last.cursor;
    if (closed) this.#queue.push('closed');
    await gateway?.catchUp(this.#net.session, subscriber, mark, at === undefined ? undefined : parseCursor(at));
  }

  #end(): void {
    this.#ended = true;
    this.#queue.push('closed');
  }

  #again(): void {
    this.#redial = this.#net.time.reader.setTimeout(() => {
      this.#redial = undefined;
      this.#dial();
    }, REDIAL_MS);
  }

  #hangUp(): void {
    this.#net.time.reader.clearTimeout(this.#redial);
    this.#redial = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#queue = [];
    connection?.gateway.detach(this.#net.session, connection.subscriber);
  }

  #dial(): void {
    const sink = this.#sink;
    if (!sink) return;
    const gateway = this.#net.gateway();
    this.#ended = false;
    const isOpen = (): boolean => this.#connection?.subscriber === subscriber && !this.#ended;
    const say = (event: object, cursor?: string): void => void (isOpen() && this.#queue.push({ text: JSON.stringify(event), cursor }));
    const subscriber: Subscriber = {
      remote: true,
      open: (opening) => {
        if (!isOpen()) return;
        sink.connection('live');
        if (opening.resumed) {
          for (const { data, seq } of opening.events) this.#queue.push({ text: data, cursor: `${opening.epoch}:${seq}` });
          say(opening.heartbeat);
        } else {
          if (opening.resync) say(opening.resync);
          say(opening.snapshot, `${opening.snapshot.epoch}:${opening.snapshot.seq}`);
        }
      },
      batch: ({ epoch, events }, _delivery, changes) => {
        if (changes) say(changes, `${changes.epoch}:${changes.seq}`);
        else if (isOpen()) for (const { data, seq } of events) this.#queue.push({ text: data, cursor: `${epoch}:${seq}` });
      },
      merged: (changes) => say(changes, `${changes.epoch}:${changes.seq}`),
      heartbeat: (event) => say(event),
      close: (end) => {
        if (!isOpen()) return;
        if (end) say(end);
        this.#end();
      },
    };
    this.#connection = { gateway, subscriber };
    const cursor = sink.cursor();
    this.#at = cursor;
    gateway.attach(this.#net.session, cursor, subscriber).then(
      () => void (isOpen() || gateway.detach(this.#net.session, subscriber)),
      // Refused, as while it closes.
      () => void (isOpen() && this.cut()),
    );
  }
}
