import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Activity } from '@sitrep/schema/select';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { AgeCheck, isReceiptOnly } from '../limits.ts';
import type { ResolvedStoreLimits } from '../limits.ts';
import type { LeaseStore, LoggedEvent, RecordStore, SessionChange, SessionSummary, Store } from '../store.ts';
import { createSqliteLeases } from './leases.ts';
import { sqliteRecords } from './records.ts';
import { fromText, toText } from '../key-text.ts';

type Row = Record<string, SQLOutputValue>;

/** A store over one open database, and what is needed to look after it. */
export interface SqliteTables extends Store {
  readonly records: RecordStore;
  readonly leases: LeaseStore;
  readonly db: DatabaseSync;
}

/** Prepares everything that is asked of the database. It was opened by `openDatabase`. */
export function openTables(db: DatabaseSync, keep: ResolvedStoreLimits): SqliteTables {
  const age = new AgeCheck(keep.sessionAge);
  // Bytes written of each session since its log was last measured: measuring at every commit would cost more than writing.
  const unmeasured = new Map<number, number>();
  const unmeasuredReceipts = new Map<number, number>();
  const sql = {
    find: db.prepare('SELECT * FROM sessions WHERE session = ?'),
    create: db.prepare(
      'INSERT INTO sessions (session, epoch, seq, created_at, updated_at, written, activity, open) VALUES (?, ?, 0, ?, 0, 0, ?, 0) RETURNING id',
    ),
    update: db.prepare(
      'UPDATE sessions SET epoch = ?, seq = ?, updated_at = ?, written = ?, activity = ?, open = ?, title = ?, usage = ? WHERE id = ?',
    ),
    card: db.prepare('INSERT INTO cards VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET record = excluded.record'),
    runs: db.prepare('INSERT INTO runs VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET records = excluded.records'),
    operation: db.prepare(
      'INSERT INTO operations VALUES (?, ?, ?, ?) ON CONFLICT (session_id, key) DO UPDATE SET position = excluded.position, record = excluded.record',
    ),
    removeOperation: db.prepare('DELETE FROM operations WHERE session_id = ? AND key = ?'),
    tombstone: db.prepare('INSERT OR REPLACE INTO tombstones (session_id, key, attempt) VALUES (?, ?, ?)'),
    removeTombstone: db.prepare('DELETE FROM tombstones WHERE session_id = ? AND key = ?'),
    trimTombstones: db.prepare(
      'DELETE FROM tombstones WHERE session_id = ?1 AND n <= (SELECT n FROM tombstones WHERE session_id = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)',
    ),
    event: db.prepare('INSERT INTO events VALUES (?, ?, ?, ?)'),
    trimEvents: db.prepare('DELETE FROM events WHERE session_id = ? AND seq <= ?'),
    trimEventBytes: db.prepare(
      `DELETE FROM events WHERE session_id = ?1 AND seq <= (SELECT max(seq) FROM (
         SELECT seq, sum(length(CAST(data AS BLOB))) OVER (ORDER BY seq DESC) AS total FROM events WHERE session_id = ?1
       ) WHERE total > ?2)`,
    ),
    receipt: db.prepare(
      'SELECT key, digest, answer, at FROM receipts WHERE session_id = (SELECT id FROM sessions WHERE session = ?) AND key = ?',
    ),
    addReceipt: db.prepare('INSERT OR REPLACE INTO receipts (session_id, key, digest, answer, at) VALUES (?, ?, ?, ?, ?)'),
    trimReceipts: db.prepare(
      `DELETE FROM receipts WHERE session_id = ?1 AND (at < ?3 OR
         n <= (SELECT n FROM receipts WHERE session_id = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2))`,
    ),
    reset: ['cards', 'runs', 'operations', 'events', 'holds', 'leases'].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE session_id = ?`),
    ),
    dropOld: db.prepare('DELETE FROM sessions WHERE updated_at < ? RETURNING session'),
    eventsAfter: db.prepare('SELECT seq, type, data FROM events WHERE session_id = ? AND seq > ? ORDER BY seq'),
    loadCard: db.prepare('SELECT record FROM cards WHERE session_id = ?'),
    loadRuns: db.prepare('SELECT records FROM runs WHERE session_id = ?'),
    loadOperations: db.prepare('SELECT key, position, record FROM operations WHERE session_id = ? ORDER BY position'),
    loadTombstones: db.prepare('SELECT key, attempt FROM tombstones WHERE session_id = ? ORDER BY n'),
    list: db.prepare('SELECT * FROM sessions WHERE open >= ? ORDER BY written DESC LIMIT ?'),
    count: db.prepare('SELECT count(*) AS n FROM sessions'),
    lastWritten: db.prepare('SELECT coalesce(max(written), 0) AS n FROM sessions'),
    drop: db.prepare('DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY written LIMIT ?) RETURNING session'),
  };
  const { put, ...records } = sqliteRecords(db);
  const leases = createSqliteLeases(db, transact);
  // A counter, not the clock: two commits may fall into one millisecond and a clock may jump back.
  let written = Number(sql.lastWritten.get()?.['n']);

  function store(change: SessionChange): void {
    const { session, epoch, seq, updatedAt } = change;
    const id = (sql.find.get(session) ?? sql.create.get(session, epoch, updatedAt, change.activity))?.['id'] as number;
    remember(id, change);
    if (isReceiptOnly(change)) return;
    if (change.reset) for (const statement of sql.reset) statement.run(id);
    const usage = change.usage ? JSON.stringify(change.usage) : null;
    sql.update.run(epoch, seq, updatedAt, ++written, change.activity, change.open ? 1 : 0, change.title ?? null, usage, id);
    if (change.card) sql.card.run(id, JSON.stringify(change.card));
    if (change.runs) sql.runs.run(id, JSON.stringify(change.runs));
    for (const gone of change.removed) {
      sql.removeOperation.run(id, toText(gone.key));
      sql.tombstone.run(id, toText(gone.key), gone.attempt);
    }
    if (change.removed.length > 0) sql.trimTombstones.run(id, keep.tombstones);
    for (const { key, position, record } of change.operations) {
      sql.operation.run(id, toText(key), position, JSON.stringify(record));
      if (position > seq - change.events.length) sql.removeTombstone.run(id, toText(key));
    }
    for (const event of change.events) {
      if (event.seq > seq - keep.events) sql.event.run(id, event.seq, event.type, event.data);
    }
    if (seq > keep.events) sql.trimEvents.run(id, seq - keep.events);
    leases.commit(id, change);
    trimBytes(id, change.events);
    for (const record of change.records ?? []) put(record);
  }

  function transact<T>(run: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const answer = run();
      db.exec('COMMIT');
      return answer;
    } catch (error) {
      try {
        db.exec('ROLLBACK');
      } catch {
        // A full disk may already have rolled back by itself.
      }
      throw error;
    }
  }

  function trimBytes(id: number, events: readonly LoggedEvent[]): void {
    let bytes = unmeasured.get(id) ?? 0;
    for (const { data } of events) bytes += Buffer.byteLength(data);
    if (bytes <= keep.eventBytes / 4) {
      if (unmeasured.size > 2 * keep.sessions) unmeasured.clear();
      unmeasured.set(id, bytes);
      return;
    }
    sql.trimEventBytes.run(id, keep.eventBytes);
    unmeasured.delete(id);
  }

  function remember(id: number, { receipts = [], updatedAt }: SessionChange): void {
    if (receipts.length === 0) return;
    for (const { key, digest, answer, at } of receipts) sql.addReceipt.run(id, key, digest, answer, at);
    const count = (unmeasuredReceipts.get(id) ?? 0) + receipts.length;
    if (count > keep.receipts / 4) sql.trimReceipts.run(id, keep.receipts, updatedAt - keep.receiptAge);
    if (unmeasuredReceipts.size > 2 * keep.sessions) unmeasuredReceipts.clear();
    unmeasuredReceipts.set(id, count > keep.receipts / 4 ? 0 : count);
  }

  return {
    kind: 'file',
    db,
    records,
    leases,
    async load(session) {
      const head = sql.find.get(session);
      if (!head) return undefined;
      const id = head['id'] as number;
      const { epoch, seq, updatedAt, title } = summary(head);
      const usage = head['usage'] === null ? undefined : json<Usage>(head['usage']);
      const card = sql.loadCard.get(id);
      const runs = sql.loadRuns.get(id);
      return {
        session,
        epoch,
        seq,
        updatedAt,
        title,
        usage,
        card: card ? json<CardRecord>(card['record']) : { revision: 0, card: null },
        runs: runs ? json<Run[]>(runs['records']) : [],
        operations: sql.loadOperations.all(id).map((row) => ({
          key: fromText(row['key'] as string),
          position: row['position'] as number,
          record: json<Operation>(row['record']),
        })),
        tombstones: sql.loadTombstones.all(id).map((row) => ({ key: fromText(row['key'] as string), attempt: row['attempt'] as number })),
      };
    },
    async commit(changes) {
      return transact(() => {
        for (const change of changes) store(change);
        const excess = Number(sql.count.get()?.['n']) - keep.sessions;
        const dropped = excess > 0 ? sql.drop.all(excess).map((row) => row['session'] as string) : [];
        const before = age.due(changes);
        if (before !== undefined) for (const row of sql.dropOld.all(before)) dropped.push(row['session'] as string);
        return { dropped };
      });
    },
    async eventsAfter(session, seq) {
      const head = sql.find.get(session);
      if (!head) return seq === 0 ? [] : undefined;
      const events = sql.eventsAfter
        .all(head['id'] as number, seq)
        .map((row): LoggedEvent => ({ seq: row['seq'] as number, type: row['type'] as string, data: row['data'] as string }));
      return events.length === Math.max(0, (head['seq'] as number) - seq) ? events : undefined;
    },
    async receipt(session, key) {
      const row = sql.receipt.get(session, key);
      if (!row) return undefined;
      return { key, digest: row['digest'] as string, answer: row['answer'] as string, at: row['at'] as number };
    },
    async list({ limit, open }) {
      return sql.list.all(open ? 1 : 0, limit).map(summary);
    },
    async close() {
      db.close();
    },
  };
}

function summary(row: Row): SessionSummary {
  return {
    session: row['session'] as string,
    epoch: row['epoch'] as string,
    seq: row['seq'] as number,
    updatedAt: row['updated_at'] as number,
    activity: row['activity'] as Activity,
    open: row['open'] === 1,
    ...(row['title'] === null ? {} : { title: row['title'] as string }),
  };
}

/** Reads back what this store wrote itself; it was checked before it was stored. */
function json<T>(text: SQLOutputValue | undefined): T {
  return JSON.parse(text as string) as T;
}
