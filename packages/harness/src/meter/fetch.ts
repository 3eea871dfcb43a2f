import { tell } from '../diagnostic.ts';
import { withReporter } from '../context/current.ts';
import { isOwnRequest } from '../http.ts';
import type { SubjectOptions } from '../reporter/subject.ts';
import { createMeter, meterOn } from './meter.ts';
import type { Meter } from './meter.ts';
import { copyResponse } from './response.ts';
import { byteSize } from './size.ts';
import { passing } from './web-stream.ts';

/** `fetch`, as every platform has it. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** Options of a metered fetch. What names the invocation is for every request; say nothing to have it named by the request. */
export interface FetchMeterOptions extends Omit<SubjectOptions, 'reporter' | 'id' | 'total' | 'unit' | 'current'> {
  /** The fetch to use. Default: the platform's. */
  readonly fetch?: Fetch | undefined;
  /**
   * Which uploads are counted:
   * - `streams` (default): bodies that are streams already. Nothing about the request changes.
   * - `all`: texts, buffers, blobs and parameters too, with their true total. They then go as a stream: without
   *   `Content-Length`, not repeatable on a redirect, and in browsers only over HTTP/2 where streams can be sent at all.
   * - `none`.
   */
  readonly uploads?: 'streams' | 'all' | 'none' | undefined;
}

/**
 * A `fetch` that reports. Each request is one invocation: it runs from the call to the end of the response body, counts
 * the body's bytes as they are read, and has a total only where `Content-Length` counts the same bytes. A compressed
 * response has none, because that header then counts what came over the wire and the body is what it was unpacked to;
 * neither has one from another origin in a browser, where the compression is hidden. The stream of a request body is an
 * invocation inside it (kind `upload`), whose bytes count when the platform takes them, not when the server has them.
 *
 * The response, its status, headers and url, the body's bytes and errors are those of `fetch`. A rejected fetch fails the
 * invocation, an aborted one cancels it, a status of 400 and more fails it once the body has ended. A body that nobody
 * reads leaves it open until its signal aborts or its turn ends.
 */
export function meterFetch(options: FetchMeterOptions = {}): Fetch {
  // Taken now: what is made here may take the place of the platform's.
  const { fetch: inner = globalThis.fetch, uploads = 'streams', ...subject } = options;
  return async (input, init) => {
    if (isOwnRequest(init)) return inner(input, init);
    const title = titleOf(input, init);
    const meter = createMeter({ title, kind: 'download', ...subject, unit: 'bytes', signal: signalOf(input, init) ?? subject.signal });
    let upload: Upload | undefined;
    let response: Response;
    try {
      upload = uploads === 'none' ? undefined : uploadOf(input, init, uploads, subject, meter, title);
      response = await withCurrent(meter, () => inner(upload?.input ?? input, upload?.init ?? init));
    } catch (error) {
      upload?.meter.fail(error);
      meter.fail(error);
      throw error;
    }
    return downloadOf(response, meter, upload?.meter, options);
  };
}

function withCurrent<R>(meter: Meter, fn: () => R): R {
  return meter.reporter === undefined ? fn() : withReporter(meter.reporter, fn);
}

function requestOf(input: RequestInfo | URL): Request | undefined {
  return typeof input === 'object' && input !== null && 'headers' in input ? input : undefined;
}

function signalOf(input: RequestInfo | URL, init: RequestInit | undefined): AbortSignal | undefined {
  return init?.signal ?? requestOf(input)?.signal;
}

/** Method, host and path: a query or a user name may hold what is nobody's business. */
function titleOf(input: RequestInfo | URL, init: RequestInit | undefined): string {
  const request = requestOf(input);
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  try {
    const page = (globalThis as { location?: { href: string } }).location?.href;
    const { host, pathname, protocol } = new URL(request?.url ?? String(input), page);
    return host === '' ? `${method} ${protocol}` : `${method} ${host}${pathname}`;
  } catch {
    return method;
  }
}

interface Upload {
  readonly input: RequestInfo | URL;
  readonly init: RequestInit;
  readonly meter: Meter;
}

