import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { describe } from '../fault.ts';
import { guardSink } from './guard.ts';
import { fetchUnlessAborted, fixedHeaders, headersFor, needUrl } from './request-headers.ts';
import type { GivenHeaders } from './request-headers.ts';
import type { Source, SourceSink } from './source.ts';
import type { SseMessage } from './sse-parser.ts';
import { createSseParser } from './sse-parser.ts';
import { backoff, clampRetry, judgeStatus, RETRY_MIN, retryAfter, WRONG_TYPE_WAIT } from './sse-policy.ts';
import { giveWay, wait } from './wait.ts';
import type { Watchdog } from './watchdog.ts';
import { createWatchdog } from './watchdog.ts';

export interface SseSourceOptions {
  /** Address of the event stream. In a page it may be relative. */
  readonly url: string | URL;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Request headers, or a function that gives them anew for each request, so that a token can be refreshed: after a 401
   * it is asked once more before the source gives up.
   */
  readonly headers?: GivenHeaders;
  /** Default: `same-origin`, as `fetch` has it. */
  readonly credentials?: RequestCredentials | undefined;
  /**
   * Where the cursor travels on a reconnect: in the `Last-Event-ID` header, or as `?cursor=` in the address, which spares
   * a cross-origin reader the preflight request. Default: `header`.
   */
  readonly cursorIn?: 'header' | 'query' | undefined;
  /** First wait before a reconnect until the server says otherwise by `retry:`, milliseconds. Default: 1,000. */
  readonly retryDelay?: number | undefined;
  /** Longest wait between tries that the source chooses by itself, milliseconds. Default: 30,000. */
  readonly maxRetryDelay?: number | undefined;
  /**
   * Expected spacing of the server's `heartbeat` events until it is learnt, milliseconds. After 2.5 times that long
   * without any event the connection counts as dead, also while waiting for the response. `Infinity` for a server that
   * sends no heartbeats. Default: 15,000.
   */
  readonly heartbeatInterval?: number | undefined;
  /** Largest data of one event, UTF-16 code units, at least 1,024. Larger ones are skipped. Default: 16,777,216. */
  readonly maxEventSize?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** Gives the jitter: 0 up to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Control characters, which the standard allows in an id and HTTP forbids in a header. */
const UNSENDABLE = /[^ -~\u0080-\u{10FFFF}]/u;

/** Work on arrived bytes after which the thread is given back, so that a burst does not hold up painting and input, milliseconds. */
const BREATH = 12;
/** Bytes worked on between two looks at the clock. */
const PORTION = 65_536;

/** True for the data of an `end` that only says that the token has expired. */
function isExpiry(data: string): boolean {
  try {
    return (JSON.parse(data) as { reason?: unknown } | null)?.reason === 'token_expired';
  } catch {
    return false;
  }
}

/** How one connection ended: nothing more comes, given up, or try again after so many milliseconds. */
type Ending = 'ended' | 'lost' | { readonly wait: number; readonly wakeable: boolean };

/**
 * A source over Server-Sent Events, by `fetch`. Each event's data is one JSON frame; its own `id` is the frame's cursor.
 *
 * - Resume: each request carries what `sink.cursor()` says at that moment, as `Last-Event-ID` or `?cursor=`.
 * - Reconnect: after a clean close that followed at least one event, exactly after `retry:`; after anything else by
 *   exponential backoff with full jitter, without end. `Retry-After` is waited for. Coming back online or into view cuts
 *   a wait short, unless the server had asked for it.
 * - Token expired: an event named `end` whose reason is `token_expired` is no end; it asks again, with fresh
 *   headers where they are a function.
 * - Stop: 204 and any other event named `end` give `ended`; a 4xx other than 408, 425 and 429 gives `lost`.
 * - An answer of another content type is let go and tried again, at least 5 s later.
 * - Silence: see `heartbeatInterval`. Comments do not count as a sign of life, events of any name do.
 * - A hidden page keeps its stream.
 * - Frames that are no JSON, are too large, or make the sink throw become diagnostics; the next one is read. An event
 *   with empty data moves the position and brings no frame.
 *
 * Diagnostic codes: `network`, `token_expired`, `http_status`, `content_type`, `watchdog`, `json`, `too_large`, `cursor`, `sink`.
 *
 * @throws TypeError without an url or if fixed `headers` cannot be sent, RangeError if `maxEventSize` is below 1,024 or no number.
 */
export function createSseSource(options: SseSourceOptions): Source {
  needUrl('createSseSource', options);
  const headers = fixedHeaders(options.headers);
  if (options.maxEventSize !== undefined && !(options.maxEventSize >= 1024)) {
    throw new RangeError('maxEventSize must be a number of at least 1024 characters.');
  }
  return { open: (sink, signal) => new SseConnection({ ...options, headers }, guardSink(sink, signal), signal).run() };
}

/** One opening of the source: everything that lives across its reconnects. */
class SseConnection {
  readonly #options: SseSourceOptions;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #watchdog: Watchdog;
  #retry: number;
  /** Tries in a row that brought no event. */
  #failures = 0;
  /** True after a 401 that a fresh token might heal. */
  #refreshed = false;
  /** The transport's own position, and the last one that came with a frame. */
  #lastId: string | undefined;
  #frameId: string | undefined;

