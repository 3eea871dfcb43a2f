import { fromText, toText } from '../key-text.ts';
import type { Lease, LeaseStore } from '../lease-store.ts';
import { byShard } from './keys.ts';
import type { Keys } from './keys.ts';
import type { RedisLink } from './link.ts';
import { END_LEASE, FORGET, LEASE, LEASES, OUTSIDE, PLACE, RENEW } from './scripts.ts';

/** Leases on Redis. */
export interface RedisLeases extends LeaseStore {
  /** Notes when leases end, before they are written: what is noted and not there is found out by whoever looks for ended ones. */
  note(leases: readonly Lease[]): Promise<void>;
}

/** Makes the leases of a Redis store. They stand with their sessions; an index says which end when. */
export function createRedisLeases(link: RedisLink, keys: Keys): RedisLeases {
  const memberOf = ({ session, producer }: { session: string; producer: string }): string => `${producer} ${toText(session)}`;

  async function note(leases: readonly Lease[]): Promise<void> {
    await Promise.all(
      [...byShard(keys, leases)].map(([shard, own]) =>
        link.run(
          PLACE,
          [keys.leases(shard)],
          own.flatMap((lease) => [String(lease.expiresAt), memberOf(lease)]),
        ),
      ),
    );
  }

  /** A lease the index speaks of, as it is; the index is corrected where it is wrong. */
  async function look(shard: number, member: string, place: string): Promise<Lease | undefined> {
    const space = member.indexOf(' ');
    const session = fromText(member.slice(space + 1));
    const producer = member.slice(0, space);
    const value = (await link.run(LEASE, [keys.session(session).leases], [producer])) as string | null;
    const lease = value === null ? undefined : leaseOf(session, producer, value);
    if (!lease) await link.run(FORGET, [keys.leases(shard)], [member, place]);
    else if (String(lease.expiresAt) !== place) await link.run(PLACE, [keys.leases(shard)], [String(lease.expiresAt), member]);
    return lease;
  }

  return {
    note,
    async renew(leases) {
      const held = await Promise.all(
        leases.map(async ({ session, producer, ttl, expiresAt }) => {
          const own = keys.session(session);
          return (await link.run(RENEW, [own.leases, own.holds], [producer, `${ttl}:${expiresAt}`])) as number;
        }),
      );
      await note(leases.filter((_, n) => held[n] !== -1));
      return held.map((count) => Math.max(0, count));
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
    async of(session) {
      const own = keys.session(session);
      const [leases, holds] = (await link.run(LEASES, [own.leases, own.holds], [])) as [string[], string[]];
      return {
        leases: pairs(leases).map(([producer, value]) => leaseOf(session, producer, value)),
        holds: new Map(pairs(holds).map(([key, producer]) => [fromText(key), producer])),
      };
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
