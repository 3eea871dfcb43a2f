import type { MiddlewareHandler } from 'hono';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Log } from '../gateway/log.ts';
import { refusedOrigins } from './refused-origins.ts';
import type { GatewayEnv } from './types.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key, last-event-id, cache-control, sitrep-lease';

/** Where a browser may say that a request comes from: nowhere (typed in, or no browser at all) or the gateway's own pages. */
const FETCH_SITES = new Set([undefined, 'none', 'same-origin']);

/**
 * Answers only under names that were allowed: a page whose own name was made to point here (DNS rebinding) sends that
 * name as `Host`. A second `Host` line is refused, because two readers could pick two.
 */
export function hostGuard(allowedHosts: readonly string[]): MiddlewareHandler<GatewayEnv> {
  const allowed = new Set([...LOOPBACK, ...allowedHosts].map((host) => host.toLowerCase()));
  return async (c, next) => {
    const raw = c.env?.incoming?.rawHeaders ?? [];
    const lines = raw.filter((name, n) => n % 2 === 0 && name.toLowerCase() === 'host').length;
    const host = (c.req.header('host') ?? new URL(c.req.url).host).toLowerCase();
    if (lines > 1 || !(allowed.has(host) || allowed.has(host.replace(/:\d*$/, '')))) {
      throw new GatewayError(
        'forbidden_host',
        'This Host is not served here. Add its name to the allowed hosts (--allow-host) if it should be.',
      );
    }
    await next();
  };
}

/** What is allowed of other sites, and who is told of what is not. */
interface Origins {
  readonly allowedOrigins: readonly string[];
  readonly log: Log;
}

/**
 * Lets other sites in only where they were listed. No Origin (not a browser, or a plain GET) is fine, and so is the
 * gateway's own; anything else, `null` included, is refused before it has an effect, and told of once.
 */
export function originGuard({ allowedOrigins, log }: Origins): MiddlewareHandler<GatewayEnv> {
  const allowed = asSent(allowedOrigins);
  const share = sharing(allowedOrigins);
  const tell = refusedOrigins(log);
  return async (c, next) => {
    const origin = c.req.header('origin')?.toLowerCase();
    const listed = origin !== undefined && allowed.has(origin);
    const own = origin === undefined || isOwn(origin, c.req.header('host'));
    if (!listed && (!own || !FETCH_SITES.has(c.req.header('sec-fetch-site')))) {
      if (!own) tell(origin);
      throw new GatewayError(
        'forbidden_origin',
        'Pages of this origin may not use this gateway. Add the origin to the allowed origins (--allow-origin) if they should.',
      );
    }
    return share(c, next);
  };
}

/** Lets pages of the listed origins read the answer, and answers their preflights; refuses nobody. */
export function sharing(allowedOrigins: readonly string[]): MiddlewareHandler<GatewayEnv> {
  const allowed = asSent(allowedOrigins);
  return async (c, next) => {
    const origin = c.req.header('origin');
    const listed = origin !== undefined && allowed.has(origin.toLowerCase());
    const headers: Record<string, string> = allowed.size > 0 ? { vary: 'Origin' } : {};
    if (listed) {
      headers['access-control-allow-origin'] = origin;
      headers['access-control-expose-headers'] = 'idempotency-replayed, retry-after, www-authenticate';
    }
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    c.set('corsHeaders', headers);
    if (listed && c.req.method === 'OPTIONS' && c.req.header('access-control-request-method')) {
      c.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
      c.header('access-control-allow-headers', ALLOWED_HEADERS);
      c.header('access-control-max-age', '600');
      // A public page that reaches a loopback address asks for this as well.
      if (c.req.header('access-control-request-private-network')) c.header('access-control-allow-private-network', 'true');
      return c.body(null, 204);
    }
    return next();
  };
}

function asSent(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
}

function isOwn(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host.toLowerCase()}` || origin === `https://${host.toLowerCase()}`);
}
