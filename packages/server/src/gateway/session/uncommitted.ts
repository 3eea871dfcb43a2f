import { isFinal } from '@sitrep/schema';
import type { CardRecord, Operation } from '@sitrep/schema';
import type { SessionIndex } from '@sitrep/schema/reduce';
import { sessionActivity } from '@sitrep/schema/select';
import type { LoggedEvent, Position, SessionChange, StoredOperation, StoredReceipt, StoredTombstone } from '../../store/store.ts';

/** What of a session has changed since its last commit. */
export class Uncommitted {
  /** Where the store has it: what has changed since was changed from there. */
  #base: Position;
  #card: CardRecord;
  #events: LoggedEvent[] = [];
  #touched = new Set<string>();
  #removed = new Map<string, StoredTombstone>();
  #receipts = new Map<string, StoredReceipt>();
  #runs = false;
  #reset = false;

  /**
   * @param base where the store has it
   * @param card as the store has it
   */
  constructor(base: Position, card: CardRecord) {
    this.#base = base;
    this.#card = card;
  }

  /** True when there is anything to commit. */
  get any(): boolean {
    return this.#events.length > 0 || this.#reset || this.#receipts.size > 0;
  }

  /** What was taken away, by key. */
  get removed(): ReadonlyMap<string, StoredTombstone> {
    return this.#removed;
  }

  /** An event that goes into the log. */
  log(event: LoggedEvent): void {
    this.#events.push(event);
  }

  /** An operation has changed. */
  touch(key: string): void {
    this.#touched.add(key);
  }

  /** An operation or a run is gone. */
  remove(key: string, attempt: number): void {
    this.#touched.delete(key);
    this.#removed.set(key, { key, attempt });
  }

  /** A run has changed. */
  touchRuns(): void {
    this.#runs = true;
  }

  /** The session began anew: what was removed stays so, and everything else of it goes. */
  reset(): void {
    this.#touched.clear();
    this.#events = [];
    this.#reset = true;
  }

  /** An answer to remember. */
  remember(receipt: StoredReceipt): void {
    this.#receipts.set(receipt.key, receipt);
  }

  /** An answer that waits for the commit. */
  receipt(key: string): StoredReceipt | undefined {
    return this.#receipts.get(key);
  }

  /**
   * The change to commit.
   *
   * @param positionOf an operation's place in the list
   */
  change(index: SessionIndex, at: Position, updatedAt: number, positionOf: (key: string) => number | undefined): SessionChange {
    const { session, operations, runs, card, title, usage } = index;
    const changed: StoredOperation[] = [];
    for (const key of this.#touched) {
      const record = operations.get(key);
      const position = positionOf(key);
      if (record && position !== undefined) changed.push({ key, position, record });
    }
    return {
      session,
      epoch: at.epoch,
      seq: at.seq,
      base: this.#base,
      updatedAt,
      activity: sessionActivity(operations.values(), runs.values()),
      open: hasOpen(operations.values()) || hasOpen(runs.values()),
      title,
      usage,
      events: this.#events,
      operations: changed,
      removed: [...this.#removed.values()],
      runs: this.#runs || this.#reset ? [...runs.values()] : undefined,
      card: card === this.#card && !this.#reset ? undefined : card,
      ...(this.#reset ? { reset: true } : {}),
      ...(this.#receipts.size > 0 ? { receipts: [...this.#receipts.values()] } : {}),
    };
  }

  /** Forgets what has changed: somebody else knows it now. */
  settle(base: Position, card: CardRecord): void {
    this.#base = base;
    this.#card = card;
    this.#reset = false;
    this.#receipts = new Map();
    this.#events = [];
    this.#touched = new Set();
    this.#removed = new Map();
    this.#runs = false;
  }
}

function hasOpen(records: Iterable<{ readonly state: Operation['state'] }>): boolean {
  for (const record of records) if (!isFinal(record.state)) return true;
  return false;
}
