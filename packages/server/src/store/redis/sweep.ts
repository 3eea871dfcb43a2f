import type { RecordStore } from '../records.ts';
import { isUnavailable } from '../unavailable.ts';
import { owedRecord } from './commit.ts';
import type { Keys } from './keys.ts';
import type { RedisLeases } from './leases.ts';
import type { RedisLink } from './link.ts';
import { CLAIM, OWED, SETTLE } from './scripts.ts';
import type { SessionIndexKeys } from './session-index.ts';

/** Seconds after which a record that was written down and not written where it belongs is nobody's any more. */
export const OWED_SECONDS = 60;
/** Milliseconds between two steps. */
const STEP_MS = 1_000;
/** Keys of one server looked at in a step, about. */
const STEP_KEYS = 500;
/** Servers one gateway sweeps at a time. */
const SERVERS = 8;
/** Milliseconds a server is left to a gateway that does not say that it goes on. */
const CLAIM_MS = 5_000;

interface SweepParts {
  readonly link: RedisLink;
  readonly keys: Keys;
  /** The name of this gateway. */
  readonly node: string;
  readonly index: Pick<SessionIndexKeys, 'restore'>;
  readonly leases: Pick<RedisLeases, 'restore'>;
  readonly records: RecordStore;
  readonly log: (line: string) => void;
}

/**
 * Puts right what one server lost of what it keeps about sessions of others, or what a gateway that died did not come to: a
 * session that no list shows, a lease that nobody would end, a record that was written down and not written. It goes over the keys a
 * few at a time, and each server has one gateway that does.
 */
export class Sweep {
  readonly #parts: SweepParts;
  readonly #timer: NodeJS.Timeout;
  /** Where it is, by server. */
  readonly #cursors = new Map<string, string>();
  #running = false;
  #restored = 0;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#step(), STEP_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #step(): Promise<void> {
    const { link, log } = this.#parts;
    if (this.#running || !link.up) return;
    this.#running = true;
    try {
      await Promise.all((await this.#own()).map((server) => this.#sweep(server)));
      if (this.#restored > 0) log(`Redis had lost ${this.#restored} entries of the list of sessions or leases: they are there again.`);
    } catch (error) {
      if (!isUnavailable(error)) {
        log(`Redis does not let its keys be looked at, so that what its lists may lose stays lost: ${(error as Error).message}`);
        this.close();
      }
    }
    this.#restored = 0;
    this.#running = false;
  }

  /** The servers that are swept here: those that were, and others that nobody sweeps. */
  async #own(): Promise<string[]> {
    const { link, keys, node } = this.#parts;
    const own: string[] = [];
    const servers = [...link.servers].sort((a, b) => Number(this.#cursors.has(b)) - Number(this.#cursors.has(a)));
    for (const server of servers) {
      if (own.length === SERVERS) break;
      if ((await link.run(CLAIM, [keys.sweeper(server)], [node, String(CLAIM_MS)])) === 1) own.push(server);
    }
    for (const server of this.#cursors.keys()) if (!own.includes(server)) this.#cursors.delete(server);
    return own;
  }

  async #sweep(server: string): Promise<void> {
    const { link, keys, index, leases } = this.#parts;
    const { cursor, keys: found } = await link.scan(server, this.#cursors.get(server) ?? '0', keys.swept, STEP_KEYS);
    const sessions = { head: [] as string[], leases: [] as string[], owed: [] as string[] };
    for (const key of found) {
      const owner = keys.ownerOf(key);
      const part = owner?.part;
      if (owner && (part === 'head' || part === 'leases' || part === 'owed')) sessions[part].push(owner.session);
    }
    const restore = (some: readonly string[]): Promise<void> => index.restore(some).then((count) => void (this.#restored += count));
    // One that is damaged must not keep the others from it.
    if (!(await isDone(restore(sessions.head)))) for (const session of sessions.head) await isDone(restore([session]));
    for (const session of sessions.leases) await isDone(leases.restore(session).then((count) => void (this.#restored += count)));
    for (const session of sessions.owed) await isDone(this.#settle(session));
    // Only when all of it is done.
    this.#cursors.set(server, cursor);
  }

  async #settle(session: string): Promise<void> {
    const { link, keys, records } = this.#parts;
    const { owed } = keys.session(session);
    const reply = (await link.run(OWED, [owed], [String(OWED_SECONDS)])) as string[];
    for (let n = 0; n + 2 < reply.length; n += 3) {
      const [name = '', id = '', value = ''] = reply.slice(n, n + 3);
      await records.write([owedRecord(name, value)]);
      await link.run(SETTLE, [owed], [name, id]);
    }
  }
}

/** Whether something came to its end. Rejects when Redis is away. */
async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return false;
  }
}
