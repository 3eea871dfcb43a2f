import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { RecordStore, RecordWrite, StoredRecord } from '../records.ts';

/** Records in a database that `migrate` prepared. `put` joins the transaction that is open. */
export function sqliteRecords(db: DatabaseSync): RecordStore & { put(write: RecordWrite): void } {
  const sql = {
    get: db.prepare('SELECT key, value, n AS version FROM records WHERE kind = ? AND key = ?'),
    list: db.prepare('SELECT key, value, n AS version FROM records WHERE kind = ? ORDER BY n LIMIT ?'),
    // The row is a new one each time, so that its number is the version and the order.
    put: db.prepare('INSERT OR REPLACE INTO records (kind, key, value) VALUES (?, ?, ?)'),
    remove: db.prepare('DELETE FROM records WHERE kind = ? AND key = ?'),
  };

  function put({ kind, key, value }: RecordWrite): void {
    if (value === null) sql.remove.run(kind, key);
    else sql.put.run(kind, key, value);
  }

  function get(kind: string, key: string): StoredRecord | undefined {
    const row = sql.get.get(kind, key);
    return row && recordOf(row);
  }

  function writeAll(writes: readonly RecordWrite[]): boolean {
    db.exec('BEGIN IMMEDIATE');
    try {
      const fits = writes.every(({ kind, key, expected }) => expected === undefined || expected === (get(kind, key)?.version ?? 0));
      if (fits) for (const write of writes) put(write);
      db.exec(fits ? 'COMMIT' : 'ROLLBACK');
      return fits;
    } catch (error) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // A full disk may already have rolled back by itself.
      }
      throw error;
    }
  }

  return {
    put,
    get: async (kind, key) => get(kind, key),
    list: async (kind, { limit } = {}) => sql.list.all(kind, limit ?? -1).map(recordOf),
    write: async (writes) => writeAll(writes),
  };
}

function recordOf(row: Record<string, SQLOutputValue>): StoredRecord {
  return { key: row['key'] as string, value: row['value'] as string, version: row['version'] as number };
}
