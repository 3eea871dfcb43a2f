import { createHash, ECDH } from 'node:crypto';
import type { PushTarget } from './post.ts';
import { bytesOf } from './vapid.ts';

/** One browser of one user that wants to be told. */
export interface StoredSubscription extends PushTarget {
  /** Names it without giving its endpoint away, which is a secret. */
  readonly id: string;
  /** Whom it belongs to: the subject of the token it was made with; empty where nobody needs a token. */
  readonly user: string;
  /** Sessions the token reached, by name and by the beginnings of names. */
  readonly sessions: readonly string[];
  readonly prefixes: readonly string[];
  /** The sessions it wants to be told of; null for all it may be. */
  readonly only: readonly string[] | null;
  /** When it was last made or renewed by a page, epoch milliseconds. */
  readonly renewedAt: number;
}

/** What a page says of its subscription: that of the browser, and what it wants. */
export interface SubscriptionInput extends PushTarget {
  /** A session to be told of, besides those before. */
  readonly session?: string | undefined;
}

/** The name of a subscription. */
export function subscriptionId(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);
}

/** Reads the body of a request, but for its endpoint; answers what is wrong with it instead. */
export function readSubscription(body: unknown): { readonly input: SubscriptionInput } | { readonly fault: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { fault: 'The body must be a subscription: an object.' };
  const { endpoint, keys, session } = body as Record<string, unknown>;
  const { p256dh, auth } = (typeof keys === 'object' && keys !== null ? keys : {}) as Record<string, unknown>;
  const point = bytesOf(p256dh, 65);
  if (!point || point[0] !== 4 || !isOnCurve(point))
    return { fault: 'keys.p256dh must be a point of P-256, 65 bytes in base64url, as a browser gives it.' };
  if (!bytesOf(auth, 16)) return { fault: 'keys.auth must be 16 bytes in base64url, as a browser gives them.' };
  if (session !== undefined && typeof session !== 'string') return { fault: 'session must be the name of a session.' };
  return { input: { endpoint: String(endpoint), p256dh: String(p256dh), auth: String(auth), session } };
}

/** True for a key that something can be encrypted for. */
function isOnCurve(point: Buffer): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** True when it is to be told of this session. */
export function wants({ sessions, prefixes, only }: StoredSubscription, session: string): boolean {
  if (only !== null && !only.includes(session)) return false;
  return sessions.includes(session) || prefixes.some((prefix) => session.startsWith(prefix));
}