  constructor(options: SseSourceOptions, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#clock = options.clock ?? systemClock;
    this.#watchdog = createWatchdog(this.#clock, options.heartbeatInterval ?? 15_000);
    this.#retry = clampRetry(options.retryDelay ?? 1_000);
  }

  async run(): Promise<void> {
    this.#sink.connection('connecting');
    while (!this.#signal.aborted) {
      const ending = await this.#connect();
      if (typeof ending === 'string') return this.#sink.connection(ending);
      this.#sink.connection('reconnecting');
      if (ending.wait > 0) await wait(this.#clock, ending.wait, this.#signal, ending.wakeable);
    }
  }

  /** One request from start to end. Never rejects; whatever way it ends, socket and timer are let go. */
  async #connect(): Promise<Ending> {
    const controller = new AbortController();
    const abort = () => controller.abort();
    let silent = false;
    this.#signal.addEventListener('abort', abort);
    this.#watchdog.arm(() => {
      silent = true;
      abort();
    });
    try {
      const response = await this.#request(controller.signal);
      return this.#judge(response) ?? (await this.#read(response, controller.signal));
    } catch (error) {
      if (silent) return this.#fail('watchdog', 'No event arrived for 2.5 heartbeat intervals; the connection counts as dead.');
      return this.#fail('network', `The connection failed: ${describe(error)}.`);
    } finally {
      this.#watchdog.disarm();
      this.#signal.removeEventListener('abort', abort);
      abort();
    }
  }

  async #request(signal: AbortSignal): Promise<Response> {
    const { url, headers: given, credentials, cursorIn } = this.#options;
    const headers = await headersFor(given, signal);
    headers.set('accept', 'text/event-stream');
    let address = String(url);
    const cursor = this.#cursor();
    if (cursor && cursorIn === 'query') {
      const [base = '', hash] = address.split('#', 2);
      address = `${base}${base.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor })}${hash === undefined ? '' : `#${hash}`}`;
    } else if (cursor && UNSENDABLE.test(cursor)) {
      this.#sink.diagnostic({
        code: 'cursor',
        message: 'The cursor holds control characters, which no header can carry; it was left out.',
      });
    } else if (cursor) {
      // A header is bytes: UTF-8, as the standard has it for ids beyond Latin-1.
      headers.set('last-event-id', String.fromCharCode(...new TextEncoder().encode(cursor)));
    }
    return fetchUnlessAborted(this.#options.fetch ?? fetch, address, {
      headers,
      signal,
      cache: 'no-store',
      ...(credentials && { credentials }),
    });
  }

  /** The sink's position, or the transport's where that moved on without a frame. */
  #cursor(): string | undefined {
    const told = this.#sink.cursor();
    return told !== undefined && told === this.#frameId ? this.#lastId : told;
  }

  /** How to go on by status and content type; undefined to read the body. */
  #judge(response: Response): Ending | undefined {
    const { status, headers, body } = response;
    const verdict = judgeStatus(status);
    const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (verdict === 'ended') return 'ended';
    if (verdict === 'read' && type === 'text/event-stream' && body) return undefined;
    body?.cancel().catch(() => {});
    if (verdict === 'lost') {
      if (status === 401 && typeof this.#options.headers === 'function' && !this.#refreshed) {
        this.#refreshed = true;
        return { wait: 0, wakeable: false };
      }
      this.#sink.diagnostic({ code: 'http_status', status, message: `The server answered ${status}; it will not be asked again.` });
      return 'lost';
    }
    if (verdict === 'again') {
      return this.#fail('http_status', `The server answered ${status}.`, {
        status,
        asked: retryAfter(headers.get('retry-after'), this.#clock.now()),
      });
    }
    return this.#fail('content_type', `The answer is no event stream but ${body ? type || 'of no type' : 'empty'}.`, {
      status,
      least: WRONG_TYPE_WAIT,
    });
  }

  async #read(response: Response, signal: AbortSignal): Promise<Ending> {
    this.#sink.connection('live');
    this.#refreshed = false;
    let events = 0;
    let beats = 0;
    let ended = false;
    let expired = false;
    const parser = createSseParser({
      maxEventSize: this.#options.maxEventSize ?? 16_777_216,
      onMessage: (message) => {
        if (ended || expired) return;
        events++;
        if (message.event === 'heartbeat') beats++;
        else if (message.event === 'end' && isExpiry(message.data)) {
          expired = true;
          // What follows it in the same piece of bytes was not taken.
          this.#lastId = parser.lastId ?? this.#lastId;
          return;
        } else if (message.event === 'end') ended = true;
        this.#deliver(message);
      },
      onRetry: (ms) => {
        this.#retry = clampRetry(ms);
      },
      onTooLarge: (message) => this.#sink.diagnostic({ code: 'too_large', message }),
    });
    const reader = response.body!.getReader();
    const cancel = () => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', cancel);
    try {
      for (let busy = 0; ;) {
        const { done, value } = await reader.read();
        if (signal.aborted) throw signal.reason;
        if (done) break;
        const seen = events;
        beats = 0;
        for (let at = 0; at < value.length; at += PORTION) {
          // What has arrived already comes in large pieces and without leaving the microtask queue.
          if (busy > BREATH) {
            busy = 0;
            await giveWay(this.#clock, signal);
            if (signal.aborted) throw signal.reason;
          }
          const began = this.#clock.now();
          parser.feed(value.subarray(at, at + PORTION));
          busy += Math.max(this.#clock.now() - began, 0);
          if (!expired) this.#lastId = parser.lastId ?? this.#lastId;
          if (ended) return 'ended';
          // A stream that says nothing else has no better news next time.
          if (expired) return events > 1 ? { wait: RETRY_MIN, wakeable: false } : this.#fail('token_expired', 'The token has expired.');
        }
        if (events > seen) {
          this.#failures = 0;
          this.#watchdog.beat(beats > 0);
        }
      }
    } finally {
      signal.removeEventListener('abort', cancel);
      cancel();
    }
    if (events > 0) return { wait: this.#retry, wakeable: false };
    return this.#fail('network', 'The server closed the stream before any event.');
  }

  #deliver({ data, id }: SseMessage): void {
    if (data === '') return;
    if (this.#sink.text?.(data, id || undefined)) {
      if (id) this.#frameId = id;
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return this.#sink.diagnostic({
        code: 'json',
        message: `The data of an event (${data.length} characters) is not JSON; it was skipped.`,
      });
    }
    if (id) this.#frameId = id;
    this.#sink.frame(value, id || undefined);
  }

  #fail(code: string, what: string, how: { status?: number; asked?: number | undefined; least?: number } = {}): Ending {
    const { status, asked, least = 0 } = how;
    const { maxRetryDelay = 30_000, random = Math.random } = this.#options;
    const delay = Math.max(backoff(++this.#failures, this.#retry, maxRetryDelay, random), asked ?? 0, least);
    this.#sink.diagnostic({ code, message: `${what} Trying again in ${Math.round(delay)} ms.`, ...(status !== undefined && { status }) });
    return { wait: delay, wakeable: asked === undefined };
  }
}
