import { isFinal } from '@sitrep/schema';
import type { Id, Operation, Outcome } from '@sitrep/schema';
import { cardBody, operationKey, runKey, sameJson, SessionIndex } from '@sitrep/schema/reduce';
import type { NoticeSlot, NoticeStep } from '@sitrep/schema/select';
import type { Changes, ProgressEvent } from '@sitrep/schema/wire';
import { SessionMoves } from '../../push/moves.ts';
import type { Lease } from '../../store/lease-store.ts';
import type { LoggedEvent, SessionChange, StoredReceipt, StoredSession } from '../../store/store.ts';
import { ChangeIndex } from './change-index.ts';
import { Held } from './held.ts';
import { storedSnapshot } from './stored-snapshot.ts';
import { Uncommitted } from './uncommitted.ts';

/** Before the name of a run among the tombstones: it belongs to the session before it was reset. */
const PAST_RUN = '!';

/** A checked event with its JSON text: written once, then stored and sent as it is. */
export interface PreparedEvent {
  readonly event: ProgressEvent;
  readonly data: string;
}

/** What is known of an operation beside its record: its name and place in the list and, once it is gone, its last attempt. */
interface Known {
  readonly id: Id;
  readonly run: string | undefined;
  readonly position: number;
  readonly attempt: number;
}

/**
 * One session in memory: the index that events are applied to, its position, and what has changed since the last commit.
 * Between `apply` and the end of the commit it is ahead of the store; nobody may read it then.
 */
export class LiveSession {
  readonly #operations: number | undefined;
  /** The history it was made with, whatever became of it since. */
  readonly firstEpoch: string;
  #epoch: string;
  #index: SessionIndex;
  /**
   * What each dialect remembers of the frames that were written here, by its name. Not stored: a session that nobody has
   * written to or read for a while is remembered by its records alone, which the dialect is handed.
   */
  readonly memories = new Map<string, unknown>();
  /** What is open, by whom it is held. */
  readonly held = new Held();
  #seq: number;
  #changes: ChangeIndex;
  readonly #known = new Map<string, Known>();
  readonly #uncommitted: Uncommitted;
  /** Runs of the session before it was reset: what comes of them comes too late. */
  readonly #pastRuns = new Set<string>();
  #moves: SessionMoves | undefined;

  /**
   * @param stored what the store has, or the name and a new epoch for a session nothing was ever written of
   * @param operations how many are kept at most
   */
  constructor(stored: StoredSession | { readonly session: string; readonly epoch: string }, operations?: number) {
    this.#operations = operations;
    this.#index = this.#emptyIndex(stored.session);
    this.#epoch = this.firstEpoch = stored.epoch;
    this.#seq = 0;
    if ('seq' in stored) {
      this.#seq = stored.seq;
      this.index.load(storedSnapshot(stored));
      for (const { key, attempt } of stored.tombstones) {
        if (key.startsWith(PAST_RUN)) this.#pastRuns.add(key.slice(PAST_RUN.length));
        else this.index.restoreTombstone(key, { attempt });
      }
      for (const { key, position, record } of stored.operations) this.#known.set(key, knownOf(record, position));
    }
    this.#changes = new ChangeIndex(this.#seq);
    this.#uncommitted = new Uncommitted({ epoch: this.#epoch, seq: this.#seq }, this.index.card);
  }

  /** Names the history; another one after a reset. */
  get epoch(): string {
    return this.#epoch;
  }

  /** The records. */
  get index(): SessionIndex {
    return this.#index;
  }

  get session(): string {
    return this.index.session;
  }

  /** Position of the newest applied event; 0 when there is none. */
  get seq(): number {
    return this.#seq;
  }

  /** True when something was applied since the last commit. */
  get dirty(): boolean {
    return this.#uncommitted.any || this.held.dirty;
  }

  /** True for a run of the session before it was reset. */
  isPast(run: string | undefined): boolean {
    return run !== undefined && this.#pastRuns.has(run);
  }

