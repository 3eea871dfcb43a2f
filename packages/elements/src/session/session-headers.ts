/** Gives the headers for what is asked at an address: a token, say, and only where it belongs. Asked anew for each request. */
export type SessionHeaders = (address: string) => HeadersInit | undefined | Promise<HeadersInit | undefined>;

let give: SessionHeaders | undefined;

/**
 * Sends headers with everything that the elements of the page ask for by an address: snapshots, streams and lists. Call it before the
 * first element asks. After a 401 the headers are asked for once more, so that a token that has expired is renewed. Without an argument
 * none are sent.
 */
export function setSessionHeaders(headers?: SessionHeaders): void {
  give = headers;
}

/** What gives the headers for an address; undefined where the page gave nothing. */
export function headersOf(address: string): (() => Promise<HeadersInit>) | undefined {
  const own = give;
  return own && (async () => (await own(address)) ?? {});
}
