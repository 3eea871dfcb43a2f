import { fromText, toText } from '../key-text.ts';
import type { RecordStore } from '../records.ts';
import type { Keys } from './keys.ts';
import type { RedisLink } from './link.ts';
import { LIST_RECORDS, RECORD, RECORDS } from './scripts.ts';

/** The keys of records of one kind: values and versions. */
export function recordKeys(keys: Keys, kind: string): [string, string] {
  return [keys.recordValues(kind), keys.recordVersions(kind)];
}

/** A value, or null for none, as scripts are told it. */
export function recordText(value: string | null): string {
  return value === null ? '' : `=${value}`;
}

/** The value that `recordText` wrote. */
export function recordValue(text: string): string | null {
  return text === '' ? null : text.slice(1);
}

/** Records on Redis, all of them on one node of a cluster, so that several are written in one transaction. */
export function createRedisRecords(link: RedisLink, keys: Keys): RecordStore {
  const both = (kind: string): [string, string] => recordKeys(keys, kind);
  return {
    async get(kind, key) {
      const [value, version] = (await link.run(RECORD, both(kind), [toText(key)])) as [string | null, string | null];
      return value === null || version === null ? undefined : { key, value, version: Number(version) };
    },
    async list(kind, { limit = 0 } = {}) {
      const reply = (await link.run(LIST_RECORDS, both(kind), [String(limit - 1)])) as string[];
      return Array.from({ length: Math.floor(reply.length / 3) }, (_, n) => ({
        key: fromText(reply[n * 3] ?? ''),
        version: Number(reply[n * 3 + 1]),
        value: reply[n * 3 + 2] ?? '',
      }));
    },
    async write(writes) {
      if (writes.length === 0) return true;
      const names = [keys.recordCounter, ...writes.flatMap(({ kind }) => both(kind))];
      const args = writes.flatMap(({ key, value, expected }) => [
        toText(key),
        recordText(value),
        expected === undefined ? '' : String(expected),
      ]);
      return (await link.run(RECORDS, names, args)) === 1;
    },
  };
}
