import { headersFor } from '../source/request-headers.ts';
import type { GivenHeaders } from '../source/request-headers.ts';

/** Where a gateway is and how it is asked. */
export interface GatewayOptions {
  /** Address of the gateway. Default: the page's own origin. */
  readonly gateway?: string | undefined;
  /** Headers of each request, such as `authorization`; a function makes them anew each time. */
  readonly headers?: GivenHeaders;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined;
}

/** The gateway's address, absolute, without a slash at its end. Throws a TypeError for what is none. */
export function gatewayAddress(gateway: string | undefined): string {
  const { origin, pathname } = new URL(gateway ?? '/', location.href);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** One request with a body of JSON. */
export async function askGateway(
  { gateway, headers, fetch: request = fetch }: GatewayOptions,
  method: string,
  path: string,
  body?: unknown,
  init: RequestInit = {},
): Promise<Response> {
  const signal = init.signal ?? new AbortController().signal;
  const sent = await headersFor(headers, signal);
  if (body !== undefined) sent.set('content-type', 'application/json');
  return request(`${gatewayAddress(gateway)}${path}`, {
    ...init,
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
