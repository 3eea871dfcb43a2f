import type { SessionView } from '@sitrep/client';
import type { CardRecord, Operation, ProgressEvent, Run } from '@sitrep/schema';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Store } from '@sitrep/server/store';

/** A session as text, for comparison: records that mean the same look the same. */
export function textOf(
  operations: Iterable<Operation>,
  { revision, card }: Pick<CardRecord, 'revision' | 'card'>,
  runs: Iterable<Run>,
): string {
  const sorted = [...operations].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  return JSON.stringify([sorted.map(inOrder), revision, card, Array.from(runs, inOrder)]);
}

/** The members by name, whatever the order they came in. */
function inOrder(record: Operation | Run): readonly (readonly [string, unknown])[] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What was wrong with what a reader showed. */
export interface Wrong {
  /** Views that were not what was true at their position: something was missing, doubled or out of turn. */
  readonly untrue: number;
  /** Times a reader turned back. */
  readonly reversals: number;
  readonly examples: readonly string[];
}

/** Everything shown of one session by all its readers, to be compared with the store at the end. */
export class Witness {
  readonly session: string;
  /** Views noted. */
  views = 0;
  #epoch: string | undefined;
  readonly #shown = new Map<number, string>();
  readonly #examples: string[] = [];
  #untrue = 0;
  #reversals = 0;

  constructor(session: string) {
    this.session = session;
  }

  /** Notes what a reader shows; `last` is what it showed before. */
  note(reader: string, view: SessionView, last: SessionView | undefined): void {
    this.views += 1;
    const epoch = view.epoch ?? '';
    this.#epoch ??= epoch;
    if (epoch !== this.#epoch) return this.#wrong('untrue', `${reader} shows a history ${epoch} that never was`);
    if (last !== undefined && view.seq < last.seq) this.#wrong('reversals', `${reader} went back from ${last.seq} to ${view.seq}`);
    const text = textOf(view.operations, view.card, view.runs);
    const shown = this.#shown.get(view.seq);
    if (shown === undefined) this.#shown.set(view.seq, text);
    else if (shown !== text) this.#wrong('untrue', `${reader} shows at ${view.seq} what another one does not: ${text}, not ${shown}`);
  }

  /** Goes through the log of the store event by event and compares every view with what was true then. */
  async judge(store: Store): Promise<Wrong & { readonly events: readonly ProgressEvent[] }> {
    const log = await store.eventsAfter(this.session, 0);
    if (log === undefined) throw new Error(`The store has not kept the whole log of ${this.session}.`);
    const index = new SessionIndex(this.session);
    const events: ProgressEvent[] = [];
    let next = 1;
    this.#compare(0, index);
    for (const { seq, data } of log) {
      if (seq !== next) this.#wrong('untrue', `the store goes on with ${seq} where ${next} should be`);
      next = seq + 1;
      const event = JSON.parse(data) as ProgressEvent;
      events.push(event);
      const { outcome } = index.apply(event);
      if (outcome !== 'applied') this.#wrong('untrue', `the store holds an event that is ${outcome}: ${data}`);
      this.#compare(seq, index);
    }
    for (const seq of this.#shown.keys())
      if (seq >= next) this.#wrong('untrue', `position ${seq} was shown, the store ends at ${next - 1}`);
    return { untrue: this.#untrue, reversals: this.#reversals, examples: this.#examples, events };
  }

  #compare(seq: number, index: SessionIndex): void {
    const shown = this.#shown.get(seq);
    if (shown === undefined) return;
    const is = textOf(index.operations.values(), index.card, index.runs.values());
    if (shown !== is) this.#wrong('untrue', `${this.session} was shown at ${seq} as ${shown}, and was ${is}`);
  }

  #wrong(what: 'untrue' | 'reversals', example: string): void {
    if (what === 'untrue') this.#untrue += 1;
    else this.#reversals += 1;
    if (this.#examples.length < 5) this.#examples.push(example);
  }
}
