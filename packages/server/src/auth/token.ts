import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { LIMITS } from '@sitrep/schema';
import { GatewayError } from '../gateway/gateway-error.ts';
import { SCOPES } from './grant.ts';
import type { Grant, Scope } from './grant.ts';
import type { TokenKey } from './keys.ts';

/** The `aud` of every token: one that the same key signed for something else is refused. */
const AUDIENCE = 'sitrep';
/** Characters of a token: what a header can carry beside others. */
const MAX_TOKEN = 8_192;
/** Sessions and beginnings one token may name. */
const MAX_NAMES = 100;

/** What a new token shall say. */
export interface TokenClaims {
  /** Default `read`. Each of `read`, `write` and `admin` contains the one before. */
  readonly scope?: Scope | undefined;
  /** Sessions by name. */
  readonly sessions?: readonly string[] | undefined;
  /** Beginnings of names of sessions; `['']` is every session. */
  readonly prefixes?: readonly string[] | undefined;
  /** Whom it is for: a name for logs. */
  readonly subject?: string | undefined;
  /** Seconds until it expires. Default 3,600. */
  readonly expiresIn?: number | undefined;
  /** Epoch milliseconds. Default: now. */
  readonly now?: number | undefined;
}

/**
 * Makes a signed token, a JSON Web Token, with the first key that can sign.
 *
 * @throws RangeError for claims that are none, Error when no key can sign
 */
export async function createToken(keys: readonly TokenKey[], claims: TokenClaims): Promise<string> {
  const { scope = 'read', sessions = [], prefixes = [], subject, expiresIn = 3_600, now = Date.now() } = claims;
  if (!SCOPES.includes(scope)) throw new RangeError(`scope must be one of ${SCOPES.join(', ')}.`);
  const names = [...sessions, ...prefixes];
  if (names.length === 0) throw new RangeError('A token must name sessions, or beginnings of their names.');
  if (names.length > MAX_NAMES || !sessions.every(isName) || !prefixes.every(isPrefix)) {
    throw new RangeError(`A token names at most ${MAX_NAMES} sessions, each of 1 to ${LIMITS.id} characters.`);
  }
  if (!(Number.isSafeInteger(expiresIn) && expiresIn > 0)) throw new RangeError('expiresIn must be a whole number of seconds above 0.');
  const key = keys.find(({ sign }) => sign !== undefined);
  if (!key?.sign) throw new Error('None of the keys can sign: a public key only checks tokens. Use the private key or the secret.');
  const issued = Math.floor(now / 1_000);
  const token = new SignJWT({ scope, ...(sessions.length > 0 ? { sessions } : {}), ...(prefixes.length > 0 ? { prefixes } : {}) })
    .setProtectedHeader({ alg: key.algorithm, typ: 'JWT', ...(key.kid === undefined ? {} : { kid: key.kid }) })
    .setAudience(AUDIENCE)
    .setJti(randomBytes(9).toString('base64url'))
    .setIssuedAt(issued)
    .setExpirationTime(issued + expiresIn);
  if (subject !== undefined) token.setSubject(subject);
  return token.sign(key.sign);
}

/**
 * Checks a token: signature, audience, expiry, and that it says what it allows.
 *
 * @param now epoch milliseconds
 * @throws GatewayError `invalid_token` or `token_expired`
 */
export async function verifyToken(keys: readonly TokenKey[], token: string, now: number): Promise<Grant> {
  let fault = 'The token is not one of this gateway.';
  for (const key of token.length > MAX_TOKEN ? [] : candidates(keys, token)) {
    try {
      const { payload } = await jwtVerify(token, key.verify, {
        algorithms: [key.algorithm],
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        currentDate: new Date(now),
      });
      return grantOf(payload, token);
    } catch (error) {
      const { code } = error as errors.JOSEError;
      if (code === errors.JWTExpired.code)
        throw new GatewayError('token_expired', 'The token has expired. Ask again with a new one.', { cause: error });
      if (code === errors.JWTClaimValidationFailed.code) fault = `The token's claims do not fit: ${(error as Error).message}.`;
      else if ((error as Error).name === 'RangeError') fault = (error as Error).message;
    }
  }
  throw new GatewayError('invalid_token', fault);
}

/** The keys a token may be of: by its `kid` where both have one. Its algorithm is the key's, never its own choice. */
function candidates(keys: readonly TokenKey[], token: string): readonly TokenKey[] {
  try {
    const { kid } = decodeProtectedHeader(token);
    return keys.filter((key) => kid === undefined || key.kid === undefined || key.kid === kid);
  } catch {
    return [];
  }
}

function grantOf(payload: JWTPayload, token: string): Grant {
  const { scope, sessions = [], prefixes = [], sub, jti, exp } = payload;
  if (!SCOPES.includes(scope as Scope)) throw new RangeError(`The token's scope must be one of ${SCOPES.join(', ')}.`);
  const lists = Array.isArray(sessions) && Array.isArray(prefixes) && sessions.length + prefixes.length <= MAX_NAMES;
  if (!lists || !sessions.every(isName) || !prefixes.every(isPrefix)) {
    throw new RangeError(`The token's sessions and prefixes must be lists of names, ${MAX_NAMES} in all at most.`);
  }
  // Numbers and objects here would be taken for the same text as somebody else's.
  if (![sub, jti].every((name: unknown) => name === undefined || typeof name === 'string'))
    throw new RangeError("The token's sub and jti must be texts.");
  return {
    id: jti ?? sub ?? token.slice(-22),
    subject: sub,
    scope: scope as Scope,
    sessions: new Set(sessions as string[]),
    prefixes: prefixes as string[],
    expiresAt: (exp as number) * 1_000,
  };
}

function isName(value: unknown): value is string {
  return isPrefix(value) && value !== '';
}

function isPrefix(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 2 * LIMITS.id;
}
