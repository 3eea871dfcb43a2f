import type { Clock } from '../clock.ts';
import { Attempts } from './attempts.ts';
import type { Again, Ending } from './attempts.ts';
import { guardSink } from './guard.ts';
import { judgeAnswer } from './http-answer.ts';
import { fetchUnlessAborted, fixedHeaders, headersFor, needUrl } from './request-headers.ts';
import type { GivenHeaders } from './request-headers.ts';
import type { Source, SourceSink } from './source.ts';
import { createDeadline } from './watchdog.ts';

export interface PollingSourceOptions {
  /** Address of the JSON, for example that of a session's snapshot. In a page it may be relative. */
  readonly url: string | URL;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Request headers, or a function that gives them anew for each request; after a 401 it is asked once more. */
  readonly headers?: GivenHeaders;
  /** Default: `same-origin`, as `fetch` has it. */
  readonly credentials?: RequestCredentials | undefined;
  /** Wait between an answer and the next request, milliseconds, at least 250. Default: 5,000. */
  readonly interval?: number | undefined;
  /** Longest wait between tries after failures, milliseconds. Default: 60,000. */
  readonly maxRetryDelay?: number | undefined;
  /** How long one answer may take, body included, milliseconds. `Infinity` for no limit. Default: 15,000. */
  readonly timeout?: number | undefined;
  /** Largest answer, bytes. Larger ones are let go. Default: 16,777,216. */
  readonly maxSize?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** Gives the jitter: 0 up to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Shortest wait between two requests, milliseconds: nobody is asked more than four times a second. */
const SHORTEST = 250;

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json');

/**
 * A source that asks again and again: for servers, proxies and networks that carry no stream. Each answer is one JSON
 * frame, a list is several; usually it is a snapshot. An answer that has not changed (304, or the same text) brings no frame.
 *
 * - Waits: `interval` after an answer; after a failure exponential backoff with full jitter, without end. `Retry-After` is
 *   waited for. Coming back online or into view cuts a wait short, unless the server had asked for it.
 * - Stop: 204 gives `ended`; a 4xx other than 408, 425 and 429 gives `lost`.
 * - The connection is `live` from the first answer on, and `reconnecting` while requests fail.
 * - Never two requests at once; one that takes longer than `timeout` is let go and counts as failed.
 *
 * Diagnostic codes: `network`, `http_status`, `content_type`, `timeout`, `json`, `too_large`, `sink`.
 *
 * @throws TypeError without an url or if fixed `headers` cannot be sent, RangeError if `interval` is below 250 or no number.
 */
export function createPollingSource(options: PollingSourceOptions): Source {
  needUrl('createPollingSource', options);
  const headers = fixedHeaders(options.headers);
  if (options.interval !== undefined && !(options.interval >= SHORTEST)) {
    throw new RangeError(`interval must be a number of milliseconds, at least ${SHORTEST}.`);
  }
  return { open: (sink, signal) => new Polling({ ...options, headers }, guardSink(sink, signal), signal).run() };
}

class Polling {
  readonly #options: PollingSourceOptions;
  readonly #sink: SourceSink;
  readonly #attempts: Attempts;
  /** What follows an answer. */
  readonly #next: Again;
  #etag: string | undefined;
  #last: string | undefined;

  constructor(options: PollingSourceOptions, sink: SourceSink, signal: AbortSignal) {
    const { interval = 5_000, maxRetryDelay = 60_000, timeout = 15_000, clock, random, headers } = options;
    this.#options = options;
    this.#sink = sink;
    this.#next = { wait: interval, wakeable: true };
    this.#attempts = new Attempts(
      sink,
      signal,
      { retryDelay: interval, maxRetryDelay, clock, random },
      typeof headers === 'function',
      (time) => createDeadline(time, timeout),
      ['timeout', `No whole answer within ${timeout} ms.`],
    );
  }

  run(): Promise<void> {
    return this.#attempts.run(
      async (signal) => {
        const response = await this.#request(signal);
        if (response.status === 304) return this.#answered();
        return judgeAnswer(response, 'JSON', isJson, this.#attempts) ?? (await this.#read(response));
      },
      (again) => {
        // A fresh token is asked for at once, and often helps.
        if (again !== this.#next && again.wait > 0) this.#sink.connection('reconnecting');
      },
    );
  }

  async #request(signal: AbortSignal): Promise<Response> {
    const { url, headers: given, credentials, fetch: request = fetch } = this.#options;
    const headers = await headersFor(given, signal);
    headers.set('accept', 'application/json');
    if (this.#etag !== undefined) headers.set('if-none-match', this.#etag);
    return fetchUnlessAborted(request, String(url), { headers, signal, cache: 'no-store', ...(credentials && { credentials }) });
  }

  async #read(response: Response): Promise<Ending> {
    const { maxSize = 16_777_216 } = this.#options;
    const text = await readText(response, maxSize);
    if (text === undefined) return this.#attempts.fail('too_large', `The answer is larger than ${maxSize} bytes and was let go.`);
    if (text !== this.#last) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return this.#attempts.fail('json', `The answer (${text.length} characters) is not JSON.`);
      }
      this.#last = text;
      this.#deliver(value);
    }
    this.#etag = response.headers.get('etag') ?? undefined;
    return this.#answered();
  }

  /** Live before the frames, so that what they show is shown as what is. */
  #deliver(value: unknown): void {
    this.#sink.connection('live');
    for (const frame of Array.isArray(value) ? (value as unknown[]) : [value]) this.#sink.frame(frame);
  }

  #answered(): Ending {
    this.#attempts.accepted();
    this.#attempts.heard(false);
    return this.#next;
  }
}

/** The body as text, or undefined when it is larger than `maxSize` bytes; no more than that is ever held. */
async function readText(response: Response, maxSize: number): Promise<string | undefined> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxSize) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
