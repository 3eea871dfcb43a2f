import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { End, Heartbeat } from '@sitrep/schema/wire';
import { Delivery } from '../gateway/delivery.ts';
import { controlFrame, eventFrame } from '../gateway/frames.ts';
import type { Opening, Subscriber } from '../gateway/hub.ts';
import type { Batch } from '../gateway/writer.ts';

/** What a stream's headers say: it is one, nobody may keep or change it, and a proxy must pass it on at once. */
export const STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** The end of a stream whose token has expired: its reader may come back with a new one. */
export const EXPIRED = Object.freeze({ type: 'end', reason: 'token_expired' } as const);

/** Asks an EventSource to come back after two seconds. */
const RETRY = new Delivery(() => 'retry: 2000\n\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** Milliseconds a connection may take to read its last bytes. */
const LINGER_MS = 1_000;

/** Options of one stream. */
export interface SseClientOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that may wait for this reader in this process, beside what its connection is busy with. */
  readonly bufferLimit: number;
  /** Milliseconds it may take nothing at all before it is cut off. */
  readonly slowMs: number;
  /** When its token expires, epoch milliseconds: nothing is replayed after that. Without one it never does. */
  readonly expiresAt: number | undefined;
  /** Asked for the state as it is once a reader that was too slow has taken what was on its way; `mark` to say so with `resync`. */
  readonly catchUp: (client: SseClient, mark: boolean) => void;
  /** Told what a reader that is too slow came to. */
  readonly counts: SlowCounts;
}

/** What became of readers that were too slow. */
export interface SlowCounts {
  /** How often what waited was replaced by the state as it is. */
  coalesced: number;
  /** How often that had to be marked, because it happened again and again. */
  resynced: number;
  /** How many were cut off. */
  cut: number;
}

/**
 * One reader over HTTP. Bytes shared by all readers go straight to the socket, already chunked. While a connection is busy
 * what follows waits, as references to the same bytes. When that is too much it is let go, and once the reader has taken
 * what was on its way it is sent the newest of everything instead, a snapshot; when that happens again before the next
 * quiet heartbeat, a `resync` says so. A reader that takes nothing at all is cut off after a while.
 */
export class SseClient implements Subscriber {
  readonly remote = true;
  readonly #response: ServerResponse;
  readonly #options: SseClientOptions;
  #socket: Socket | undefined;
  #waiting: Delivery[] = [];
  #waitingBytes = 0;
  /** True when what waited was let go and the state has to be sent instead. */
  #missed = false;
  /** True when the state was sent instead of events since the last heartbeat that found it idle. */
  #slow = false;
  /** Since when it has taken nothing, by the heartbeats. */
  #stuckSince: number | undefined;

  constructor(response: ServerResponse, options: SseClientOptions) {
    this.#response = response;
    this.#options = options;
  }

  open(opening: Opening): void {
    const first = this.#socket === undefined;
    if (first) this.#start();
    const { at } = opening.resumed ? opening.heartbeat : opening.snapshot;
    // The token was checked when the request came; reading the store takes time, and so does a reader that is slow.
    if (at >= (this.#options.expiresAt ?? Infinity)) return this.close(EXPIRED);
    this.#forget();
    // Beginnings must not pile up for a reader that does not take them: it gets the newest once it has taken this one.
    this.#missed = !first && this.#socket?.writableNeedDrain === true;
    if (this.#missed) return;
    this.#socket?.cork();
    if (first) this.#write(RETRY);
    if (opening.resumed) {
      const { epoch, events, heartbeat } = opening;
      this.#write(new Delivery(() => events.map((event) => eventFrame(epoch, event)).join('') + controlFrame(heartbeat)));
    } else {
      const { resync, delivery } = opening;
      if (resync) this.#write(new Delivery(() => controlFrame(resync)));
      this.#write(delivery);
    }
    this.#socket?.uncork();
  }

  batch(_batch: Batch, delivery: Delivery): void {
    if (this.#missed) return;
    if (!this.#busy) return this.#write(delivery);
    this.#waitingBytes += delivery.chunk.length;
    if (this.#waitingBytes <= this.#options.bufferLimit) {
      this.#waiting.push(delivery);
      return;
    }
    this.#forget();
    this.#missed = true;
  }

  heartbeat(event: Heartbeat, delivery: Delivery): void {
    if (!this.#busy) {
      this.#slow = false;
      this.#stuckSince = undefined;
      return this.#write(delivery);
    }
    this.#stuckSince ??= event.at;
    if (event.at - this.#stuckSince < this.#options.slowMs) return;
    this.#options.counts.cut += 1;
    this.#socket?.destroy();
  }

  close(end: End | undefined, retryMs?: number): void {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    for (const delivery of this.#waiting) this.#write(delivery);
    this.#forget();
    if (retryMs !== undefined) this.#write(new Delivery(() => `retry: ${retryMs}\n\n`));
    if (end && !this.#missed) this.#write(new Delivery(() => controlFrame(end)));
    if (this.#response.chunkedEncoding) socket.write(LAST_CHUNK);
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  /** True while the connection has not taken what it was given last. */
  get #busy(): boolean {
    return this.#missed || this.#waiting.length > 0 || this.#socket?.writableNeedDrain === true;
  }

  #start(): void {
    this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
    this.#response.flushHeaders();
    this.#socket = this.#response.socket ?? undefined;
    this.#socket?.setNoDelay(true);
    this.#socket?.setTimeout(0);
    this.#socket?.on('drain', () => this.#drained());
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #write(delivery: Delivery): void {
    if (this.#socket?.writable) this.#socket.write(this.#response.chunkedEncoding ? delivery.chunk : delivery.plain);
  }

  #drained(): void {
    this.#stuckSince = undefined;
    if (this.#missed) {
      this.#options.counts[this.#slow ? 'resynced' : 'coalesced'] += 1;
      this.#options.catchUp(this, this.#slow);
      this.#slow = true;
      return;
    }
    let written = 0;
    while (written < this.#waiting.length && this.#socket?.writableNeedDrain === false) {
      const delivery = this.#waiting[written] as Delivery;
      this.#waitingBytes -= delivery.chunk.length;
      this.#write(delivery);
      written += 1;
    }
    this.#waiting.splice(0, written);
  }
}
