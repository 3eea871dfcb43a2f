import type { SourceSink, Source } from './source.ts';
import { guardSink } from './guard.ts';
import { Attempts } from './attempts.ts';
import type { Ending } from './attempts.ts';
import { eventSize } from './connect-options.ts';
import type { ConnectOptions } from './connect-options.ts';
import { deliverText, goodbye, parse } from './frame-text.ts';
import type { Goodbye } from './frame-text.ts';
import { judgeAnswer } from './http-answer.ts';
import { readBody } from './read-body.ts';
import { fetchUnlessAborted, fixedHeaders, headersFor, needUrl } from './request-headers.ts';
import type { GivenHeaders } from './request-headers.ts';
import { clampRetry } from './retry-policy.ts';
import type { SseMessage } from './sse-parser.ts';
import { createSseParser } from './sse-parser.ts';
import { withQuery } from './address.ts';

export interface SseSourceOptions extends ConnectOptions {
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
}

/** Control characters, which the standard allows in an id and HTTP forbids in a header. */
const UNSENDABLE = /[^ -~\u0080-\u{10FFFF}]/u;

/**
 * A source over Server-Sent Events, by `fetch`. Each event's data is one JSON frame; its own `id` is the frame's cursor.
 *
 * - Resume: each request carries what `sink.cursor()` says at that moment, as `Last-Event-ID` or `?cursor=`.
 * - Reconnect: after a clean close that followed at least one event, exactly after `retry:`; after anything else by
 *   exponential backoff with full jitter, without end. `Retry-After` is waited for. Coming back online or into view cuts
 *   a wait short, unless the server had asked for it.
 * - Online again: what is connected, or waits for an answer, may be dead without a word, and is begun anew at once.
 * - Token expired: an event named `end` whose reason is `token_expired` is no end; it asks again, with fresh
 *   headers where they are a function.
 * - Shutting down: one whose reason is `shutdown` is no end either; it asks again, like after a failure.
 * - Stop: 204 and any other event named `end` give `ended`; a 4xx other than 408, 425 and 429 gives `lost`.
 * - An answer of another content type is let go and tried again, at least 5 s later.
 * - Silence: see `heartbeatInterval`. Comments do not count as a sign of life, events of any name do.
 * - A hidden page keeps its stream.
 * - Frames that are no JSON, are too large, or make the sink throw become diagnostics; the next one is read. An event
 *   with empty data moves the position and brings no frame.
 *
 * Diagnostic codes: `network`, `token_expired`, `shutdown`, `http_status`, `content_type`, `watchdog`, `json`, `too_large`, `cursor`, `sink`.
 *
 * @throws TypeError without an url or if fixed `headers` cannot be sent, RangeError if `maxEventSize` is below 1,024 or no number.
 */
export function createSseSource(options: SseSourceOptions): Source {
  needUrl('createSseSource', options);
  const headers = fixedHeaders(options.headers);
  const maxEventSize = eventSize(options);
  return { open: (sink, signal) => new SseOpening({ ...options, headers, maxEventSize }, guardSink(sink, signal), signal).run() };
}

/** One opening of the source: everything that lives across its reconnects. */
class SseOpening {
  readonly #options: SseSourceOptions & { readonly maxEventSize: number };
  readonly #sink: SourceSink;
  readonly #attempts: Attempts;
  /** The transport's own position, and the last one that came with a frame. */
  #lastId: string | undefined;
  #frameId: string | undefined;

  constructor(options: SseSourceOptions & { readonly maxEventSize: number }, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#attempts = new Attempts(sink, signal, options, typeof options.headers === 'function');
  }

  run(): Promise<void> {
    return this.#attempts.run((signal) => this.#connect(signal));
  }

  async #connect(signal: AbortSignal): Promise<Ending> {
    const response = await this.#request(signal);
    return (
      judgeAnswer(response, 'an event stream', (type) => type === 'text/event-stream', this.#attempts) ??
      (await this.#read(response.body!, signal))
    );
  }

  async #request(signal: AbortSignal): Promise<Response> {
    const { url, headers: given, credentials, cursorIn } = this.#options;
    const headers = await headersFor(given, signal);
    headers.set('accept', 'text/event-stream');
    const cursor = this.#cursor() || undefined;
    if (cursor && cursorIn !== 'query') this.#sendCursor(headers, cursor);
    return fetchUnlessAborted(this.#options.fetch ?? fetch, withQuery(url, { cursor: cursorIn === 'query' ? cursor : undefined }), {
      headers,
      signal,
      cache: 'no-store',
      ...(credentials && { credentials }),
    });
  }

  #sendCursor(headers: Headers, cursor: string): void {
    // A header is bytes: UTF-8, as the standard has it for ids beyond Latin-1.
    if (!UNSENDABLE.test(cursor)) return headers.set('last-event-id', String.fromCharCode(...new TextEncoder().encode(cursor)));
    this.#sink.diagnostic({
      code: 'cursor',
      message: 'The cursor cannot be sent; it was left out.',
    });
  }

  /** The sink's position, or the transport's where that moved on without a frame. */
  #cursor(): string | undefined {
    const told = this.#sink.cursor();
    return told !== undefined && told === this.#frameId ? this.#lastId : told;
  }

  async #read(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Ending> {
    this.#attempts.accepted();
    let events = 0;
    let seen = 0;
    let beats = 0;
    let over: Goodbye | undefined;
    const parser = createSseParser({
      maxEventSize: this.#options.maxEventSize,
      onMessage: (message) => {
        if (over) return;
        events++;
        if (message.event === 'heartbeat') beats++;
        else if (message.event === 'end') over = goodbye(parse(message.data)?.value);
        // What follows an end that is none in the same piece of bytes is not taken, and neither is that end.
        if (over && over !== 'ended') this.#lastId = parser.lastId ?? this.#lastId;
        else this.#deliver(message);
      },
      onRetry: (ms) => {
        this.#attempts.retry = clampRetry(ms);
      },
      onTooLarge: (what, most) =>
        this.#sink.diagnostic({ code: 'too_large', message: `The ${what} of a message has more than ${most} characters; it was skipped.` }),
    });
    const take = (portion: Uint8Array) => {
      parser.feed(portion);
      if (!over || over === 'ended') this.#lastId = parser.lastId ?? this.#lastId;
      return over;
    };
    const taken = (): void => {
      if (events === seen) return;
      this.#attempts.heard(beats > 0);
      seen = events;
      beats = 0;
    };
    const result = await readBody(body, take, taken, this.#attempts.clock, signal);
    if (result) return this.#attempts.dismissed(result, events > 1);
    if (events > 0) return { wait: this.#attempts.retry, wakeable: false };
    return this.#attempts.fail('network', 'The stream ended before any event.');
  }

  #deliver({ data, id }: SseMessage): void {
    if (data === '') return;
    if (deliverText(this.#sink, data, id || undefined) && id) this.#frameId = id;
  }
}
