import { randomBytes } from 'node:crypto';
import type { Grant } from './grant.ts';

/** Milliseconds a ticket is good for. */
export const TICKET_MS = 30_000;
/** Tickets that wait to be used; the oldest goes first. */
const MAX_TICKETS = 10_000;

interface Ticket {
  readonly session: string;
  readonly grant: Grant | undefined;
  readonly expiresAt: number;
}

/**
 * Tickets: what an EventSource, which can send no header, puts into the address instead of a token. Each opens one stream
 * of one session, once, soon. They are kept in memory: whoever holds one after a restart asks for another.
 */
export class Tickets {
  /** Oldest first. */
  readonly #tickets = new Map<string, Ticket>();

  /** @param grant what the stream it opens may do; undefined where nobody needs a token */
  issue(session: string, grant: Grant | undefined, now: number): { readonly ticket: string; readonly expiresAt: number } {
    for (const [name, { expiresAt }] of this.#tickets) {
      if (expiresAt > now && this.#tickets.size < MAX_TICKETS) break;
      this.#tickets.delete(name);
    }
    const ticket = randomBytes(24).toString('base64url');
    const expiresAt = Math.min(now + TICKET_MS, grant?.expiresAt ?? Infinity);
    this.#tickets.set(ticket, { session, grant, expiresAt });
    return { ticket, expiresAt };
  }

  /** Uses a ticket up, whatever comes of it. Undefined for one that is not good for this session any more. */
  redeem(ticket: string, session: string, now: number): { readonly grant: Grant | undefined } | undefined {
    const found = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return found && found.session === session && found.expiresAt > now ? found : undefined;
  }
}
