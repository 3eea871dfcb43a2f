import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { End } from '@sitrep/schema/wire';
import { Delivery } from '../gateway/read/delivery.ts';
import { controlFrame, eventFrame } from '../gateway/read/frames.ts';
import { PacedReader } from '../gateway/read/paced-reader.ts';
import type { Encoding, Farewell, PacedReaderOptions, ReaderConnection } from '../gateway/read/paced-reader.ts';

/** What a stream's headers say: it is one, nobody may keep or change it, and a proxy must pass it on at once. */
export const STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
});

/** Asks to come back after a second: what a reader shows is to be true within two of the network's return. */
export const RETRY = new Delivery(() => 'retry: 1000\n\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** Milliseconds a connection may take to read its last bytes. */
const LINGER_MS = 1_000;

/** Server-sent events: bytes that all readers share. */
const SSE: Encoding<Delivery> = {
  size: ({ chunk }) => chunk.length,
  resumed: ({ epoch, events, heartbeat }) =>
    new Delivery(() => events.map((event) => eventFrame(epoch, event)).join('') + controlFrame(heartbeat)),
  snapshot: ({ delivery }) => delivery,
  batch: (_batch, delivery) => delivery,
  changes: (_changes, delivery) => delivery,
  heartbeat: (_event, delivery) => delivery,
  resync: (event) => new Delivery(() => controlFrame(event)),
};

/** A reader of server-sent events. `headers` are sent beside those of every stream. */
export function sseReader(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  options: PacedReaderOptions,
): PacedReader<Delivery> {
  return new PacedReader(new SseConnection(response, headers, controlFrame), SSE, options);
}

/** A reader of frames in a foreign shape: what is not of that shape is a comment. */
export function foreignReader(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding<Delivery>,
  options: PacedReaderOptions,
): PacedReader<Delivery> {
  return new PacedReader(new SseConnection(response, headers, ({ reason }) => `: end ${reason}\n\n`), encoding, options);
}

/**
 * A response that is a stream. Bytes shared by all readers go straight to the socket, already chunked. What is asked of it for each
 * event is kept here: with thousands of readers, to fetch one more object from memory costs as much as to run through all of this.
 */
class SseConnection implements ReaderConnection<Delivery> {
  /** Until the stream has begun: nothing is asked of it afterwards. */
  #response: ServerResponse | undefined;
  readonly #end: (end: End) => string;
  #headers: Readonly<Record<string, string>> | undefined;
  #socket: Socket | undefined;
  #chunked = true;
  /** True from the moment it was given more than it takes at once until it has taken all of it, as far as it was told. */
  #full = false;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>, end: (end: End) => string) {
    this.#response = response;
    this.#headers = headers;
    this.#end = end;
  }

  get busy(): boolean {
    return this.#full && this.#socket?.writableNeedDrain === true;
  }

  get closed(): boolean {
    return this.#socket === undefined || this.#socket.destroyed;
  }

  begin(drained: () => void): void {
    const response = this.#response;
    response?.writeHead(200, { ...STREAM_HEADERS, ...this.#headers });
    response?.flushHeaders();
    this.#chunked = response?.chunkedEncoding === true;
    const socket = (this.#socket = response?.socket ?? undefined);
    this.#response = this.#headers = undefined;
    socket?.setNoDelay(true);
    socket?.setTimeout(0);
    socket?.on('drain', () => {
      this.#full = false;
      drained();
    });
    // Goes out together with the first event.
    socket?.cork();
    // The headers may be more than it takes at once.
    this.#full = socket?.writableNeedDrain === true;
    this.send(RETRY);
    process.nextTick(() => socket?.uncork());
  }

  send(delivery: Delivery): void {
    const socket = this.#socket;
    // An empty chunk would be the last one.
    if (socket === undefined || delivery.empty || !socket.writable) return;
    if (!socket.write(this.#chunked ? delivery.chunk : delivery.plain)) this.#full = true;
  }

  together(send: () => void): void {
    this.#socket?.cork();
    send();
    this.#socket?.uncork();
  }

  finish({ end, retryMs }: Farewell): void {
    const socket = this.#socket;
    if (retryMs !== undefined) this.send(new Delivery(() => `retry: ${retryMs}\n\n`));
    if (end) this.send(new Delivery(() => this.#end(end)));
    if (this.#chunked) socket?.write(LAST_CHUNK);
    socket?.end();
    setTimeout(() => socket?.destroy(), LINGER_MS).unref();
  }

  cut(): void {
    this.#socket?.destroy();
  }
}
