import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { GatewayEnv } from './types.ts';

const NAME = 'sitrep_token';
/** Only the gateway's own addresses get it. */
const PATH = '/v1';
/** Seconds a browser keeps a cookie at most, 400 days. */
const MAX_AGE = 34_560_000;

/** The token in the request's cookie. */
export function readCookie(c: Context<GatewayEnv>): string | undefined {
  return getCookie(c, NAME);
}

/** Gives the browser a token that no script can read and no other site can send. A page over TLS says so by its Origin. */
export function writeCookie(c: Context<GatewayEnv>, token: string, maxAge: number): void {
  const secure = c.req.header('origin')?.startsWith('https://') === true;
  setCookie(c, NAME, token, { httpOnly: true, sameSite: 'Strict', path: PATH, maxAge: Math.min(maxAge, MAX_AGE), secure });
}

/** Takes the token back. */
export function clearCookie(c: Context<GatewayEnv>): void {
  deleteCookie(c, NAME, { httpOnly: true, sameSite: 'Strict', path: PATH });
}
