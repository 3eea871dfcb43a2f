import { fromText, toText } from '../key-text.ts';
import type { Lease, LeaseStore, SessionLeases } from '../lease-store.ts';
import { byShard } from './keys.ts';
import type { Keys } from './keys.ts';
import type { SessionChange } from '../store.ts';
import type { RedisLink } from './link.ts';
import { END_LEASE, FORGET, LEASE, LEASES, OUTSIDE, PLACE, RENEW, RESTORE, TIME } from './scripts.ts';

/** Leases on Redis. */
export interface RedisLeases extends LeaseStore {
  /**
   * Notes when leases of changes end, before they are written: what is noted and not there is found out by whoever looks for
   * ended ones. Answers the sessions for which that failed. Never rejects.
   */
  note(changes: readonly SessionChange[]): Promise<ReadonlyMap<string, unknown>>;
  /** Notes leases of a session that the index does not know. Answers how many those were. */
  restore(session: string): Promise<number>;
}

/** Makes the leases of a Redis store. They stand with their sessions; an index says which end when. */
export function createRedisLeases(link: RedisLink, keys: Keys): RedisLeases {
  const memberOf = ({ session, producer }: { session: string; producer: string }): string => `${producer} ${toText(session)}`;

  async function place(leases: readonly Lease[]): Promise<ReadonlyMap<string, unknown>> {
    const faults = new Map<string, unknown>();
    await Promise.all(
      [...byShard(keys, leases)].map(async ([shard, own]) => {
        const ends = own.flatMap((lease) => [String(lease.expiresAt), memberOf(lease)]);
        await link.run(PLACE, [keys.leases(shard)], ends).catch((error: unknown) => {
          for (const { session } of own) faults.set(session, error);
        });
      }),
    );
    return faults;
  }

  /** A lease the index speaks of, as it is; the index is corrected where it is wrong. */
  async function look(shard: number, member: string, stood: string): Promise<Lease | undefined> {
    const space = member.indexOf(' ');
    const session = fromText(member.slice(space + 1));
    const producer = member.slice(0, space);
    const value = (await link.run(LEASE, [keys.session(session).leases], [producer])) as string | null;
    const lease = value === null ? undefined : leaseOf(session, producer, value);
    if (!lease) await link.run(FORGET, [keys.leases(shard)], [member, stood]);
    else if (String(lease.expiresAt) !== stood) await link.run(PLACE, [keys.leases(shard)], [String(lease.expiresAt), member]);
    return lease;
  }

  async function of(session: string): Promise<SessionLeases> {
    const own = keys.session(session);
    const [leases, holds] = (await link.run(LEASES, [own.leases, own.holds], [])) as [string[], string[]];
    return {
      leases: pairs(leases).map(([producer, value]) => leaseOf(session, producer, value)),
      holds: new Map(pairs(holds).map(([key, producer]) => [fromText(key), producer])),
    };
  }

  return {
    of,
    async restore(session) {
      const { leases } = await of(session);
      if (leases.length === 0) return 0;
      const ends = leases.flatMap((lease) => [String(lease.expiresAt), memberOf(lease)]);
      return (await link.run(RESTORE, [keys.leases(keys.shardOf(session))], ends)) as number;
    },
    note: (changes) => place(changes.flatMap(({ leases }) => leases ?? [])),
    async renew(leases) {
      const held = await Promise.all(
        leases.map(async ({ session, producer, ttl, expiresAt }) => {
          const own = keys.session(session);
          return (await link.run(RENEW, [own.leases, own.holds], [producer, `${ttl}:${expiresAt}`])) as number;
        }),
      );
      // Where that fails, whoever finds the lease ended looks at the lease itself and puts it right.
      await place(leases.filter((_, n) => held[n] !== -1));
      return held.map((count) => (count === -1 ? undefined : count));
    },
    async expired({ now, until, limit }) {
      const found: Lease[] = [];
      await Promise.all(
        Array.from({ length: keys.shards }, async (_, shard) => {
          const reply = (await link.run(OUTSIDE, [keys.leases(shard)], [String(now), String(until), String(limit)])) as string[];
          const looked: Promise<Lease | undefined>[] = [];
          for (let n = 0; n + 1 < reply.length; n += 2) looked.push(look(shard, reply[n] ?? '', reply[n + 1] ?? ''));
          for (const lease of await Promise.all(looked)) {
            if (lease && (lease.expiresAt <= now || lease.expiresAt > until)) found.push(lease);
          }
        }),
      );
      return found.sort((a, b) => a.expiresAt - b.expiresAt).slice(0, limit);
    },
    async time() {
      return (await link.run(TIME, [keys.leases(0)], [])) as number;
    },
    async drop({ session, producer, ttl, expiresAt }) {
      const own = keys.session(session);
      const ended = await link.run(END_LEASE, [own.leases, own.holds], [producer, `${ttl}:${expiresAt}`]);
      if (ended === 1) await link.run(FORGET, [keys.leases(keys.shardOf(session))], [memberOf({ session, producer }), String(expiresAt)]);
    },
  };
}

function leaseOf(session: string, producer: string, value: string): Lease {
  const colon = value.indexOf(':');
  return { session, producer, ttl: Number(value.slice(0, colon)), expiresAt: Number(value.slice(colon + 1)) };
}

function pairs(flat: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  for (let n = 0; n + 1 < flat.length; n += 2) found.push([flat[n] ?? '', flat[n + 1] ?? '']);
  return found;
}
