import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '../gateway/gateway-error.ts';
import { MemoryRecords } from '../store/memory/records.ts';
import type { RecordStore, RecordWrite } from '../store/records.ts';
import type { Grant } from './grant.ts';

/** Milliseconds a ticket is good for. */
export const TICKET_MS = 30_000;
/** Tickets that wait to be used, about; the oldest goes first. */
const MAX_TICKETS = 10_000;
/** After how many new ones it is looked how many there are. */
const LOOK_EVERY = 256;

const KIND = 'ticket';

/** A ticket as it is kept: by its hash, so that who reads the store has no use of it. */
interface Kept {
  readonly session: string;
  readonly grant: (Omit<Grant, 'sessions'> & { readonly sessions: readonly string[] }) | undefined;
  readonly expiresAt: number;
}

/**
 * Tickets: what an EventSource, which can send no header, puts into the address instead of a token. Each opens one stream
 * of one session, once, soon. They are kept in the store, so that another gateway over the same one, or the next life of
 * this one, takes them: of any number that ask with the same ticket at once, one is let in.
 */
export class Tickets {
  readonly #records: RecordStore;
  #issued = 0;

  /** @param records without any they are kept in this process */
  constructor(records: RecordStore | undefined) {
    this.#records = records ?? new MemoryRecords();
  }

  /**
   * @param grant what the stream it opens may do; undefined where nobody needs a token
   * @throws GatewayError `store_failed`
   */
  async issue(session: string, grant: Grant | undefined, now: number): Promise<{ readonly ticket: string; readonly expiresAt: number }> {
    const ticket = randomBytes(24).toString('base64url');
    const expiresAt = Math.min(now + TICKET_MS, grant?.expiresAt ?? Infinity);
    // Where nobody needs a token, nobody asks for the ticket either.
    if (!grant) return { ticket, expiresAt };
    const kept: Kept = { session, grant: { ...grant, sessions: [...grant.sessions] }, expiresAt };
    await stored(async () => {
      const old = await this.#old(now);
      return this.#records.write([...old, { kind: KIND, key: nameOf(ticket), value: JSON.stringify(kept) }]);
    });
    return { ticket, expiresAt };
  }

  /**
   * Uses a ticket up, whatever comes of it. Undefined for one that is not good for this session any more.
   *
   * @throws GatewayError `store_failed`
   */
  async redeem(ticket: string, session: string, now: number): Promise<{ readonly grant: Grant | undefined } | undefined> {
    return stored(async () => {
      const key = nameOf(ticket);
      const found = await this.#records.get(KIND, key);
      if (!found || !(await this.#records.write([{ kind: KIND, key, value: null, expected: found.version }]))) return undefined;
      const kept = JSON.parse(found.value) as Kept;
      if (kept.session !== session || kept.expiresAt <= now) return undefined;
      return { grant: kept.grant && { ...kept.grant, sessions: new Set(kept.grant.sessions) } };
    });
  }

  /** Takes away what has run out, a few at a time, and now and then what is too much. */
  async #old(now: number): Promise<readonly RecordWrite[]> {
    this.#issued += 1;
    const look = this.#issued % LOOK_EVERY === 0;
    const oldest = await this.#records.list(KIND, look ? {} : { limit: 4 });
    const excess = oldest.length - MAX_TICKETS;
    return oldest
      .filter(({ value }, n) => n < excess || (JSON.parse(value) as Kept).expiresAt <= now)
      .map(({ key }) => ({ kind: KIND, key, value: null }));
  }
}

function nameOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}

async function stored<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw new GatewayError('store_failed', 'The store failed; tickets cannot be given out or taken. Ask again later.', { cause });
  }
}
