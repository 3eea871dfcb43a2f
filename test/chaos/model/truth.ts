import type { SessionView } from '@sitrep/client';
import type { Card, Operation } from '@sitrep/schema';
import type { CardEvent, OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import type { SessionChange, StoredSession } from '@sitrep/server/store';
import { operationKey } from '@sitrep/schema/reduce';
import { keyOf, Model } from '../../../packages/schema/test/reduce/model.ts';
import type { Shape } from '../../../packages/schema/test/reduce/model.ts';
import { IDS, RUNS } from './commands.ts';

/** What was true of the session at each position that was ever committed, by rules of its own. */
export class Truth {
  readonly #states = new Map<string, Map<number, Model>>();
  /** Records found to mean what the model says, so that what stays as it is is compared once. */
  readonly #same = new WeakMap<object, unknown>();
  readonly #over = new Set<string>();
  #resets = 0;
  /** Events committed so far. */
  events = 0;

  /** The state at a position; at the beginning of a history nothing is there. */
  at(epoch: string, seq: number): Model | undefined {
    return this.#states.get(epoch)?.get(seq) ?? (seq === 0 ? EMPTY : undefined);
  }

  /** True for a history that ended because the session was begun anew, also for one that ended in the commit it began in. */
  isOver(epoch: string): boolean {
    return this.#over.has(epoch) || (this.#resets > 0 && !this.#states.has(epoch));
  }

  /** A history goes on under another name from a state of a former one. */
  continue(from: { readonly epoch: string; readonly seq: number }, epoch: string): void {
    this.#states.set(epoch, new Map([[from.seq, this.#need(from.epoch, from.seq)]]));
  }

  /**
   * Takes what the store was given; for a session begun anew, `before` is what the store had until then. Throws for a hole, a repetition, and an event that the rules would not have applied.
   */
  committed(change: SessionChange, before: StoredSession | undefined): void {
    const { epoch, seq, events } = change;
    let states = this.#states.get(epoch);
    if (states === undefined) this.#states.set(epoch, (states = new Map()));
    if (change.reset) {
      this.#resets += 1;
      states.set(seq - events.length, this.#reset(change, before));
      for (const name of this.#states.keys()) if (name !== epoch) this.#over.add(name);
    }
    for (const event of events) {
      if (states.has(event.seq)) throw new Error(`${epoch}:${event.seq} was committed twice`);
      const state = this.#need(epoch, event.seq - 1).copy();
      const outcome = state.apply(JSON.parse(event.data) as ProgressEvent);
      if (outcome !== 'applied') throw new Error(`the log holds an event that is ${outcome}: ${event.data}`);
      states.set(event.seq, state);
      this.events += 1;
    }
    if (events.length > 0 && events.at(-1)!.seq !== seq) throw new Error(`a commit at ${seq} ends with event ${events.at(-1)!.seq}`);
  }

  /** How a view differs from what was true at its position; undefined when it does not. */
  differs(view: SessionView): string | undefined {
    const { epoch = '', seq, operations, runs, card, title } = view;
    const state = this.at(epoch, seq);
    if (state === undefined) return `nothing was ever at ${epoch}:${seq}`;
    const shapes = state.operations();
    if (shapes.length !== operations.length) return `${operations.length} operations at ${seq}, not ${shapes.length}`;
    for (let n = 0; n < shapes.length; n++) {
      const found = this.#differs(state, operations[n]!, shapes[n]!);
      if (found !== undefined) return `at ${seq}: ${found}`;
    }
    if (runs.length !== state.runs.size) return `${runs.length} runs at ${seq}, not ${state.runs.size}`;
    for (const { run, state: is } of runs)
      if (state.runs.get(run) !== is) return `run ${run} is ${is} at ${seq}, not ${state.runs.get(run)}`;
    if (card.revision !== state.card.revision) return `the card has revision ${card.revision} at ${seq}, not ${state.card.revision}`;
    if (!this.#sameCard(card.card, state.card.card)) return `the card of revision ${card.revision} is another one at ${seq}`;
    return title === state.title ? undefined : `the title is ${title} at ${seq}, not ${state.title}`;
  }

  /** What a session begins with after it was reset: the keys of what there was, and the revision. */
  #reset({ removed, card, events }: SessionChange, stored: StoredSession | undefined): Model {
    const before = stored === undefined ? EMPTY : this.#need(stored.epoch, stored.seq);
    const cleared = removed.flatMap(({ key, attempt }): [string, number][] => {
      const name = KEYS.get(key);
      if (name === undefined) return [];
      // What began since and was cleared again: before it began, at most an earlier attempt had been cleared.
      const begun = events.find(({ type, data }) => type === 'operation' && nameOf(data) === name);
      const known = begun === undefined ? attempt : ((JSON.parse(begun.data) as OperationEvent).attempt ?? 1) - 1;
      return known === 0 ? [] : [[name, known]];
    });
    const runs = RUNS.filter((run) => run !== undefined && removed.some(({ key }) => key === `!${run}`)) as string[];
    // Whatever was written since stands in the same change.
    const written = events.filter(({ type }) => type === 'card').map(({ data }) => (JSON.parse(data) as CardEvent).revision);
    const revision = written.length > 0 ? written[0]! - 1 : (card?.revision ?? 0);
    return before.reset(cleared, runs, revision);
  }

  #need(epoch: string, seq: number): Model {
    const state = this.at(epoch, seq);
    if (state === undefined) throw new Error(`nothing was committed at ${epoch}:${seq}`);
    return state;
  }

  #differs(state: Model, record: Operation, shape: Shape): string | undefined {
    if (this.#same.get(record) === shape) return undefined;
    const came = JSON.stringify(state.shape(record));
    const is = JSON.stringify(shape);
    if (came !== is) return `${came}, not ${is}`;
    this.#same.set(record, shape);
    return undefined;
  }

  #sameCard(came: Card | null, is: Card | null): boolean {
    if (came === null || is === null) return came === is;
    if (this.#same.get(came) === is) return true;
    if (JSON.stringify(came.plan ?? []) !== JSON.stringify(is.plan ?? [])) return false;
    if ((came.markdown ?? '') !== (is.markdown ?? '')) return false;
    this.#same.set(came, is);
    return true;
  }
}

function nameOf(data: string): string {
  return keyOf(JSON.parse(data) as OperationEvent);
}

const EMPTY = new Model();
/** The names of operations in the model, by their keys in a store. */
const KEYS = new Map(IDS.flatMap((id) => RUNS.map((run) => [operationKey(id, run), keyOf({ id, run })] as const)));
