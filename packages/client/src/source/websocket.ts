import { withQuery } from './address.ts';
import { Attempts } from './attempts.ts';
import type { Ending } from './attempts.ts';
import { eventSize } from './connect-options.ts';
import type { ConnectOptions } from './connect-options.ts';
import { deliverText } from './frame-text.ts';
import { guardSink } from './guard.ts';
import { needUrl } from './request-headers.ts';
import { judgeClose } from './socket-close.ts';
import { readMessage } from './socket-message.ts';
import type { SocketMeaning } from './socket-message.ts';
import type { Source, SourceSink } from './source.ts';
import { unlessAborted } from './wait.ts';

/** What a source needs of a WebSocket: that of the platform, of `ws`, or of anything alike. */
export interface WebSocketLike {
  readonly protocol: string;
  addEventListener(type: string, listener: (event: never) => void): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
  close(code?: number, reason?: string): void;
}

/** Gives something anew for each connection. */
export type GivenText = string | (() => string | Promise<string>) | undefined;

export interface WebSocketSourceOptions extends ConnectOptions {
  /** Address of the socket; `http:` and `https:` stand for `ws:` and `wss:`. In a page it may be relative. */
  readonly url: string | URL;
  /**
   * A token, or a function that gives it anew for each connection: it travels as a subprotocol, the only header a page can
   * set. After a refusal it is asked for once more before the source gives up.
   */
  readonly token?: GivenText;
  /** A one-use ticket, in the address; a function, since each connection needs its own. */
  readonly ticket?: (() => string | Promise<string>) | undefined;
  /** Subprotocols to offer. Default: `['sitrep.v1']`. */
  readonly protocols?: readonly string[] | undefined;
  /** Makes the socket; for headers, say, where the platform has no way to send any. Default: `new WebSocket(url, protocols)`. */
  readonly connect?: ((url: string, protocols: string[]) => WebSocketLike) | undefined;
}

/** The subprotocol of our gateway, which tells in the close code what a page cannot see otherwise. */
const PROTOCOL = 'sitrep.v1';
const TOKEN_PROTOCOL = 'sitrep.bearer.';
/** What is handed on, though it means something to the source. */
const TAKEN: ReadonlySet<SocketMeaning> = new Set(['heartbeat', 'ended']);

/**
 * A source over a WebSocket that only reads. A message is `{"cursor": "…", "event": {…}}`, as our gateway sends it; any other
 * JSON is a frame without a cursor, a list is several.
 *
 * - Resume: each connection carries what `sink.cursor()` says at that moment as `?cursor=`.
 * - Reconnect: after a clean close (1000, 1001, 1005, 1012, 1013) that followed a message, after `retryDelay`; after anything
 *   else by exponential backoff with full jitter, without end. `retry=<ms>` in the reason of a close is waited for. Coming back
 *   online or into view cuts a wait short, unless the server had asked for it.
 * - Close codes 4400 to 4599 are HTTP statuses and judged like them: 4400, 4403 and their like give `lost`, 4401 asks for a
 *   fresh token or ticket once before, 4429 and 45xx are tried again.
 * - Online again: what is connected, or waits for an answer, may be dead without a word, and is begun anew at once.
 * - Stop: an event of type `end` gives `ended`, unless its reason is `token_expired`, then it comes back with a fresh token, or
 *   `shutdown`, then it comes back like after a failure.
 * - Silence: see `heartbeatInterval`. Any message is a sign of life.
 * - `live` with the first message of our gateway, which says at once where it goes on; of any other server when it is open.
 * - Messages that are no JSON or no text, are too large, or make the sink throw become diagnostics; the next one is read.
 *
 * Diagnostic codes: `network`, `token_expired`, `shutdown`, `http_status`, `watchdog`, `json`, `too_large`, `sink`.
 *
 * @throws TypeError without an url, RangeError if `maxEventSize` is below 1,024 or no number.
 */
export function createWebSocketSource(options: WebSocketSourceOptions): Source {
  needUrl('createWebSocketSource', options);
  const maxEventSize = eventSize(options);
  return { open: (sink, signal) => new SocketOpening({ ...options, maxEventSize }, guardSink(sink, signal), signal).run() };
}

/** One opening of the source: everything that lives across its reconnects. */
class SocketOpening {
  readonly #options: WebSocketSourceOptions & { readonly maxEventSize: number };
  readonly #sink: SourceSink;
  readonly #attempts: Attempts;

  constructor(options: WebSocketSourceOptions & { readonly maxEventSize: number }, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#attempts = new Attempts(sink, signal, options, typeof options.token === 'function' || options.ticket !== undefined);
  }

