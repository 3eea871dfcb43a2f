import { isFinal } from '@sitrep/schema';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { mergeEvents } from './merge-events.ts';

interface Entry {
  /** What it is about; undefined when nothing may be merged with it. */
  key: string | undefined;
  event: ProgressEvent;
}

/** Identity of what an event is about; the JSON type of an id counts. Undefined for a clear, which replaces nothing. */
export function keyOf(event: ProgressEvent): string | undefined {
  switch (event.type) {
    case 'operation':
      return JSON.stringify(['operation', event.session, event.run ?? null, event.id, event.attempt ?? 1]);
    case 'run':
      return JSON.stringify(['run', event.session, event.run]);
    case 'card':
    case 'session':
      return JSON.stringify([event.type, event.session]);
    case 'operation.clear':
      return undefined;
  }
}

const isPlain = (event: ProgressEvent): boolean => event.type === 'operation' && event.state === undefined;
const isOver = (state: OperationEvent['state']): boolean => state !== undefined && isFinal(state);
const isEnd = (event: ProgressEvent): boolean => (event.type === 'operation' || event.type === 'run') && isOver(event.state);

/** Where an event stands among those about the same thing, where it says so. */
const positionOf = (event: ProgressEvent): number | undefined =>
  event.type === 'operation' ? event.seq : event.type === 'card' ? event.revision : undefined;

/** True when the later of two events is the newer one for certain; otherwise the reader must see both to tell. */
function inOrder(earlier: ProgressEvent, later: ProgressEvent): boolean {
  const [before, after] = [positionOf(earlier), positionOf(later)];
  return before === undefined || after === undefined ? before === after : before < after;
}

/**
 * What waits to be sent. Updates of one operation that change no state collapse into the newest; when it is full all
 * the same, what is given up first is what says least: superseded states, then lone updates, then what is not over,
 * and a final state last of all.
 */
export class EventQueue {
  readonly #max: number;
  #entries: Entry[] = [];
  /** Newest queued entry by key. */
  readonly #last = new Map<string, Entry>();
  /** Events merged into another one so far. */
  coalesced = 0;
  /** Events given up so far. */
  dropped = 0;

  constructor(max: number) {
    this.#max = Math.max(1, max);
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Takes an event; true when something had to be given up for it. */
  push(event: ProgressEvent): boolean {
    const key = keyOf(event);
    const last = key === undefined ? undefined : this.#last.get(key);
    if (last !== undefined && isPlain(event) && !isEnd(last.event) && inOrder(last.event, event)) {
      last.event = mergeEvents(last.event, event);
      this.coalesced += 1;
      return false;
    }
    if (event.type === 'operation.clear') this.#seal(event);
    const entry: Entry = { key, event };
    this.#entries.push(entry);
    if (key !== undefined) this.#last.set(key, entry);
    const before = this.dropped;
    if (this.#entries.length > this.#max) this.#relieve();
    return this.dropped > before;
  }

  /** The oldest events of the oldest event's session, in order, at most `max` of them; they leave the queue. */
  take(max: number): ProgressEvent[] {
    const session = this.#entries[0]?.event.session;
    const taken: ProgressEvent[] = [];
    const kept: Entry[] = [];
    for (const entry of this.#entries) {
      if (entry.event.session !== session || taken.length >= max) kept.push(entry);
      else {
        taken.push(entry.event);
        this.#forget(entry);
      }
    }
    this.#entries = kept;
    return taken;
  }

  /** Puts events that could not be sent together back in front, unmerged and in order. */
  putBack(events: readonly ProgressEvent[]): void {
    const entries = events.map((event): Entry => ({ key: keyOf(event), event }));
    for (const entry of entries.toReversed()) if (entry.key !== undefined && !this.#last.has(entry.key)) this.#last.set(entry.key, entry);
    this.#entries.unshift(...entries);
  }

  /** Gives up everything; answers how many events that were. */
  clear(): number {
    const count = this.#entries.length;
    this.dropped += count;
    this.#entries = [];
    this.#last.clear();
    return count;
  }

  /** What comes after a clear must not be merged into what stood before it. */
  #seal(clear: { readonly session: string; readonly id: string | number; readonly run?: string }): void {
    for (const entry of this.#entries) {
      const { event } = entry;
      if (event.type !== 'operation' || event.session !== clear.session || event.id !== clear.id || event.run !== clear.run) continue;
      this.#forget(entry);
      entry.key = undefined;
    }
  }

  #forget(entry: Entry): void {
    if (entry.key !== undefined && this.#last.get(entry.key) === entry) this.#last.delete(entry.key);
  }

  #relieve(): void {
    const superseded = this.#entries.findIndex((_, index) => this.#successorOf(index) !== undefined);
    if (superseded >= 0) return this.#mergeForward(superseded);
    const open = ({ event }: Entry): boolean => (event.type === 'operation' || event.type === 'run') && !isOver(event.state);
    let index = this.#entries.findIndex(({ event }) => isPlain(event));
    if (index < 0) index = this.#entries.findIndex(open);
    const [gone] = this.#entries.splice(Math.max(0, index), 1);
    if (gone !== undefined) this.#forget(gone);
    this.dropped += 1;
  }

  /** The entry that takes the place of this one: the next about the same thing, unless this one ended it or is the newer. */
  #successorOf(index: number): Entry | undefined {
    const entry = this.#entries[index];
    if (entry?.key === undefined || this.#last.get(entry.key) === entry || isEnd(entry.event)) return undefined;
    const next = this.#entries.find((other, at) => at > index && other.key === entry.key);
    return next !== undefined && inOrder(entry.event, next.event) ? next : undefined;
  }

  #mergeForward(index: number): void {
    const later = this.#successorOf(index);
    const [earlier] = this.#entries.splice(index, 1);
    if (earlier === undefined || later === undefined) return;
    later.event = mergeEvents(earlier.event, later.event);
    this.coalesced += 1;
  }
}
