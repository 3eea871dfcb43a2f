import { fromText, toText } from '../key-text.ts';

/** Names of keys. All of one session have one hash tag, so that a script finds them on one node of a cluster. */
export interface Keys {
  readonly shards: number;
  /** The head, operations, tombstones, their attempts, stream, reservation, receipts, their order, leases, holds and owed records of a session. */
  session(session: string): SessionKeys;
  /** The part of the index a session is in. */
  shardOf(session: string): number;
  written(shard: number): string;
  open(shard: number): string;
  leases(shard: number): string;
  readonly recordCounter: string;
  recordValues(kind: string): string;
  recordVersions(kind: string): string;
  channel(session: string): string;
  /** Says who sweeps a server. */
  sweeper(server: string): string;
  /** What matches all keys that are swept, and others too. */
  readonly swept: string;
  /** The session a key is of, and which of its keys it is; undefined for a key of no session. */
  ownerOf(key: string): { readonly session: string; readonly part: string } | undefined;
}

/** Keys of a session, in the order scripts are given them. */
export interface SessionKeys {
  readonly head: string;
  readonly operations: string;
  readonly tombstones: string;
  readonly attempts: string;
  readonly stream: string;
  readonly reservation: string;
  readonly receipts: string;
  readonly receiptOrder: string;
  readonly leases: string;
  readonly holds: string;
  readonly owed: string;
}

/** @param prefix what all names begin with. No brace may be in it, or the tag would not be one. */
export function createKeys(prefix: string, shards: number): Keys {
  if (/[{}]/.test(prefix)) throw new RangeError('prefix must not hold a brace.');
  // Escaped, no name can end the tag early or leave it empty.
  const tag = (session: string): string => `${prefix}{${encodeURIComponent(toText(session))}}`;
  const index = (shard: number): string => `${prefix}{index-${shard}}`;
  const records = `${prefix}{records}`;
  return {
    shards,
    session(session) {
      const own = tag(session);
      return {
        head: `${own}:head`,
        operations: `${own}:operations`,
        tombstones: `${own}:tombstones`,
        attempts: `${own}:attempts`,
        stream: `${own}:events`,
        reservation: `${own}:reserved`,
        receipts: `${own}:receipts`,
        receiptOrder: `${own}:receipt-order`,
        leases: `${own}:leases`,
        holds: `${own}:holds`,
        owed: `${own}:owed`,
      };
    },
    shardOf: (session) => (shards === 1 ? 0 : hash(session) % shards),
    written: (shard) => `${index(shard)}:index-written`,
    open: (shard) => `${index(shard)}:index-open`,
    leases: (shard) => `${index(shard)}:index-leases`,
    recordCounter: `${records}:record-counter`,
    recordValues: (kind) => `${records}:record-values:${kind}`,
    recordVersions: (kind) => `${records}:record-versions:${kind}`,
    channel: tag,
    sweeper: (server) => `${index(0)}:sweeper:${server}`,
    // head, leases, owed
    swept: `${prefix.replaceAll(/[\\*?[\]^]/g, '\\$&')}{*}:[hlo][ew][ae]*`,
    ownerOf(key) {
      const end = key.indexOf('}:', prefix.length);
      if (!key.startsWith(`${prefix}{`) || end < 0) return undefined;
      try {
        return { session: fromText(decodeURIComponent(key.slice(prefix.length + 1, end))), part: key.slice(end + 2) };
      } catch {
        // Somebody else's.
        return undefined;
      }
    },
  };
}

/** FNV-1a over UTF-16 units: the same for every node, whatever its version. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) value = Math.imul(value ^ text.charCodeAt(n), 0x01000193);
  return value >>> 0;
}

/** Things about sessions by the part of the index their sessions are in. */
export function byShard<T extends { readonly session: string }>(keys: Keys, items: readonly T[]): Map<number, T[]> {
  const shards = new Map<number, T[]>();
  for (const item of items) {
    const shard = keys.shardOf(item.session);
    const own = shards.get(shard);
    if (own) own.push(item);
    else shards.set(shard, [item]);
  }
  return shards;
}