  /** True when the operation an event names is on the list. */
  knows(event: ProgressEvent): boolean {
    return event.type !== 'operation' || this.index.operations.has(operationKey(event.id, event.run));
  }

  /**
   * Applies one event. Only an applied one takes a position and goes to the log; what it leaves open is held under the
   * lease from then on, where there is one. What it made leave, to stay within the limit, is cleared in the log: readers
   * have limits of their own and cannot know.
   */
  apply({ event, data }: PreparedEvent, lease?: Lease): Outcome {
    if ((event.type === 'operation' || event.type === 'card' || event.type === 'run') && this.isPast(event.run)) return 'late';
    const evictedBefore = this.index.evicted;
    this.#moves?.note(event, this.index);
    const applied = this.index.apply(event);
    if (applied.outcome === 'duplicate' && event.type === 'card' && !sameJson(cardBody(event.card), this.index.card.card)) {
      // Two wrote the same revision: the second must not hear that the card is as it said.
      return 'stale';
    }
    if (applied.outcome !== 'applied') return applied.outcome;
    const gone = event.type === 'operation' && this.index.evicted > evictedBefore ? applied.keys.at(-1) : undefined;
    const leaving = gone === undefined ? undefined : this.#known.get(gone);
    // Before the event, so that nobody ever has one too many; an operation that had to go at once can only be cleared after it.
    if (leaving) this.#log(clearOf(event, leaving));
    this.#push(event.type, data);
    if (event.type === 'operation' && gone !== undefined && !leaving) {
      this.#log(clearOf(event, event));
      this.#uncommitted.remove(gone, event.attempt ?? 1);
      this.#changes.removed(gone, event, this.#seq);
    }
    for (const key of applied.keys) this.#note(key, lease);
    if (event.type === 'card') this.#changes.card(this.#seq);
    else if (event.type === 'session') this.#changes.about(this.#seq);
    else if (event.type === 'run') {
      this.#noteRun(evictedBefore);
      this.#hold(runKey(event.run), this.index.runs.get(event.run)?.state, lease);
    }
    return 'applied';
  }

