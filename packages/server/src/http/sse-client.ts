import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { End, Heartbeat } from '@sitrep/schema/wire';
import { Delivery } from '../gateway/delivery.ts';
import { controlFrame, eventFrame, snapshotFrame } from '../gateway/frames.ts';
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
const RETRY = 'retry: 2000\n\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** Milliseconds a connection may take to read its last bytes. */
const LINGER_MS = 1_000;

/** Options of one stream. */
export interface SseClientOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes that may wait for this reader in this process. */
  readonly bufferLimit: number;
  /** Milliseconds it may be behind before it is cut off. */
  readonly slowMs: number;
  /** When its token expires, epoch milliseconds: nothing is replayed after that. Without one it never does. */
  readonly expiresAt: number | undefined;
  /** Asked for a new beginning once a slow reader has read what was waiting. */
  readonly catchUp: (client: SseClient) => void;
}

/**
 * One reader over HTTP. Bytes shared by all readers go straight to the socket, already chunked. A reader that does not
 * read gets nothing more until it has; then it begins anew from a snapshot, so that what waits for it is bounded.
 */
export class SseClient implements Subscriber {
  readonly remote = true;
  readonly #response: ServerResponse;
  readonly #options: SseClientOptions;
  #socket: Socket | undefined;
  /** Bytes of the last beginning that may still wait: a snapshot may be larger than the limit. */
  #allowance = 0;
  #behind = false;
  #missed = false;
  #behindSince: number | undefined;

  constructor(response: ServerResponse, options: SseClientOptions) {
    this.#response = response;
    this.#options = options;
  }

  open(opening: Opening): void {
    const text = opening.resumed
      ? opening.events.map((event) => eventFrame(opening.epoch, event)).join('') + controlFrame(opening.heartbeat)
      : (opening.resync ? controlFrame(opening.resync) : '') + snapshotFrame(opening.snapshot);
    const first = this.#socket === undefined;
    if (first) this.#start();
    const { at } = opening.resumed ? opening.heartbeat : opening.snapshot;
    // The token was checked when the request came; reading the store takes time, and so does a reader that is slow.
    if (at >= (this.#options.expiresAt ?? Infinity)) return this.close(EXPIRED);
    this.#behind = false;
    this.#missed = false;
    this.#behindSince = undefined;
    this.#write(new Delivery(() => (first ? RETRY + text : text)));
    this.#allowance = this.#socket?.writableLength ?? 0;
  }

  batch(_batch: Batch, delivery: Delivery): void {
    if (this.#behind) this.#missed = true;
    else this.#send(delivery);
  }

  heartbeat(event: Heartbeat, delivery: Delivery): void {
    if (!this.#behind) return this.#send(delivery);
    this.#behindSince ??= event.at;
    if (event.at - this.#behindSince >= this.#options.slowMs) this.#socket?.destroy();
  }

  close(end: End | undefined): void {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    if (end && !this.#behind) this.#write(new Delivery(() => controlFrame(end)));
    if (this.#response.chunkedEncoding) socket.write(LAST_CHUNK);
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  #start(): void {
    this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#options.headers });
    this.#response.flushHeaders();
    this.#socket = this.#response.socket ?? undefined;
    this.#socket?.setNoDelay(true);
    this.#socket?.setTimeout(0);
    this.#socket?.on('drain', () => this.#drained());
  }

  #send(delivery: Delivery): void {
    this.#write(delivery);
    if ((this.#socket?.writableLength ?? 0) > this.#options.bufferLimit + this.#allowance) this.#behind = true;
  }

  #write(delivery: Delivery): void {
    if (this.#socket?.writable) this.#socket.write(this.#response.chunkedEncoding ? delivery.chunk : delivery.plain);
  }

  #drained(): void {
    this.#allowance = 0;
    if (!this.#behind) return;
    if (this.#missed) return this.#options.catchUp(this);
    this.#behind = false;
    this.#behindSince = undefined;
  }
}
