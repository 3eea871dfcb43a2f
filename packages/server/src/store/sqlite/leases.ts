import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Hold, Lease, LeaseStore } from '../lease-store.ts';
import { fromText, toText } from '../key-text.ts';

/** Leases in a database, and what a commit does to them inside its transaction. */
export interface SqliteLeases extends LeaseStore {
  /** @param id the row of the session */
  commit(id: number, change: { readonly leases?: readonly Lease[] | undefined; readonly holds?: readonly Hold[] | undefined }): void;
}

/** Runs something as one transaction. */
export type Transact = <T>(run: () => T) => T;

/** Makes the leases of a SQLite store. */
export function createSqliteLeases(db: DatabaseSync, transact: Transact): SqliteLeases {
  const sql = {
    put: db.prepare(
      'INSERT INTO leases VALUES (?, ?, ?, ?) ON CONFLICT (session_id, producer) DO UPDATE SET ttl = excluded.ttl, expires_at = excluded.expires_at',
    ),
    hold: db.prepare('INSERT INTO holds VALUES (?, ?, ?) ON CONFLICT (session_id, key) DO UPDATE SET producer = excluded.producer'),
    release: db.prepare('DELETE FROM holds WHERE session_id = ? AND key = ?'),
    renew: db.prepare(
      'UPDATE leases SET ttl = ?, expires_at = ? WHERE session_id = (SELECT id FROM sessions WHERE session = ?) AND producer = ? RETURNING session_id',
    ),
    count: db.prepare('SELECT count(*) AS n FROM holds WHERE session_id = ? AND producer = ?'),
    expired: db.prepare(
      `SELECT session, producer, ttl, expires_at FROM leases JOIN sessions ON id = session_id
       WHERE expires_at <= ? OR expires_at > ? ORDER BY expires_at LIMIT ?`,
    ),
    leases: db.prepare('SELECT session, producer, ttl, expires_at FROM leases JOIN sessions ON id = session_id WHERE session = ?'),
    holds: db.prepare('SELECT key, producer FROM holds WHERE session_id = (SELECT id FROM sessions WHERE session = ?)'),
    drop: db.prepare(
      'DELETE FROM leases WHERE session_id = (SELECT id FROM sessions WHERE session = ?) AND producer = ? AND expires_at = ? RETURNING session_id',
    ),
    dropHolds: db.prepare('DELETE FROM holds WHERE session_id = ? AND producer = ?'),
  };
  return {
    commit(id, { leases = [], holds = [] }) {
      for (const { producer, ttl, expiresAt } of leases) sql.put.run(id, producer, ttl, expiresAt);
      for (const { key, producer } of holds) {
        if (producer === undefined) sql.release.run(id, toText(key));
        else sql.hold.run(id, toText(key), producer);
      }
    },
    async renew(leases) {
      return transact(() =>
        leases.map(({ session, producer, ttl, expiresAt }) => {
          const row = sql.renew.get(ttl, expiresAt, session, producer);
          return row ? Number(sql.count.get(row['session_id'] as number, producer)?.['n']) : undefined;
        }),
      );
    },
    async expired({ now, until, limit }) {
      return sql.expired.all(now, until, limit).map(leaseOf);
    },
    async of(session) {
      const holds = sql.holds.all(session).map(({ key, producer }): [string, string] => [fromText(key as string), producer as string]);
      return { leases: sql.leases.all(session).map(leaseOf), holds: new Map(holds) };
    },
    async drop({ session, producer, expiresAt }) {
      transact(() => {
        const row = sql.drop.get(session, producer, expiresAt);
        if (row) sql.dropHolds.run(row['session_id'] as number, producer);
      });
    },
  };
}

function leaseOf(row: Record<string, SQLOutputValue>): Lease {
  return {
    session: row['session'] as string,
    producer: row['producer'] as string,
    ttl: row['ttl'] as number,
    expiresAt: row['expires_at'] as number,
  };
}