  run(): Promise<void> {
    return this.#attempts.run((signal) => this.#connect(signal));
  }

  async #connect(signal: AbortSignal): Promise<Ending> {
    const { url, token, ticket, protocols = [PROTOCOL], connect = platformSocket } = this.#options;
    const [bearer, once] = await unlessAborted(Promise.all([given(token), given(ticket)]), signal);
    const address = withQuery(url, { cursor: this.#sink.cursor() || undefined, ticket: once });
    const socket = connect(socketAddress(address), [...protocols, ...(bearer === undefined ? [] : [`${TOKEN_PROTOCOL}${bearer}`])]);
    return this.#read(socket, signal);
  }

  #read(socket: WebSocketLike, signal: AbortSignal): Promise<Ending> {
    return new Promise<Ending>((resolve, reject) => {
      let messages = 0;
      let fault = '';
      let open = false;
      const leave = (): void => {
        for (const [type, listener] of listeners) socket.removeEventListener(type, listener);
        signal.removeEventListener('abort', abort);
        // What fails from now on is nobody's business; some sockets throw an error that nobody listens to.
        socket.addEventListener('error', () => {});
        letGo(socket);
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const over = (ending: Ending): void => {
        leave();
        resolve(ending);
      };
      const opened = (): void => {
        open = true;
        if (socket.protocol !== PROTOCOL) this.#attempts.accepted();
      };
      const heard = ({ data }: { readonly data: unknown }): void => {
        messages += 1;
        if (messages === 1) this.#attempts.accepted();
        const type = this.#take(data, socket.protocol === PROTOCOL);
        // The sink may have ended it all.
        if (signal.aborted) return;
        if (type && type !== 'heartbeat') return over(this.#attempts.dismissed(type, messages > 1));
        this.#attempts.heard(type === 'heartbeat');
      };
      const closed = ({ code, reason }: { readonly code: number; readonly reason: unknown }): void => {
        over(judgeClose({ code, reason: String(reason), fault, messages, opened: open, retry: this.#attempts.retry }, this.#attempts));
      };
      const failed = ({ message }: { readonly message?: unknown }): void => {
        if (typeof message === 'string') fault = message;
      };
      const listeners = [
        ['open', opened],
        ['message', heard],
        ['close', closed],
        ['error', failed],
      ] as const;
      for (const [type, listener] of listeners) socket.addEventListener(type, listener);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  /** Hands on what a message holds; answers its type where that means something to the source. */
  #take(data: unknown, ours: boolean): SocketMeaning | undefined {
    const { maxEventSize } = this.#options;
    if (typeof data !== 'string') {
      this.#sink.diagnostic({ code: 'json', message: 'A message of the socket is not text; it was skipped.' });
      return undefined;
    }
    if (data.length > maxEventSize) {
      this.#sink.diagnostic({ code: 'too_large', message: `A message is larger than ${maxEventSize} characters; it was skipped.` });
      return undefined;
    }
    const message = readMessage(data, ours);
    if (message === undefined) {
      deliverText(this.#sink, data, undefined);
      return undefined;
    }
    if ('json' in message) deliverText(this.#sink, message.json, message.cursor);
    else if (!message.means || TAKEN.has(message.means)) for (const frame of message.frames) this.#sink.frame(frame, message.cursor);
    return 'means' in message ? message.means : undefined;
  }
}

async function given(text: GivenText): Promise<string | undefined> {
  return typeof text === 'function' ? text() : text;
}

/** An absolute `ws:` or `wss:` address: not every platform knows what to make of another one. */
function socketAddress(address: string): string {
  const base = globalThis.document?.baseURI ?? (globalThis.location as Location | undefined)?.href;
  const url = new URL(address, base);
  if (url.protocol === 'http:' || url.protocol === 'https:') url.protocol = url.protocol.replace('http', 'ws');
  url.hash = '';
  return url.href;
}

function platformSocket(url: string, protocols: string[]): WebSocketLike {
  const { WebSocket: Platform } = globalThis as { WebSocket?: new (url: string, protocols: string[]) => unknown };
  if (Platform === undefined) throw new TypeError('This platform has no WebSocket: give one with the option connect');
  return new Platform(url, protocols) as WebSocketLike;
}

/** Closes a socket without waiting for the other end's goodbye, where that is possible. */
function letGo(socket: WebSocketLike): void {
  try {
    socket.close(1000);
    (socket as { terminate?: () => void }).terminate?.();
  } catch {
    // It is closed already.
  }
}
