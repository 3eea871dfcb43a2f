import { fromText, toText } from '../key-text.ts';
import type { SessionChange, SessionSummary } from '../store.ts';
import { byShard } from './keys.ts';
import type { Keys } from './keys.ts';
import type { RedisLink } from './link.ts';
import { FORGET, MISSING, NEWEST, OLDEST, RESTORE, TOUCH } from './scripts.ts';

/** Sessions asked for at a time while listing. */
const PAGE = 250;

/** A session with its place in the order of writes. */
interface Placed {
  readonly session: string;
  readonly place: string;
}

interface Touched {
  /** Parts of the index that hold more sessions than they should, and by how many. */
  readonly excess: ReadonlyMap<number, number>;
  readonly places: ReadonlyMap<string, string>;
  readonly faults: ReadonlyMap<string, unknown>;
}

/**
 * The order sessions were written in, and which are open. A session is noted before it is written and taken out after it is
 * gone, so that the index may name too many and never too few; whoever reads it looks at each session itself.
 */
export class SessionIndexKeys {
  readonly #link: RedisLink;
  readonly #keys: Keys;
  /** Sessions kept in one part. */
  readonly #limit: number;
  readonly #summaries: (sessions: readonly string[]) => Promise<readonly (SessionSummary | undefined)[]>;

  constructor(
    link: RedisLink,
    keys: Keys,
    limit: number,
    summaries: (sessions: readonly string[]) => Promise<readonly (SessionSummary | undefined)[]>,
  ) {
    this.#link = link;
    this.#keys = keys;
    this.#limit = Math.ceil(limit / keys.shards);
    this.#summaries = summaries;
  }

