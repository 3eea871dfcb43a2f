/** What a token allows. Each contains the one before: who may write a card must be told of the one in its way. */
export const SCOPES = Object.freeze(['read', 'write', 'admin'] as const);

/** One of SCOPES. */
export type Scope = (typeof SCOPES)[number];

/** What a verified token allows, and until when. */
export interface Grant {
  /** Names the token: its `jti`, else its `sub`, else a part of its signature. Never the token itself. */
  readonly id: string;
  /** Whom it was given to, where it says so. */
  readonly subject?: string | undefined;
  readonly scope: Scope;
  /** Sessions by their exact names. */
  readonly sessions: ReadonlySet<string>;
  /** Beginnings of names of sessions; the empty one is every session. */
  readonly prefixes: readonly string[];
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** True when the grant reaches this session, whatever it allows there. */
export function reaches(grant: Grant, session: string): boolean {
  return grant.sessions.has(session) || grant.prefixes.some((prefix) => session.startsWith(prefix));
}

/** True when the grant reaches every session. */
export function reachesAll(grant: Grant): boolean {
  return grant.prefixes.includes('');
}

/** True when the grant allows this much. */
export function covers(grant: Grant, scope: Scope): boolean {
  return SCOPES.indexOf(grant.scope) >= SCOPES.indexOf(scope);
}
