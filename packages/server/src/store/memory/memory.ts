import type { CardRecord, Run, Usage } from '@sitrep/schema';
import { AgeCheck, isReceiptOnly, resolveLimits } from '../limits.ts';
import { MemoryRecords } from './records.ts';
import { createMemoryLeases } from './leases.ts';
import type { LoggedEvent, SessionChange, SessionSummary, Store, StoredOperation, StoredReceipt, StoreLimits } from '../store.ts';

interface Row {
  summary: SessionSummary;
  usage: Usage | undefined;
  card: CardRecord;
  runs: readonly Run[];
  readonly operations: Map<string, StoredOperation>;
  readonly tombstones: Map<string, number>;
  readonly receipts: Map<string, StoredReceipt>;
  readonly events: LoggedEvent[];
  eventBytes: number;
}

/** Keeps sessions in this process only: for tests and for programs that embed a gateway without a disk. */
export function createMemoryStore(limits: StoreLimits = {}): Store {
  const keep = resolveLimits(limits);
  const age = new AgeCheck(keep.sessionAge);
  // Least recently written first: a write moves its session to the end.
  const rows = new Map<string, Row>();
  const records = new MemoryRecords();
  const leases = createMemoryLeases();

  function apply(change: SessionChange): void {
    const row: Row = rows.get(change.session) ?? {
      summary: change,
      usage: undefined,
      card: { revision: 0, card: null },
      runs: [],
      operations: new Map(),
      tombstones: new Map(),
      receipts: new Map(),
      events: [],
      eventBytes: 0,
    };
    remember(row, change);
    if (isReceiptOnly(change)) {
      rows.set(change.session, row);
      return;
    }
    if (change.reset) {
      clear(row);
      leases.forget(change.session);
    }
    rows.delete(change.session);
    rows.set(change.session, row);
    const { session, epoch, seq, updatedAt, activity, open, title } = change;
    row.summary = { session, epoch, seq, updatedAt, activity, open, ...(title === undefined ? {} : { title }) };
    row.usage = change.usage;
    if (change.card) row.card = change.card;
    if (change.runs) row.runs = change.runs;
    for (const gone of change.removed) {
      row.operations.delete(gone.key);
      row.tombstones.delete(gone.key);
      row.tombstones.set(gone.key, gone.attempt);
    }
    for (const operation of change.operations) {
      row.operations.set(operation.key, operation);
      row.tombstones.delete(operation.key);
    }
    trimOldest(row.tombstones, keep.tombstones);
    row.events.push(...change.events);
    for (const event of change.events) row.eventBytes += Buffer.byteLength(event.data);
    let gone = Math.max(0, row.events.length - keep.events);
    for (let n = 0; n < gone; n += 1) row.eventBytes -= Buffer.byteLength(row.events[n]?.data ?? '');
    for (; row.eventBytes > keep.eventBytes; gone += 1) row.eventBytes -= Buffer.byteLength(row.events[gone]?.data ?? '');
    row.events.splice(0, gone);
    for (const { kind, key, value } of change.records ?? []) records.put(kind, key, value);
    leases.commit(session, change);
  }

  function remember(row: Row, { receipts = [], updatedAt }: SessionChange): void {
    if (receipts.length === 0) return;
    for (const receipt of receipts) row.receipts.set(receipt.key, receipt);
    trimOldest(row.receipts, keep.receipts);
    for (const [key, { at }] of row.receipts) {
      if (at >= updatedAt - keep.receiptAge) break;
      row.receipts.delete(key);
    }
  }

  return {
    kind: 'memory',
    records,
    leases,
    async load(session) {
      const row = rows.get(session);
      if (!row) return undefined;
      const operations = [...row.operations.values()].sort((a, b) => a.position - b.position);
      const tombstones = [...row.tombstones].map(([key, attempt]) => ({ key, attempt }));
      const { epoch, seq, updatedAt, title } = row.summary;
      return { session, epoch, seq, updatedAt, title, usage: row.usage, card: row.card, runs: row.runs, operations, tombstones };
    },
    async commit(changes) {
      for (const change of changes) apply(change);
      const dropped = trimOldest(rows, keep.sessions);
      const before = age.due(changes);
      if (before !== undefined) {
        for (const [session, { summary }] of rows) {
          if (summary.updatedAt >= before) continue;
          rows.delete(session);
          dropped.push(session);
        }
      }
      for (const session of dropped) leases.forget(session);
      return { dropped };
    },
    async eventsAfter(session, seq) {
      const row = rows.get(session);
      if (!row) return seq === 0 ? [] : undefined;
      const behind = row.summary.seq - seq;
      if (behind > row.events.length) return undefined;
      return behind <= 0 ? [] : row.events.slice(row.events.length - behind);
    },
    async receipt(session, key) {
      return rows.get(session)?.receipts.get(key);
    },
    async list({ limit, open }) {
      const found: SessionSummary[] = [];
      for (const row of [...rows.values()].toReversed()) {
        if (found.length >= limit) break;
        if (!open || row.summary.open) found.push(row.summary);
      }
      return found;
    },
    async close() {
      rows.clear();
      records.clear();
    },
  };
}

function clear(row: Row): void {
  row.card = { revision: 0, card: null };
  row.runs = [];
  row.operations.clear();
  row.events.length = 0;
  row.eventBytes = 0;
}

/** Lets the first entries of a map go until `limit` remain; answers their keys. */
function trimOldest(map: Map<string, unknown>, limit: number): string[] {
  const dropped: string[] = [];
  for (const key of map.keys()) {
    if (map.size <= limit) break;
    map.delete(key);
    dropped.push(key);
  }
  return dropped;
}
