import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Activity } from '@sitrep/schema/select';
import type { RecordStore, RecordWrite } from './records.ts';
import type { Hold, Lease, LeaseStore } from './lease-store.ts';
import type { LoggedEvent, Position } from './position.ts';
import type { SharedStore } from './shared.ts';
import type { StoreUnavailable } from './unavailable.ts';

export type { LoggedEvent, Position } from './position.ts';
export type { SharedCounts, SharedStore, Since, StoreWatcher } from './shared.ts';
export { StoreUnavailable } from './unavailable.ts';

/** One operation with what a store needs to give it back in order. */
export interface StoredOperation {
  /** Key of the operation inside its session: `operationKey(id, run)`. */
  readonly key: string;
  /** Sequence number of the event that announced it: records come back in this order. */
  readonly position: number;
  readonly record: Operation;
}

/** An operation that was cleared or let go. Remembered, so that a late event does not bring it back. */
export interface StoredTombstone {
  readonly key: string;
  readonly attempt: number;
}

/** The remembered answer to a write that carried an idempotency key: whoever repeats the write gets the answer and no second write. */
export interface StoredReceipt {
  /** The key, of the writer's choice. */
  readonly key: string;
  /** Says whether a repeated write is the same one. */
  readonly digest: string;
  /** The answer, as text only the gateway understands. */
  readonly answer: string;
  /** When it was given, epoch milliseconds. */
  readonly at: number;
}

/** What the list of sessions shows of one. */
export interface SessionSummary {
  readonly session: string;
  readonly epoch: string;
  readonly seq: number;
  /** Newest write, epoch milliseconds by the gateway's clock. */
  readonly updatedAt: number;
  readonly activity: Activity;
  /** True while an operation or a run has not ended. */
  readonly open: boolean;
  readonly title?: string | undefined;
}

/** A session as it was last committed. */
export interface StoredSession {
  readonly session: string;
  readonly epoch: string;
  readonly seq: number;
  readonly updatedAt: number;
  readonly title?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly card: CardRecord;
  /** In order of first appearance. */
  readonly operations: readonly StoredOperation[];
  readonly runs: readonly Run[];
  /** Oldest first. */
  readonly tombstones: readonly StoredTombstone[];
}

/**
 * What one commit changes about one session. Records that did not change are not in it. The events and the state they
 * lead to are stored together or not at all. A shared store stores them only while the session stands where they were made.
 */
export interface SessionChange extends SessionSummary {
  /** The position the change was made at. Default: as many events before `seq` as there are in it, in the same epoch. */
  readonly base?: Position | undefined;
  /** Events applied since the last commit, in order; the last one has `seq`. */
  readonly events: readonly LoggedEvent[];
  readonly operations: readonly StoredOperation[];
  readonly removed: readonly StoredTombstone[];
  /** All runs, when one of them changed. */
  readonly runs?: readonly Run[] | undefined;
  /** The card, when it changed. */
  readonly card?: CardRecord | undefined;
  readonly usage?: Usage | undefined;
  /** Records to be written in the same transaction, whatever is there. */
  readonly records?: readonly RecordWrite[] | undefined;
  /** Leases that were renewed by these writes. */
  readonly leases?: readonly Lease[] | undefined;
  /** What is held by another producer now, or by none. Stored together with the events. */
  readonly holds?: readonly Hold[] | undefined;
  /**
   * True when the session began anew: before the rest is stored, its card, runs, operations, events and leases go. Tombstones and
   * receipts stay.
   */
  readonly reset?: boolean | undefined;
  /**
   * Answers to remember, in the order they were given. A change may hold nothing else: then it has no events and the
   * `seq` that is stored, and leaves everything else of the session as it is, its place in the list included.
   */
  readonly receipts?: readonly StoredReceipt[] | undefined;
}

/** What a commit led to besides the change itself. */
export interface Committed {
  /** Sessions let go because there were more than the store keeps, or because nobody wrote to them for too long. */
  readonly dropped: readonly string[];
  /**
   * Of a shared store: sessions whose change was not stored. `moved` when another writer had changed the session first; the
   * change has to be made again from where it stands now. Default: none.
   */
  readonly refused?: ReadonlyMap<string, 'moved' | StoreUnavailable> | undefined;
}