  /** Notes sessions that are about to be written. Never rejects: those that could not be noted have a fault. */
  async touch(changes: readonly SessionChange[]): Promise<Touched> {
    const excess = new Map<number, number>();
    const places = new Map<string, string>();
    const faults = new Map<string, unknown>();
    const touch = async (shard: number, own: readonly SessionChange[]): Promise<void> => {
      const args = own.flatMap(({ session, open }) => [toText(session), open ? '1' : '0']);
      const keys = [this.#keys.written(shard), this.#keys.open(shard)];
      const [over, given] = (await this.#link.run(TOUCH, keys, [String(this.#limit), ...args])) as [number, string[]];
      if (over > 0) excess.set(shard, over);
      own.forEach(({ session }, n) => places.set(session, given[n] ?? ''));
    };
    await Promise.all(
      [...byShard(this.#keys, changes)].map(([shard, own]) =>
        touch(shard, own).catch((error: unknown) => {
          for (const { session } of own) faults.set(session, error);
        }),
      ),
    );
    return { excess, places, faults };
  }

  /** Takes sessions that have nothing open any more off the list of open ones, unless they were written again. Never rejects. */
  async closed(sessions: readonly Placed[]): Promise<void> {
    await this.#forget(sessions, (shard) => [this.#keys.open(shard)]);
  }

  /** Takes sessions out that are gone. Never rejects. */
  async gone(sessions: readonly Placed[]): Promise<void> {
    await this.#forget(sessions, (shard) => [this.#keys.written(shard), this.#keys.open(shard)]);
  }

  /** The least recently written sessions of one part. */
  async oldest(shard: number, count: number): Promise<readonly Placed[]> {
    return placed((await this.#link.run(OLDEST, [this.#keys.written(shard)], [String(count)])) as string[]);
  }

  /** Puts sessions in that are there and that it does not know. Answers how many those were. */
  async restore(sessions: readonly string[]): Promise<number> {
    const known = sessions.map((session) => ({ session }));
    const counts = await Promise.all(
      [...byShard(this.#keys, known)].map(async ([shard, own]) => {
        const names = own.map(({ session }) => toText(session));
        const [written, open] = [this.#keys.written(shard), this.#keys.open(shard)];
        const [unwritten, closed] = (await Promise.all([
          this.#link.run(MISSING, [written], names),
          this.#link.run(MISSING, [open], names),
        ])) as [string[], string[]];
        const unknown = new Set(unwritten);
        const looked = [...new Set([...unwritten, ...closed])];
        const summaries = await this.#summaries(looked.map(fromText));
        const found = looked.flatMap((name, n) => {
          const summary = summaries[n];
          return summary ? [{ name, open: summary.open, place: String(summary.updatedAt * 1_000) }] : [];
        });
        const lost = found.filter(({ name }) => unknown.has(name));
        const lostOpen = found.filter((each) => each.open);
        const restored = lost.length > 0 ? await this.#link.run(RESTORE, [written], lost.flatMap(placeAndName)) : 0;
        const opened = lostOpen.length > 0 ? await this.#link.run(RESTORE, [open], lostOpen.flatMap(placeAndName)) : 0;
        return Math.max(restored as number, opened as number);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Sessions, most recently written first. */
  async list(limit: number, open: boolean): Promise<readonly SessionSummary[]> {
    const found: SessionSummary[] = [];
    const newest = merged(
      Array.from({ length: this.#keys.shards }, (_, shard) => this.#pages(open ? this.#keys.open(shard) : this.#keys.written(shard))),
    );
    for (let page = await take(newest, PAGE); page.length > 0 && found.length < limit; page = await take(newest, PAGE)) {
      const summaries = await this.#summaries(page.map(({ session }) => session));
      const stale = page.filter((_, n) => !summaries[n]);
      const closed = open ? page.filter((_, n) => summaries[n] && !summaries[n].open) : [];
      for (const summary of summaries) if (summary && (!open || summary.open)) found.push(summary);
      if (stale.length > 0) void this.gone(stale);
      if (closed.length > 0) void this.closed(closed);
    }
    return found.slice(0, limit);
  }

  async *#pages(key: string): AsyncGenerator<Placed> {
    for (let first = 0; ; first += PAGE) {
      const page = placed((await this.#link.run(NEWEST, [key], [String(first), String(first + PAGE - 1)])) as string[]);
      yield* page;
      if (page.length < PAGE) return;
    }
  }

  async #forget(sessions: readonly Placed[], keysOf: (shard: number) => string[]): Promise<void> {
    await Promise.allSettled(
      [...byShard(this.#keys, sessions)].map(([shard, own]) =>
        this.#link.run(
          FORGET,
          keysOf(shard),
          own.flatMap(({ session, place }) => [toText(session), place]),
        ),
      ),
    );
  }
}

function placeAndName({ place, name }: { readonly place: string; readonly name: string }): [string, string] {
  return [place, name];
}

function placed(reply: readonly string[]): Placed[] {
  const found: Placed[] = [];
  for (let n = 0; n + 1 < reply.length; n += 2) found.push({ session: fromText(reply[n] ?? ''), place: reply[n + 1] ?? '' });
  return found;
}

/** Several orders as one, the highest place first. A session that moved while it was read comes once. */
async function* merged(orders: readonly AsyncGenerator<Placed>[]): AsyncGenerator<Placed> {
  const seen = new Set<string>();
  const heads = await Promise.all(orders.map((order) => order.next()));
  for (;;) {
    let best = -1;
    for (const [n, head] of heads.entries()) {
      if (head.done) continue;
      const other = heads[best];
      if (!other || other.done || Number(head.value.place) > Number(other.value.place)) best = n;
    }
    const head = heads[best];
    if (!head || head.done) return;
    if (!seen.has(head.value.session)) yield head.value;
    seen.add(head.value.session);
    heads[best] = await (orders[best] as AsyncGenerator<Placed>).next();
  }
}

async function take(from: AsyncGenerator<Placed>, count: number): Promise<Placed[]> {
  const taken: Placed[] = [];
  while (taken.length < count) {
    const next = await from.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}
