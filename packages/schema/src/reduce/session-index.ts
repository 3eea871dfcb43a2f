import { LIMITS } from '../wire/limits.ts';
import { isFinal } from '../wire/states.ts';
import type { CardEvent, CardRecord } from '../wire/card.ts';
import type { Changes } from '../wire/changes.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationClearEvent } from '../wire/operation-clear.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import type { Id } from '../wire/scalars.ts';
import type { Run, RunEvent } from '../wire/run.ts';
import type { SessionEvent } from '../wire/session.ts';
import type { Snapshot } from '../wire/snapshot.ts';
import { CHANGED, ANSWERS } from './applied.ts';
import type { Applied } from './applied.ts';
import { NO_CARD, reduceCard } from './card.ts';
import { isOrderable } from './guard.ts';
import { operationKey, runKey } from './key.ts';
import { OperationRecords } from './operation-records.ts';
import { interruptOperation, reduceOperation } from './operation.ts';
import { attemptOf, mayRevive } from './ordering.ts';
import type { Outcome } from './outcome.ts';
import { reduceRun } from './run.ts';
import { reduceSession, sessionRecord } from './session.ts';
import type { SessionRecord } from './session.ts';
import { changedParts } from './changes-parts.ts';
import { partsOf } from './snapshot-parts.ts';
import { Tombstones } from './tombstones.ts';
import type { Tombstone } from './tombstones.ts';

/** Bounds of one index. Defaults: LIMITS.operations, LIMITS.runs, LIMITS.tombstones. */
export interface IndexLimits {
  readonly operations?: number;
  readonly runs?: number;
  readonly tombstones?: number;
}

/**
 * One session as a store holds it: changed in place, so that an event costs the same however much there is. Hands out
 * frozen records that keep their reference while nothing about them changes. Bounded: finished operations and runs are
 * let go first, the oldest of them first, and their keys are remembered so that a late event cannot bring them back.
 * Nothing it is given makes it throw.
 */
export class SessionIndex {
  /** The session all events must name. */
  readonly session: string;
  readonly #operations = new OperationRecords();
  readonly #runs = new Map<string, Run>();
  readonly #tombstones: Tombstones;
  readonly #maxOperations: number;
  readonly #maxRuns: number;
  readonly #outcomes: Record<Outcome, number> = { applied: 0, late: 0, stale: 0, duplicate: 0, unknown: 0, invalid: 0 };
  #card: CardRecord = NO_CARD;
  #about: SessionRecord = sessionRecord(undefined, undefined);
  #evicted = 0;

  constructor(session: string, limits: IndexLimits = {}) {
    this.session = session;
    this.#maxOperations = bound(1, limits.operations, LIMITS.operations);
    this.#maxRuns = bound(1, limits.runs, LIMITS.runs);
    this.#tombstones = new Tombstones(bound(0, limits.tombstones, LIMITS.tombstones));
  }

  /**
   * Operations by `operationKey`, in order of first appearance. Asked for, the Map is brought up to date: read it, do not
   * keep it.
   */
  get operations(): ReadonlyMap<string, Operation> {
    return this.#operations.all();
  }

  /** Runs by name, in order of first appearance. The Map is live. */
  get runs(): ReadonlyMap<string, Run> {
    return this.#runs;
  }

  /** The operation with this id in this run; the id with its JSON type. */
  find(id: Id, run?: string): Operation | undefined {
    return this.#operations.find(id, run);
  }

  /** The card as it stands; revision 0 and no body when there never was one. */
  get card(): CardRecord {
    return this.#card;
  }

  /** Title of the session, if one is known. */
  get title(): string | undefined {
    return this.#about.title;
  }

  /** Usage of the session, if known. */
  get usage(): Usage | undefined {
    return this.#about.usage;
  }

  /** How many events ended in each outcome so far. */
  get outcomes(): Readonly<Record<Outcome, number>> {
    return this.#outcomes;
  }