  /**
   * Begins the session anew: card, operations, runs, title and usage go, and the history with them. What there was is
   * remembered as cleared, so that a late event does not bring it back, and the card's revision goes on. False when nothing
   * was ever stored.
   */
  reset(epoch: string, at: number): boolean {
    if (this.#seq === 0) return false;
    const { card, runs } = this.index;
    this.#moves?.noteAll(this.index);
    for (const [key, { attempt }] of this.#known) this.#uncommitted.remove(key, attempt);
    for (const run of runs.keys()) {
      this.#pastRuns.add(run);
      for (const key of [runKey(run), PAST_RUN + run]) this.#uncommitted.remove(key, 1);
    }
    const tombstones = [...this.index.tombstones(), ...[...this.#uncommitted.removed].filter(([key]) => !key.startsWith(PAST_RUN))];
    this.#index = this.#emptyIndex(this.session);
    for (const [key, { attempt }] of tombstones) this.index.restoreTombstone(key, { attempt });
    const revision = Math.min(card.revision + 1, Number.MAX_SAFE_INTEGER);
    if (card.revision > 0) this.index.apply({ type: 'card', session: this.session, revision, at, card: null });
    this.#epoch = epoch;
    this.#known.clear();
    this.#uncommitted.reset();
    this.memories.clear();
    this.held.clear();
    this.#changes = new ChangeIndex(this.#seq);
    return true;
  }

  /** Remembers an answer with the next commit, if there is anything of the session it could be committed with. */
  remember(receipt: StoredReceipt): void {
    if (this.#seq > 0) this.#uncommitted.remember(receipt);
  }

  /** An answer that waits for the commit. */
  receipt(key: string): StoredReceipt | undefined {
    return this.#uncommitted.receipt(key);
  }

  /** The newest of everything that changed after a position of this history; undefined when that is not known any more. */
  changesSince(after: number, at: number): Changes | undefined {
    const changed = this.#changes.since(after, this.index);
    return changed && { type: 'changes', session: this.session, epoch: this.epoch, after, seq: this.#seq, at, ...changed };
  }

  /** Takes note from now on of what is worth a notice; `takeNotices` answers it. */
  watch(): void {
    this.#moves ??= new SessionMoves();
  }

  /** What is to be told of what was applied since the last time. */
  takeNotices(): ReadonlyMap<NoticeSlot, NoticeStep> {
    return this.#moves?.take(this.index) ?? new Map();
  }

  /** What has changed since the last commit. Forgets it: the caller commits it or drops this object. */
  takeChange(updatedAt: number): SessionChange {
    const at = { epoch: this.#epoch, seq: this.#seq };
    const change = this.#uncommitted.change(this.index, at, updatedAt, (key) => this.#known.get(key)?.position);
    const held = this.held.take();
    this.#settle();
    return { ...change, ...held };
  }

  /** Forgets what has changed: somebody else knows it now. */
  #settle(): void {
    this.#uncommitted.settle({ epoch: this.#epoch, seq: this.#seq }, this.index.card);
  }

  /**
   * Takes events that somebody else stored, which follow on what is here. False when they do not lead where they led there:
   * then this object has to be dropped. Call only while nothing of its own waits for a commit.
   */
  catchUp(events: readonly LoggedEvent[]): boolean {
    if (events.length === 0) return true;
    // What was written elsewhere may have been in a dialect too: what it remembers from here is not the whole any more.
    this.memories.clear();
    for (const { seq, data } of events) {
      if (seq !== this.#seq + 1) return false;
      if (this.apply({ event: JSON.parse(data) as ProgressEvent, data }) !== 'applied') return false;
    }
    this.#settle();
    // Who holds what of it, the store knows.
    this.held.clear();
    return true;
  }

  #emptyIndex(session: string): SessionIndex {
    return new SessionIndex(session, this.#operations === undefined ? {} : { operations: this.#operations });
  }

  #push(type: string, data: string): void {
    this.#seq += 1;
    this.#uncommitted.log({ seq: this.#seq, type, data });
  }

  #log(event: ProgressEvent): void {
    this.#push(event.type, JSON.stringify(event));
  }

  #noteRun(evictedBefore: number): void {
    this.#uncommitted.touchRuns();
    this.#changes.runs(this.#seq);
    if (this.index.evicted === evictedBefore) return;
    // A run had to make room: its key is the one that was remembered last.
    const [key, { attempt }] = [...this.index.tombstones()].at(-1) ?? ['', { attempt: 0 }];
    if (key !== '') this.#uncommitted.remove(key, attempt);
  }

  #hold(key: string, state: Operation['state'] | undefined, lease: Lease | undefined): void {
    if (state === undefined || isFinal(state)) this.held.release(key, lease !== undefined);
    else if (lease) this.held.hold(key, lease);
  }

  #note(key: string, lease: Lease | undefined): void {
    const record: Operation | undefined = this.index.operations.get(key);
    this.#hold(key, record?.state, lease);
    const before = this.#known.get(key);
    if (record) {
      this.#known.set(key, knownOf(record, before?.position ?? this.#seq));
      this.#uncommitted.touch(key);
      this.#changes.operation(key, this.#seq);
    } else if (before) {
      this.#known.delete(key);
      this.#uncommitted.remove(key, before.attempt);
      this.#changes.removed(key, before, this.#seq);
    }
  }
}

function knownOf({ id, run, attempt }: Operation, position: number): Known {
  return { id, run, position, attempt };
}

/** The event that lets an operation go; another event was the cause. */
function clearOf({ session, at }: ProgressEvent, { id, run }: { readonly id: Id; readonly run?: string | undefined }): ProgressEvent {
  return { type: 'operation.clear', session, id, ...(run === undefined ? {} : { run }), at };
}
