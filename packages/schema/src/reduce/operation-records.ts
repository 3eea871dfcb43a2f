import { isFinal } from '../wire/states.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { Id } from '../wire/scalars.ts';
import { advance } from './advance.ts';
import type { Draft } from './advance.ts';
import { ANSWERS } from './applied.ts';
import type { Applied } from './applied.ts';
import { operationKey } from './key.ts';

/** One operation as it is held. */
interface Slot {
  readonly key: string;
  /** The answer for a change of this operation alone, always the same. */
  readonly moved: Applied;
  /** As it was handed out last, or may be; frozen. */
  record: Operation;
  /** What came since, not handed out yet; the record is behind while there is one. */
  draft: Draft | undefined;
  /** True while the slot stands in the list of those with a draft. */
  listed: boolean;
}

/**
 * The operations of one session, in order of first appearance, changed in place. Most events of a stream are never looked
 * at one by one: they move a draft, and only who reads gets a frozen record, which then keeps its reference until
 * something changes. Events find their operation by run and id, without a key being made of them.
 */
export class OperationRecords {
  readonly #records = new Map<string, Operation>();
  readonly #slots = new Map<string | undefined, Map<Id, Slot>>();
  /** Keys of ended operations, in the order they ended. */
  readonly #finished = new Set<string>();
  /** Slots that got a draft since the last reading. */
  #moving: Slot[] = [];
  /** The ids of the run that was asked for last: most streams speak of one run at a time. */
  #run: string | undefined;
  #ids: Map<Id, Slot> | undefined;

  get size(): number {
    return this.#records.size;
  }

  /** By `operationKey`, brought up to date. */
  all(): ReadonlyMap<string, Operation> {
    for (const slot of this.#moving) {
      slot.listed = false;
      this.#settle(slot);
    }
    this.#moving = [];
    return this.#records;
  }

  find(id: Id, run: string | undefined): Operation | undefined {
    const slot = this.#slot(id, run);
    return slot && this.#settle(slot);
  }

  /** Takes the event if it is one of those that `advance` knows; undefined, with nothing changed, if it is not. */
  advance(event: OperationEvent): Applied | undefined {
    const slot = this.#slot(event.id, event.run);
    if (slot === undefined) return undefined;
    if (slot.draft === undefined && isFinal(slot.record.state)) return undefined;
    const draft = advance(slot.draft ?? slot.record, slot.draft !== undefined, event);
    if (draft === undefined) return undefined;
    if (draft === false) return ANSWERS.duplicate;
    slot.draft = draft;
    if (!slot.listed) this.#list(slot);
    return slot.moved;
  }

  /** Stores a record under its run and id. */
  put(record: Operation): Applied {
    let slot = this.#slot(record.id, record.run);
    if (slot === undefined) {
      const key = operationKey(record.id, record.run);
      const moved = Object.freeze({ outcome: 'applied', changed: true, keys: Object.freeze([key]) } as const);
      slot = { key, moved, record, draft: undefined, listed: false };
      this.#idsOf(record.run).set(record.id, slot);
    }
    slot.record = record;
    slot.draft = undefined;
    this.#records.set(slot.key, record);
    if (isFinal(record.state)) this.#finished.add(slot.key);
    else if (this.#finished.size > 0) this.#finished.delete(slot.key);
    return slot.moved;
  }

  /** Lets one go; the record it had, or undefined when there was none. */
  remove(id: Id, run: string | undefined): Operation | undefined {
    const slot = this.#slot(id, run);
    const ids = this.#slots.get(run);
    if (slot === undefined || ids === undefined) return undefined;
    ids.delete(id);
    if (ids.size === 0) {
      this.#slots.delete(run);
      this.#ids = undefined;
    }
    const record = this.#settle(slot);
    this.#records.delete(slot.key);
    this.#finished.delete(slot.key);
    return record;
  }

  /** The one to let go first: that which ended first, or when all are live the oldest. */
  get oldest(): Operation | undefined {
    const [ended] = this.#finished;
    if (ended !== undefined) return this.#records.get(ended);
    const [first] = this.#records.values();
    return first;
  }

  clear(): void {
    this.#records.clear();
    this.#slots.clear();
    this.#finished.clear();
    this.#moving = [];
    this.#ids = undefined;
  }

  #slot(id: Id, run: string | undefined): Slot | undefined {
    if (this.#ids === undefined || this.#run !== run) {
      this.#run = run;
      this.#ids = this.#slots.get(run);
    }
    return this.#ids?.get(id);
  }

  /** Slots that were let go stay in the list until it is read; when that may be never, it is emptied here. */
  #list(slot: Slot): void {
    slot.listed = true;
    if (this.#moving.push(slot) > this.#records.size) this.all();
  }

  #idsOf(run: string | undefined): Map<Id, Slot> {
    let ids = this.#slots.get(run);
    if (ids === undefined) this.#slots.set(run, (ids = new Map()));
    return ids;
  }

  #settle(slot: Slot): Operation {
    if (slot.draft !== undefined) {
      slot.record = Object.freeze(slot.draft);
      slot.draft = undefined;
      this.#records.set(slot.key, slot.record);
    }
    return slot.record;
  }
}
