import { LIMITS } from '@sitrep/schema';
import { cleanLine, startOf, truncate } from '@sitrep/schema/check';
import type { Clock } from './clock.ts';
import { withReporter } from './context/current.ts';
import { isObject } from './json.ts';
import { toFailure } from './reporter/failure.ts';

/** The part of `fetch` this package uses. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Headers to add to a request, or what makes them anew for each one (a token that is renewed), and once more after a 401. */
export type HeaderSource =
  Readonly<Record<string, string>> | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** True when an address can hold this session: `.` and `..` mean other places there, half a character means nothing. */
export function isAddressable(session: string): boolean {
  return session !== '' && session !== '.' && session !== '..' && !/\p{Cs}/u.test(session);
}

/** Address of a part of a session at a gateway. Throws for a session that is not addressable. */
export function sessionUrl(base: string, session: string, part: string): string {
  return `${base.replace(/\/+$/, '')}/v1/sessions/${encodeURIComponent(session)}/${part}`;
}

/**
 * The address of a gateway as options name it, or a TypeError that says what to pass: asked at a place that is none, every
 * request would fail and be tried again for ever. In a page it may be relative.
 */
export function gatewayUrl(caller: string, options: unknown): string {
  const hint = `${caller} needs { url }, an http or https address such as http://127.0.0.1:4747`;
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${hint}, not ${typeof options === 'string' ? `the text ${quoted(options)}` : String(options)}.`);
  }
  const { url } = options as { readonly url?: unknown };
  if (typeof url !== 'string') throw new TypeError(`${hint}; url was ${url === null ? 'null' : typeof url}.`);
  const { location } = globalThis as { readonly location?: { readonly href?: string } | undefined };
  if (isWeb(url, location?.href)) return url;
  const meant = isWeb(`http://${url}`) && !url.includes('://') && /^[^/:]+:\d+/.test(url) ? ` Is http://${url} meant?` : '';
  throw new TypeError(`${hint}, not ${quoted(url)}.${meant}`);
}

/** An address as a diagnostic may show it: without what stands in it to be let in. */
export function shownUrl(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, '$1').replace(/[?#].*$/s, '');
}

/** Why there was no answer, in words: what the platform's `fetch` knows of it stands in the cause of its error. */
export function causeOf(error: unknown): string {
  try {
    const cause = isObject(error) && isObject(error['cause']) ? error['cause'] : error;
    const { message, code } = toFailure(cause);
    // Several addresses that were all tried in vain have a code and no text.
    return cleanLine(startOf(code !== undefined && isObject(cause) && cause['message'] === '' ? code : message));
  } catch {
    return 'the reason cannot be read';
  }
}

/** What a gateway says of a request it refused, in brackets; nothing where it says nothing. */
export function saidBy(body: unknown): string {
  const { message } = isObject(body) && isObject(body['error']) ? body['error'] : {};
  return typeof message === 'string' && message !== '' ? ` (${truncate(cleanLine(startOf(message)), LIMITS.message)})` : '';
}

function isWeb(url: string, base?: string): boolean {
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

const own = new WeakSet<object>();

/** Marks a request as this package's own. */
export function ownRequest(init: RequestInit): RequestInit {
  own.add(init);
  return init;
}

/** True for what this package sends itself: telling of the work is no part of it, so nothing is to report on it. */
export function isOwnRequest(init: RequestInit | undefined): boolean {
  return init !== undefined && own.has(init);
}

/** One request, with a JSON body unless it only reads. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body: string | undefined;
  readonly headers: HeaderSource | undefined;
  /** Headers of this request alone. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
  readonly fetch: FetchLike | undefined;
  readonly clock: Clock;
  /** After how long an answer is given up, milliseconds; with `keepAlive` the process stays open that long. */
  readonly timeoutMs: number;
  readonly keepAlive: boolean;
  /** Gives up at once. */
  readonly signal: AbortSignal | undefined;
}

/** An answer, whatever its status. */
export interface JsonAnswer {
  readonly status: number;
  /** The parsed body, or undefined when it is not JSON. */
  readonly body: unknown;
  /** The `retry-after` header. */
  readonly retryAfter: string | null;
}

/**
 * Asks once, or twice when the first answer was a 401 and headers are made anew. Rejects when there was no answer: network, timeout or `signal`; also when `fetch` or the headers never
 * settle and take no notice of being aborted.
 */
export async function jsonRequest(request: JsonRequest): Promise<JsonAnswer> {
  const abort = new AbortController();
  let cancelTimeout = (): void => {};
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      abort.abort();
      reject(new Error('no answer in time'));
    };
    cancelTimeout = request.clock.after(request.timeoutMs, giveUp, request.keepAlive);
    abort.signal.addEventListener('abort', giveUp);
  });
  const onAbort = (): void => abort.abort();
  request.signal?.addEventListener('abort', onAbort);
  if (request.signal?.aborted === true) onAbort();
  try {
    // A fetch that somebody else meters must not take the reports for the work that goes on.
    return await Promise.race([withReporter(undefined, () => ask(request, abort.signal)), givenUp]);
  } finally {
    cancelTimeout();
    request.signal?.removeEventListener('abort', onAbort);
  }
}

/** A token that is made anew for each request may have expired on the way: then it is asked once more, with another. */
async function ask(request: JsonRequest, signal: AbortSignal): Promise<JsonAnswer> {
  const answer = await askOnce(request, signal);
  return answer.status === 401 && typeof request.headers === 'function' ? askOnce(request, signal) : answer;
}

async function askOnce(request: JsonRequest, signal: AbortSignal): Promise<JsonAnswer> {
  const extra = typeof request.headers === 'function' ? await request.headers() : request.headers;
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...request.extra, ...extra };
  const init = ownRequest({
    method: request.method,
    headers,
    body: request.body ?? null,
    signal,
    // Followed, it would become a GET of something else, whose answer says nothing about the events.
    redirect: 'manual',
  });
  const response = await (request.fetch ?? globalThis.fetch)(request.url, init);
  // Read in any case, so that the connection can be used again.
  const text = await response.text();
  return { status: response.status, body: parse(text), retryAfter: response.headers.get('retry-after') };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
