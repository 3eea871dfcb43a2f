import type { Connection, ConnectionState } from './view.ts';

/** What a reader knows of its connection. Times are epoch milliseconds by its own clock. */
export interface Link {
  /** What the transport said last, and when. */
  readonly state: ConnectionState;
  readonly since: number;
  /** When it broke off, until what happened meanwhile is there. */
  readonly brokenAt?: number | undefined;
  /** When it had gone on from where it broke off, with nothing missing. */
  readonly resumedAt?: number | undefined;
  /** When anything came last. Undefined where nothing has to come: there silence says nothing. */
  readonly heardAt?: number | undefined;
  /** Silence after which a connection is called quiet, milliseconds. */
  readonly quietAfter: number;
}

/** How long a connection that went on is called resumed, milliseconds. */
export const RESUMED_FOR = 5_000;

/**
 * How fresh what is shown is, and since when. A connection that broke off is `reconnecting` until what happened meanwhile is
 * there, whatever the transport says; then it is `resumed` for a while if nothing is missing, and `live`.
 */
export function freshness({ state, since, brokenAt, resumedAt, heardAt, quietAfter }: Link, now: number): Connection {
  if (state === 'live' && brokenAt === undefined) {
    if (heardAt !== undefined && now - heardAt >= quietAfter) return { state: 'quiet', since: heardAt };
    if (resumedAt !== undefined) return { state: now - resumedAt < RESUMED_FOR ? 'resumed' : state, since: resumedAt };
  } else if (brokenAt !== undefined && state !== 'lost' && state !== 'ended') return { state: 'reconnecting', since: brokenAt };
  return { state, since };
}