/** Bounds of a store. */
export interface StoreLimits {
  /** Events kept per session for readers that resume. Default 1,000. */
  readonly events?: number | undefined;
  /** Bytes of them kept per session; the oldest go first, as by number. Up to a quarter more may stand for a while. Default 4,194,304. */
  readonly eventBytes?: number | undefined;
  /** Sessions kept; the least recently written one goes first. Default 10,000. */
  readonly sessions?: number | undefined;
  /** Milliseconds a session is kept after its newest write, looked at once a minute while something is written. Default: for ever. */
  readonly sessionAge?: number | undefined;
  /** Tombstones kept per session; the oldest go first. Default 10,000. */
  readonly tombstones?: number | undefined;
  /** Receipts kept per session; the oldest go first. Up to a quarter more may stand for a while. Default 1,000. */
  readonly receipts?: number | undefined;
  /** Milliseconds a receipt is kept at least, unless there are too many. Default 86,400,000, a day. */
  readonly receiptAge?: number | undefined;
}

/** How a store is, for whoever looks after it. */
export interface StoreHealth {
  /** `full` while it refuses what needs room, `failed` when it can keep nothing at all. */
  readonly state: 'ok' | 'full' | 'failed';
  /** Damaged files that were moved aside since it was opened. */
  readonly quarantined: number;
}

/**
 * Where sessions are kept. A store has one writer at a time, the gateway that opened it, unless it is shared. It knows no
 * rules about events; it keeps records and a bounded log, and answers only after what it was given would survive.
 */
export interface Store {
  /** How it keeps: `memory` is gone with the process, `file` survives it, `redis` is kept by a server for many gateways. */
  readonly kind: 'memory' | 'file' | 'redis';
  /** Small records beside the sessions, for parts of the gateway. A store without them can do without those parts only. */
  readonly records?: RecordStore | undefined;
  /** Which producers have something open, and until when they are to be heard of again. Without them nothing is held. */
  readonly leases?: LeaseStore | undefined;
  /** What a store has that several gateways use at once. Default: none, and one gateway is its only writer. */
  readonly shared?: SharedStore | undefined;
  /** A session as last committed, or undefined when nothing was ever written. */
  load(session: string): Promise<StoredSession | undefined>;
  /**
   * Stores all changes in one transaction. Resolves when they are durable; rejects when none of them was stored. A shared store
   * has one transaction for each session and says which of them it refused.
   */
  commit(changes: readonly SessionChange[]): Promise<Committed>;
  /** Events after `seq` in order, or undefined when some of them are no longer kept. */
  eventsAfter(session: string, seq: number): Promise<readonly LoggedEvent[] | undefined>;
  /** The receipt with this key, if the session has one. */
  receipt(session: string, key: string): Promise<StoredReceipt | undefined>;
  /** Sessions, most recently written first, at most `limit`. With `open`, only those with something that has not ended. */
  list(options: { readonly limit: number; readonly open?: boolean | undefined }): Promise<readonly SessionSummary[]>;
  /**
   * Calls back, from then on, when what was stored is gone, because it was damaged: what is held in memory is of another
   * history then. Default: that never happens.
   */
  onLost?(listener: () => void): void;
  /** How it is. Default: well. */
  health?(): StoreHealth;
  /** Closes what is open. Nothing may be called afterwards. */
  close(): Promise<void>;
}

/** Defaults of StoreLimits. */
export const STORE_LIMITS = Object.freeze({
  events: 1_000,
  eventBytes: 4_194_304,
  sessions: 10_000,
  sessionAge: Infinity,
  tombstones: 10_000,
  receipts: 1_000,
  receiptAge: 86_400_000,
});

export type { RecordStore, RecordWrite, StoredRecord } from './records.ts';
export type { Hold, Lease, LeaseStore, SessionLeases } from './lease-store.ts';
