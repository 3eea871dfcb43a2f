import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { clearCookie, writeCookie } from './cookie.ts';
import type { GatewayEnv } from './types.ts';
import type { Access } from './access.ts';

type C = Context<GatewayEnv>;

/** Browsers let go of larger cookies without a word. */
const MAX_COOKIE = 3_800;

/** What is given out here is nobody else's to keep. */
const NO_STORE = { 'cache-control': 'no-store' };

/** Exchanges the token in `Authorization` for a cookie that lives as long. */
export async function postCookie(c: C, core: GatewayCore, access: Access): Promise<Response> {
  if (access.open) return c.json({ expiresAt: null }, 200, NO_STORE);
  const header = c.req.header('authorization');
  if (header === undefined) throw new GatewayError('unauthorized', "Send the token to exchange as 'Authorization: Bearer <token>'.");
  const grant = await access.grant(c);
  const token = header.trim().split(/ +/)[1] ?? '';
  if (token.length > MAX_COOKIE)
    throw new GatewayError('bad_request', `A cookie holds a token of at most ${MAX_COOKIE} characters. Use one that names fewer sessions.`);
  const expiresAt = grant?.expiresAt ?? 0;
  writeCookie(c, token, Math.max(0, Math.floor((expiresAt - core.options.clock.now()) / 1_000)));
  return c.json({ expiresAt }, 200, NO_STORE);
}

/** Takes the cookie back. Needs no right: it is the browser's own. */
export function deleteCookieRoute(c: C): Response {
  clearCookie(c);
  return c.body(null, 204, NO_STORE);
}

/** Exchanges a token for a ticket that opens one stream of one session. */
export async function postTicket(c: C, core: GatewayCore, access: Access, session: string): Promise<Response> {
  const grant = await access.permit(c, 'read', session);
  return c.json(await access.tickets.issue(session, grant, core.options.clock.now()), 201, NO_STORE);
}
