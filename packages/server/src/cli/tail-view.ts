import { checkStreamEvent, cleanLine } from '@sitrep/schema/check';
import { operationKey, runKey, SessionIndex } from '@sitrep/schema/reduce';
import { amount, cardText, displayTitle, liveness, sessionLiveness, stateWord, summary } from '@sitrep/schema/select';
import { isFinal } from '@sitrep/schema';
import type { Operation } from '@sitrep/schema';
import type { Changes, ProgressEvent, StreamEvent } from '@sitrep/schema/wire';
import { counted } from './counted.ts';

/** Turns the frames of a stream into lines for a person. No escape sequence of a producer reaches the terminal. */
export class TailView {
  readonly #index: SessionIndex;
  readonly #print: (line: string) => void;
  /** What was said last of the silence of an operation or a run. */
  readonly #silent = new Map<string, string>();
  /** By how much the gateway's clock is ahead of ours. */
  #ahead = 0;
  #ended = false;

  constructor(session: string, print: (line: string) => void) {
    this.#index = new SessionIndex(session);
    // Ids are kept as they were sent; a terminal must not be.
    this.#print = (line) => print(cleanLine(line));
  }

  /** True once the gateway said that nothing more will come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Says what has become silent since it was last looked. */
  look(now: number = Date.now()): void {
    const { operations, runs } = this.#index;
    const at = now + this.#ahead;
    const before = new Map(this.#silent);
    this.#silent.clear();
    const silent = (key: string, life: string, say: () => void): void => {
      if (life !== 'quiet' && life !== 'stale') return;
      this.#silent.set(key, life);
      if (before.get(key) !== life) say();
    };
    for (const [key, operation] of operations) {
      const run = operation.run === undefined ? undefined : runs.get(operation.run);
      silent(key, liveness(operation, { now: at, run }), () => this.#operation(operation, at));
    }
    for (const run of runs.values()) {
      const inRun = [...operations.values()].filter((operation) => operation.run === run.run);
      const life = sessionLiveness({ operations: inRun, runs: [run] }, { now: at });
      silent(runKey(run.run), life, () => this.#print(`${time(run.updatedAt)} run ${run.run} ${life}`));
    }
  }

  frame(value: unknown): void {
    const checked = checkStreamEvent(value);
    if (!checked.ok) return this.#print(`? a frame was not understood: ${checked.issues[0]?.message ?? ''}`);
    this.#event(checked.value);
  }

  #event(event: StreamEvent): void {
    switch (event.type) {
      case 'heartbeat':
        this.#ahead = event.at - Date.now();
        return;
      case 'resync':
        return this.#print(`${time(Date.now())} – the history does not continue where it stopped (${event.reason}); beginning anew`);
      case 'end':
        this.#ended = true;
        return this.#print(`${time(Date.now())} – the gateway ended the stream (${event.reason})`);
      case 'snapshot':
        this.#ahead = event.at - Date.now();
        this.#index.load(event);
        this.#print(`${time(event.at)} ${event.title ?? event.session}: ${counted(event.operations.length, 'operation')}`);
        this.#card();
        for (const operation of event.operations) this.#operation(operation, event.at);
        return;
      case 'changes':
        return this.#merged(event);
      default:
        return this.#progress(event);
    }
  }

  #progress(event: ProgressEvent): void {
    const { outcome, keys } = this.#index.apply(event);
    if (outcome !== 'applied') return;
    if (event.type === 'card') this.#card();
    if (event.type === 'run') this.#print(`${time(event.at)} run ${event.run} ${event.state}`);
    if (event.type === 'session' && event.title) this.#print(`${time(event.at)} now called ${event.title}`);
    if (event.type === 'operation.clear') this.#print(`${time(event.at)} ${event.id} cleared`);
    for (const key of keys) {
      const operation = this.#index.operations.get(key);
      if (operation) this.#operation(operation);
    }
  }

  /** The newest of what changed while this reader was behind. */
  #merged(changes: Changes): void {
    this.#index.merge(changes);
    if (changes.revision !== undefined) this.#card();
    for (const { id, run } of changes.removed) if (!this.#index.find(id, run)) this.#print(`${time(changes.at)} ${id} cleared`);
    for (const operation of changes.operations) this.#operation(operation);
  }

  /** One line for an operation as it stands; with `now`, what has been silent for long is not called running. */
  #operation(operation: Operation, now = operation.updatedAt): void {
    const { updatedAt, state, run } = operation;
    const life = liveness(operation, { now, run: run === undefined ? undefined : this.#index.runs.get(run) });
    // Has been said then.
    if (life === 'quiet' || life === 'stale') this.#silent.set(operationKey(operation.id, run), life);
    const word = life === 'moving' || life === 'settled' ? stateWord(state) : life;
    const note = noteOf(operation);
    const what = titleAndAmount(operation);
    this.#print(`${time(updatedAt)} ${word.padEnd(11)} ${what}${note === undefined ? '' : ` – ${note}`}`);
  }

  #card(): void {
    const { card, revision, updatedAt } = this.#index.card;
    if (revision === 0) return;
    this.#print(`${time(updatedAt ?? Date.now())} card (rev ${revision})${card === null ? ' cleared' : ''}`);
    if (card !== null) for (const line of cardText(card).split('\n')) this.#print(`         ${line}`);
  }
}

/** The state has its own column: beside the title, only how far it is or came is worth saying. */
function titleAndAmount(operation: Operation): string {
  if (!isFinal(operation.state) && operation.state !== 'blocked') return summary(operation);
  const done = amount(operation);
  return `${displayTitle(operation)}${done === undefined ? '' : ` ${done}`}`;
}

/** What went wrong, what a person is asked or what is waited for; else what the producer says, and why it was interrupted. */
function noteOf({ state, message, error, blockedOn, waitingOn, reason }: Operation): string | undefined {
  const held = state === 'blocked' ? blockedOn?.prompt : state === 'waiting' ? waitingOn?.text : undefined;
  const said = error?.message ?? held ?? message;
  if (state !== 'interrupted' || !reason) return said;
  return said === undefined ? reason : `${said} (${reason})`;
}

function time(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
