import type { Changes, ProgressEvent, Snapshot } from '@sitrep/schema';
import { readStreamEvent } from '@sitrep/schema/check/read';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Position } from './position.ts';
import type { SessionView } from './view.ts';

/** What a store hands to its history, and what can be read from it. Made by `createHistory`. */
export interface History {
  /** Oldest position that can be shown, and the newest at which anything changed; undefined while there is none. */
  readonly window: { readonly epoch: string; readonly from: number; readonly to: number } | undefined;
  /** Events kept now. */
  readonly size: number;
  /** For the store: the session as it stood at that position; `now` is the current view. */
  at(seq: number, now: SessionView): SessionView | undefined;
  /** For the store: everything begins anew with this. */
  begin(snapshot: Snapshot): void;
  /**
   * For the store: an event that changed something, or its text where nobody has read it yet. `held` gives the session as it
   * stands after it, where it does not continue what is kept.
   */
  push(position: Position, event: ProgressEvent | Changes | string, length: number | undefined, held: () => Snapshot): void;
}

export interface HistoryOptions {
  /** Events kept. Default: 1,000. */
  readonly maxEvents?: number | undefined;
  /** Length of their text, UTF-16 code units of JSON. Default: 4,194,304. */
  readonly maxLength?: number | undefined;
}

interface Entry {
  readonly seq: number;
  readonly event: ProgressEvent | Changes | string;
  readonly length: number;
}

/**
 * Keeps the newest events of a session for travelling in time: hand it to a store as `history`, and ask the store `at(seq)`.
 * Bounded by number and by length of the events; the oldest go into the state the window begins with. A snapshot that takes
 * the place of events begins the window anew, and a stream without positions has none (`createRelay` numbers its events).
 */
export function createHistory(options: HistoryOptions = {}): History {
  return new Window(options.maxEvents ?? 1_000, options.maxLength ?? 4_194_304);
}

class Window implements History {
  readonly #maxEvents: number;
  readonly #maxLength: number;
  #epoch = '';
  /** The session at the beginning of the window. */
  #base: SessionIndex | undefined;
  #from = 0;
  #to = 0;
  #entries: (Entry | undefined)[] = [];
  /** Places at the front that were emptied. */
  #gone = 0;
  #length = 0;
  /** Where the last look was: the next one, if it is later, goes on from there. */
  #look: { readonly index: SessionIndex; seq: number; next: number } | undefined;

  constructor(maxEvents: number, maxLength: number) {
    this.#maxEvents = maxEvents;
    this.#maxLength = maxLength;
  }

  get window(): History['window'] {
    return this.#base && { epoch: this.#epoch, from: this.#from, to: this.#to };
  }

  get size(): number {
    return this.#entries.length - this.#gone;
  }

  begin(snapshot: Snapshot): void {
    const { session, epoch, seq } = snapshot;
    if (this.#base && epoch === this.#epoch && seq === this.#to) return;
    this.#epoch = epoch;
    this.#from = this.#to = seq;
    this.#entries = [];
    this.#gone = this.#length = 0;
    this.#look = undefined;
    this.#base = new SessionIndex(session);
    this.#base.load(snapshot);
  }

  push({ epoch, seq }: Position, event: ProgressEvent | Changes | string, given: number | undefined, held: () => Snapshot): void {
    if (this.#base === undefined || epoch !== this.#epoch) return this.begin(held());
    if (seq <= this.#to) {
      // It came without a position: from here on positions do not tell how far the session was.
      this.#base = undefined;
      return;
    }
    const length = given ?? JSON.stringify(event).length;
    this.#to = seq;
    this.#entries.push({ seq, event, length });
    this.#length += length;
    while (this.size > this.#maxEvents || (this.#length > this.#maxLength && this.size > 0)) this.#forget();
    if (this.#gone > this.size) {
      this.#entries = this.#entries.slice(this.#gone);
      this.#gone = 0;
      this.#look = undefined;
    }
  }

  at(seq: number, now: SessionView): SessionView | undefined {
    if (seq === now.seq && now.epoch !== undefined) return now;
    const base = this.#base;
    if (base === undefined || now.epoch !== this.#epoch || seq > now.seq || !(seq >= this.#from) || !Number.isSafeInteger(seq))
      return undefined;
    // One that is behind the window has missed what was let go since.
    const goesOn = this.#look && this.#look.seq <= seq && this.#look.next >= this.#gone;
    const look = goesOn ? this.#look! : (this.#look = { index: copy(base), seq: this.#from, next: this.#gone });
    for (; look.next < this.#entries.length && this.#entries[look.next]!.seq <= seq; look.next++)
      apply(look.index, this.#entries[look.next]!);
    look.seq = seq;
    const { index } = look;
    const next = this.#entries[look.next]?.event;
    // Between the ends of changes nobody was: what is shown is what was before them.
    const before = look.next > this.#gone ? this.#entries[look.next - 1]!.seq : this.#from;
    const stood = typeof next === 'object' && next.type === 'changes' ? Math.min(seq, Math.max(before, next.after)) : seq;
    return Object.freeze({
      session: index.session,
      loaded: true,
      epoch: this.#epoch,
      seq: stood,
      card: index.card,
      operations: Object.freeze([...index.operations.values()]),
      runs: Object.freeze([...index.runs.values()]),
      title: index.title,
      usage: index.usage,
      connection: PAST,
    });
  }

  #forget(): void {
    const entry = this.#entries[this.#gone]!;
    this.#entries[this.#gone++] = undefined;
    this.#length -= entry.length;
    this.#from = entry.seq;
    apply(this.#base!, entry);
  }
}

/** What was is no more: nothing moves in it. */
const PAST = Object.freeze({ state: 'ended', since: 0 } as const);

function apply(index: SessionIndex, { event }: Entry): void {
  if (typeof event !== 'string') return void (event.type === 'changes' ? index.merge(event) : index.apply(event));
  const checked = readStreamEvent(JSON.parse(event));
  if (checked.ok) index.apply(checked.value as ProgressEvent);
}

function copy(base: SessionIndex): SessionIndex {
  const index = new SessionIndex(base.session);
  index.load(base.snapshot(0, '', 0));
  for (const [key, tombstone] of base.tombstones()) index.restoreTombstone(key, tombstone);
  return index;
}
