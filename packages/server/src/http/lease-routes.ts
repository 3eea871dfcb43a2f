import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { LeaseClaim } from '../gateway/lease/lease.ts';
import type { Access } from './access.ts';
import { readJson } from './body.ts';
import type { GatewayEnv } from './types.ts';

type C = Context<GatewayEnv>;

/** Who writes, and for how long it promises to be heard of again: `sitrep-lease: <producer>; ttl=<seconds>`. */
const HEADER = 'sitrep-lease';

/** The lease a request is made under. Throws a GatewayError for a header that cannot be read. */
export function leaseOf(c: C): LeaseClaim | undefined {
  const header = c.req.header(HEADER);
  if (header === undefined) return undefined;
  const [, producer, seconds] = /^\s*([^\s;]+)\s*(?:;\s*ttl=(\d+(?:\.\d+)?)\s*)?$/.exec(header) ?? [];
  if (producer === undefined) throw new GatewayError('bad_request', `The header ${HEADER} must be: <producer>; ttl=<seconds>`);
  return { producer, ttl: seconds === undefined ? undefined : Number(seconds) * 1_000 };
}

/** Renews a lease. The body is `{ttl?}`, in seconds. */
export async function putLease(c: C, core: GatewayCore, access: Access, session: string): Promise<Response> {
  await access.permit(c, 'write', session);
  const body = await readJson(c, core.options.bodyLimit, 'an object such as {"ttl": 15}');
  const { ttl: seconds } = (typeof body === 'object' && body !== null ? body : {}) as { readonly ttl?: unknown };
  if (seconds !== undefined && typeof seconds !== 'number') throw new GatewayError('bad_request', 'ttl must be a number of seconds.');
  const claim = { producer: c.req.param('producer') ?? '', ttl: seconds === undefined ? undefined : seconds * 1_000 };
  const { producer, ttl, held, known } = await core.renewLease(session, claim);
  return c.json({ producer, ttl: ttl / 1_000, held, known });
}

/** Gives a lease back: what it holds has nobody any more. */
export async function deleteLease(c: C, core: GatewayCore, access: Access, session: string): Promise<Response> {
  await access.permit(c, 'write', session);
  return c.json({ interrupted: await core.releaseLease(session, c.req.param('producer') ?? '') });
}