  /** How many operations and runs were let go to stay within the limits. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Takes one event. Counts its outcome. An event of another session, or one that is none at all, is `invalid`. */
  apply(event: ProgressEvent): Applied {
    const applied = this.#tryDispatch(event);
    this.#outcomes[applied.outcome] += 1;
    return applied;
  }

  /**
   * Takes a snapshot as the truth: everything else goes, remembered keys included. Records that mean the same keep their
   * reference. A snapshot of another session, or a value that is none, is counted `invalid` and changes nothing.
   */
  load(snapshot: Snapshot): void {
    const parts = partsOf(snapshot, this);
    if (parts === undefined) {
      this.#outcomes.invalid += 1;
      return;
    }
    this.clear();
    this.#card = parts.card;
    this.#about = parts.about;
    for (const run of parts.runs) this.#storeRun(run);
    for (const operation of parts.operations) this.#store(operation);
  }

  /**
   * Takes changes as the truth about what they name: each record as it came, what was removed gone and its key remembered. The
   * keys of operations that may look different now come back. Changes of another session, or a value that is none, are counted
   * `invalid` and change nothing.
   */
  merge(changes: Changes): Applied {
    const parts = changedParts(changes, this);
    if (parts === undefined) {
      this.#outcomes.invalid += 1;
      return ANSWERS.invalid;
    }
    const keys: string[] = [];
    const gone = new Set(parts.removed.map(({ id, run }) => operationKey(id, run)));
    for (const { id, run } of parts.removed) keys.push(this.#remove(id, run) ?? operationKey(id, run));
    let again = false;
    for (const operation of parts.operations) {
      // What came back is newer than what stood there, and so is everything after it, whether it was known here or not.
      again ||= gone.has(operationKey(operation.id, operation.run));
      if (again) this.#operations.remove(operation.id, operation.run);
      keys.push(...this.#store(operation).keys);
    }
    if (parts.runs !== undefined) {
      this.#runs.clear();
      for (const run of parts.runs) this.#storeRun(run);
    }
    if (parts.card !== undefined) this.#card = parts.card;
    if (parts.about !== undefined) this.#about = parts.about;
    this.#outcomes.applied += 1;
    return { outcome: 'applied', changed: true, keys };
  }

  /** The session as a snapshot, for the given clock and position. Its records are the index's own, frozen. */
  snapshot(at: number, epoch: string, seq: number): Snapshot {
    const { card, revision, updatedAt, run } = this.#card;
    return {
      type: 'snapshot',
      session: this.session,
      epoch,
      seq,
      at,
      card,
      revision,
      ...(updatedAt === undefined ? undefined : { cardUpdatedAt: updatedAt }),
      ...(run === undefined ? undefined : { cardRun: run }),
      operations: [...this.operations.values()],
      runs: [...this.#runs.values()],
      ...this.#about,
    };
  }

  /** The remembered keys of what was cleared or let go, for a store that outlives the process. */
  tombstones(): Iterable<[string, Tombstone]> {
    return this.#tombstones.entries();
  }

  /** Puts back one key that `tombstones` gave out. */
  restoreTombstone(key: string, tombstone: Tombstone): void {
    this.#tombstones.bury(key, tombstone.attempt);
  }

  /** Forgets the whole session, remembered keys and the card's revision included. Counts stay. */
  clear(): void {
    this.#operations.clear();
    this.#runs.clear();
    this.#tombstones.clear();
    this.#card = NO_CARD;
    this.#about = sessionRecord(undefined, undefined);
  }

  /** All of an event is read before anything is stored, so one that throws while it is read has changed nothing. */
  #tryDispatch(event: ProgressEvent): Applied {
    try {
      const own = event.type === 'operation' && event.session === this.session;
      return (own ? this.#operations.advance(event) : undefined) ?? this.#dispatch(event);
    } catch {
      return ANSWERS.invalid;
    }
  }

  #dispatch(event: ProgressEvent): Applied {
    if (!isOrderable(event) || event.session !== this.session) return ANSWERS.invalid;
    switch (event.type) {
      case 'operation':
        return this.#applyOperation(event);
      case 'operation.clear':
        return this.#applyClear(event);
      case 'card':
        return this.#applyCard(event);
      case 'run':
        return this.#applyRun(event);
      case 'session':
        return this.#applySession(event);
      default:
        event satisfies never;
        return ANSWERS.unknown;
    }
  }

  #applyOperation(event: OperationEvent): Applied {
    const held = this.#operations.find(event.id, event.run);
    if (held === undefined && !this.#mayBegin(event)) return ANSWERS.late;
    const { state, outcome } = reduceOperation(held, event);
    return outcome === 'applied' ? this.#store(state) : ANSWERS[outcome];
  }

  #mayBegin(event: OperationEvent): boolean {
    return mayRevive(this.#tombstones.get(operationKey(event.id, event.run)), attemptOf(event));
  }

  #applyClear({ id, run }: OperationClearEvent): Applied {
    const key = this.#remove(id, run);
    return key === undefined ? ANSWERS.unknown : { outcome: 'applied', changed: true, keys: [key] };
  }

  #applyCard(event: CardEvent): Applied {
    const { state, outcome } = reduceCard(this.#card, event);
    this.#card = state;
    return ANSWERS[outcome];
  }

  #applySession(event: SessionEvent): Applied {
    const { state, outcome } = reduceSession(this.#about, event);
    this.#about = state;
    return ANSWERS[outcome];
  }

  #applyRun(event: RunEvent): Applied {
    const held = this.#runs.get(event.run);
    if (held === undefined && this.#tombstones.get(runKey(event.run)) !== undefined) return ANSWERS.late;
    const { state, outcome } = reduceRun(held, event);
    if (outcome !== 'applied') return ANSWERS[outcome];
    this.#storeRun(state);
    const ends = isFinal(state.state) && (held === undefined || !isFinal(held.state));
    return ends ? { outcome, changed: true, keys: this.#interrupt(state) } : CHANGED;
  }

  /** Ends what the run left open. */
  #interrupt(run: Run): readonly string[] {
    const keys: string[] = [];
    for (const [key, operation] of this.operations) {
      if (operation.run !== run.run || isFinal(operation.state)) continue;
      this.#operations.put(interruptOperation(operation, 'run_ended', run.endedAt ?? run.updatedAt, run.updatedAt));
      keys.push(key);
    }
    return keys;
  }

  /** Stores a record and keeps the bound: lets one go when there are too many, it may be the one just stored. */
  #store(record: Operation): Applied {
    const moved = this.#operations.put(record);
    const oldest = this.#operations.size > this.#maxOperations ? this.#operations.oldest : undefined;
    if (oldest === undefined) return moved;
    this.#evicted += 1;
    const gone = this.#remove(oldest.id, oldest.run);
    return gone === undefined || gone === moved.keys[0] ? moved : { ...moved, keys: [...moved.keys, gone] };
  }

  /** Lets an operation go and remembers its key, which is answered. */
  #remove(id: Id, run: string | undefined): string | undefined {
    const record = this.#operations.remove(id, run);
    if (record === undefined) return undefined;
    const key = operationKey(id, run);
    this.#tombstones.bury(key, record.attempt);
    return key;
  }

  #storeRun(run: Run): void {
    this.#runs.set(run.run, run);
    if (this.#runs.size <= this.#maxRuns) return;
    const oldest = firstFinished(this.#runs) ?? first(this.#runs.keys());
    if (oldest === undefined) return;
    this.#runs.delete(oldest);
    this.#tombstones.bury(runKey(oldest), 1);
    this.#evicted += 1;
  }
}

/** A limit as a whole number of at least `least`; what is no number is the default, never "no limit". */
function bound(least: number, given: number | undefined, otherwise: number): number {
  return Math.max(least, Math.floor(Number.isNaN(given) ? otherwise : (given ?? otherwise)));
}

function first(keys: Iterable<string>): string | undefined {
  for (const key of keys) return key;
  return undefined;
}

function firstFinished(runs: ReadonlyMap<string, Run>): string | undefined {
  for (const [name, run] of runs) if (isFinal(run.state)) return name;
  return undefined;
}
