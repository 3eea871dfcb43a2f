import { toText } from '../key-text.ts';

/** Names of keys. All of one session have one hash tag, so that a script finds them on one node of a cluster. */
export interface Keys {
  readonly shards: number;
  /** The head, operations, tombstones, their attempts, stream, reservation, receipts, their order, leases and holds of a session. */
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