/** The request with a counted body, or undefined when there is nothing to count. */
function uploadOf(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  uploads: 'streams' | 'all',
  { clock, throttleMs, onDiagnostic }: SubjectOptions,
  around: Meter,
  title: string,
): Upload | undefined {
  const body = init?.body ?? (uploads === 'all' ? requestOf(input)?.body : undefined);
  if (body === undefined || body === null || around.reporter === undefined) return undefined;
  const isStream = typeof body === 'object' && 'getReader' in body;
  if (!isStream && uploads !== 'all') return undefined;
  // What was read already cannot be sent: `fetch` is to say so.
  if (isStream && (body.locked || (init?.body === undefined && requestOf(input)?.bodyUsed === true))) return undefined;
  // A response is the one place that turns any body into its bytes and says what they are.
  const carrier = isStream ? undefined : new Response(body);
  // Bun forgets the type once the body was asked for, and gives a text none.
  const type = typeof body === 'string' ? 'text/plain;charset=UTF-8' : carrier?.headers.get('content-type');
  const source = isStream ? body : carrier?.body;
  if (source === undefined || source === null) return undefined;
  const total = sizeOfBody(body);
  const reporter = around.reporter.child({ title, kind: 'upload', unit: 'bytes', total });
  const meter = meterOn({ reporter, own: true }, { clock, throttleMs, onDiagnostic, total });
  const stream = passing<Uint8Array>(source, meter, (chunk) => meter.add(byteSize(chunk) ?? 0));
  const headers = new Headers(init?.headers ?? requestOf(input)?.headers);
  if (typeof type === 'string' && !headers.has('content-type')) headers.set('content-type', type);
  // `duplex` is what every platform asks for beside a stream, and what TypeScript does not know.
  const streaming: RequestInit & { readonly duplex: 'half' } = { ...init, headers, body: stream, duplex: 'half' };
  return { input, init: streaming, meter };
}

/** The bytes of a body, where they are known before it is sent. */
function sizeOfBody(body: BodyInit): number | undefined {
  if (typeof body === 'string') return byteSize(body) || undefined;
  if (body instanceof URLSearchParams) return byteSize(body.toString()) || undefined;
  const { byteLength, size } = body as { readonly byteLength?: unknown; readonly size?: unknown };
  return [byteLength, size].find((bytes): bytes is number => typeof bytes === 'number' && bytes > 0);
}

function downloadOf(response: Response, meter: Meter, upload: Meter | undefined, options: FetchMeterOptions): Response {
  const end = {
    complete(): void {
      upload?.stop('response_ended');
      const { status, statusText } = response;
      if (status >= 400) meter.fail({ message: `HTTP ${status} ${statusText}`.trim(), code: String(status) });
      else meter.complete();
    },
    fail(error: unknown): void {
      upload?.fail(error);
      meter.fail(error);
    },
    cancel: (reason: string): void => meter.cancel(reason),
  };
  if (meter.reporter === undefined) return response;
  if (!isCountable(response)) {
    end.complete();
    return response;
  }
  let total = totalOf(response, options);
  if (total !== undefined) meter.setTotal(total);
  const body = passing(response.body, end, (chunk) => {
    meter.add(byteSize(chunk) ?? 0);
    if (total === undefined || meter.current <= total) return;
    total = undefined;
    meter.setTotal(null);
  });
  return copyResponse(response, body);
}

/** False where there is no body, and for what a `fetch` of somebody's own answers that only looks like a response in part. */
function isCountable(response: Response): response is Response & { readonly body: ReadableStream<Uint8Array> } {
  const { body, status, headers } = response as Partial<Response>;
  if (typeof body !== 'object' || body === null || !('getReader' in body) || body.locked) return false;
  // A constructor takes no other status.
  return typeof status === 'number' && status >= 200 && status <= 599 && typeof headers?.get === 'function';
}

/** `Content-Length` where it counts the bytes that the body will give. */
function totalOf(response: Response, options: FetchMeterOptions): number | undefined {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length <= 0) return undefined;
  const encoding = response.headers.get('content-encoding')?.trim().toLowerCase();
  const because =
    encoding !== undefined && encoding !== '' && encoding !== 'identity'
      ? `it is compressed (${encoding}), so its Content-Length of ${length} does not count the bytes of its body`
      : response.type === 'cors'
        ? 'it comes from another origin, where the browser hides whether it is compressed'
        : undefined;
  if (because === undefined) return length;
  tell(options.onDiagnostic, { code: 'no_total', message: `A response has no known total: ${because}.` });
  return undefined;
}
