import { unlessAborted } from './wait.ts';

/** What may be given as request headers. */
export type RequestHeaders = Headers | Record<string, string> | [string, string][];

/** Headers, or a function that gives them anew for each request, so that a token can be refreshed. */
export type GivenHeaders = RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;

/** Fixed headers, checked once. Throws a TypeError for what no request can carry. */
export function fixedHeaders(given: GivenHeaders): GivenHeaders {
  return typeof given === 'function' ? given : new Headers(given);
}

/** The headers of one request. Rejects when the function that gives them does, or when `signal` aborts meanwhile. */
export async function headersFor(given: GivenHeaders, signal: AbortSignal): Promise<Headers> {
  return new Headers(typeof given === 'function' ? await unlessAborted((async () => given())(), signal) : given);
}

/** `fetch` that settles when `signal` aborts, and lets the answer go that comes after all. */
export function fetchUnlessAborted(
  request: typeof fetch,
  address: string,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  const { signal } = init;
  const promise = request(address, init);
  // A fetch that does not heed the signal must not keep its socket when it answers after all.
  promise.then((late) => (signal.aborted ? late.body?.cancel() : undefined)).catch(() => {});
  return unlessAborted(promise, signal);
}

/** Throws a TypeError that says what to pass, where no address was given to the function of this name. */
export function needUrl(name: string, options: { readonly url: unknown } | undefined): void {
  if (!options?.url) throw new TypeError(`${name} needs { url }.`);
}
