import { isFinal } from '@sitrep/schema';
import type { Outcome } from '@sitrep/schema';
import type { OperationEvent, ProgressEvent, RunEvent } from '@sitrep/schema/wire';
import { mergeEvents } from './merge-events.ts';

/** What can be open: it has a state, and ends. */
type OpenEvent = OperationEvent | RunEvent;

/** An event that the gateway did not take, because it had ended what the event speaks of. */
export interface LostEvent {
  readonly event: ProgressEvent;
  /** The same as it was sent. */
  readonly sent: ProgressEvent;
}

/** Operations and runs that are followed at most; beyond that the one begun first is not held any more. */
const MAX_OPEN = 10_000;
/** The longest name of a run to which another life can be added. */
const MAX_RUN = 240;

/**
 * What a sink has open at its gateway, and under which attempt and run it goes on where the gateway has ended it because it
 * had not heard of this program. Nothing that was ended is reopened: an operation goes on as its next attempt, and a run,
 * which has none, under another name (`turn-1~2`).
 */
export class OpenWork {
  /** By session, then by key; each as one event that says all of it. */
  readonly #open = new Map<string, Map<string, OpenEvent>>();
  #size = 0;
  /** How many attempts an operation is ahead of what its events say. */
  readonly #ahead = new Map<string, number>();
  /** Names under which runs go on. */
  readonly #renamed = new Map<string, string>();

  /** Sessions in which something is open. */
  get sessions(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Notes what became of an event. */
  heard(event: ProgressEvent, outcome: Outcome): void {
    if (event.type === 'card' || event.type === 'session') return;
    const key = keyOf(event);
    // With `late`, somebody else has ended it or taken it from the list.
    if (event.type === 'operation.clear' || outcome === 'late') return this.#drop(event.session, key);
    if (outcome !== 'applied' && outcome !== 'duplicate') return;
    const now = this.#merged(key, event);
    if (now.state !== undefined && isFinal(now.state)) this.#drop(event.session, key);
    else this.#keep(key, now);
  }

  /** The event as it is to be sent: under the attempt and the run it goes on under. */
  asSent(event: ProgressEvent): ProgressEvent {
    if ((this.#ahead.size === 0 && this.#renamed.size === 0) || event.type === 'session') return event;
    const run = event.run === undefined ? undefined : this.#runName(event.session, event.run);
    const ahead = event.type === 'operation' ? (this.#ahead.get(keyOf(event)) ?? 0) : 0;
    if (run === event.run && ahead === 0) return event;
    return {
      ...event,
      ...(run === undefined ? {} : { run }),
      ...(ahead === 0 ? {} : { attempt: ((event as OperationEvent).attempt ?? 1) + ahead }),
    } as ProgressEvent;
  }

  /** Everything open in a session, each as one event that says all of it. */
  all(session: string, at: number): readonly ProgressEvent[] {
    return runsFirst(this.#open.get(session)?.values() ?? []).map((event) => ({ ...event, at }));
  }

  /**
   * Answers what to send so that what was ended goes on, each as one event that says all of it. A run decides how what is in
   * it goes on, so that all of them are asked for together first: somebody else may have ended some of it.
   *
   * @param lost in the order they were sent
   * @param answered what was answered with them (`keyOf`)
   * @param atOnce how many can be asked for together
   */
  goOn(lost: readonly LostEvent[], answered: ReadonlySet<string>, atOnce: number): readonly ProgressEvent[] {
    const again = new Map<string, string>();
    for (const { event, sent } of lost) {
      if (event.type !== 'operation' && event.type !== 'run') continue;
      const { session, run } = event;
      const key = keyOf(event);
      if (event.type === 'run' && event.run.length > MAX_RUN) {
        // There is no name under which it could go on.
        this.#drop(session, key);
        continue;
      }
      this.#keep(key, this.#merged(key, event));
      again.set(key, session);
      const outer = run === undefined ? undefined : runKeyOf(session, run);
      const inner = run === undefined ? [] : this.#inRun(session, run);
      const isAsked = inner.length >= atOnce || [outer ?? '', ...inner].every((each) => answered.has(each));
      if (event.type === 'run') {
        if (isAsked && this.#runName(session, event.run) === (sent as RunEvent).run) this.#rename(event, (sent as RunEvent).run);
        if (!isAsked || inner.length >= atOnce) for (const each of inner) again.set(each, session);
      } else if (run === undefined || this.#runName(session, run) === (sent as OperationEvent).run) {
        if (outer !== undefined && this.#open.get(session)?.has(outer) && !isAsked)
          for (const each of [outer, ...inner]) again.set(each, session);
        else if (attemptOf(sent) === attemptOf(this.asSent(event))) bounded(this.#ahead).set(key, (this.#ahead.get(key) ?? 0) + 1);
      }
    }
    return runsFirst([...again].map(([key, session]) => this.#open.get(session)?.get(key)).filter((event) => event !== undefined));
  }

  clear(): void {
    this.#open.clear();
    this.#size = 0;
  }

  #merged(key: string, event: OpenEvent): OpenEvent {
    const told = this.#open.get(event.session)?.get(key);
    // A new attempt begins afresh.
    return told === undefined || attemptOf(told) !== attemptOf(event) ? event : (mergeEvents(told, event) as OpenEvent);
  }

  #inRun(session: string, run: string): readonly string[] {
    const open = [...(this.#open.get(session) ?? [])];
    return open.filter(([, event]) => event.type === 'operation' && event.run === run).map(([key]) => key);
  }

  #runName(session: string, run: string): string {
    return this.#renamed.get(runKeyOf(session, run)) ?? run;
  }

  #rename({ session, run }: RunEvent, current: string): void {
    const lives = current === run ? 1 : Number(current.slice(run.length + 1));
    bounded(this.#renamed).set(runKeyOf(session, run), `${run}~${lives + 1}`);
  }

  #keep(key: string, event: OpenEvent): void {
    const open = this.#open.get(event.session) ?? new Map<string, OpenEvent>();
    this.#open.set(event.session, open);
    if (!open.has(key)) this.#size += 1;
    open.set(key, event);
    if (this.#size <= MAX_OPEN) return;
    for (const [session, held] of this.#open) for (const oldest of held.keys()) return this.#drop(session, oldest);
  }

  #drop(session: string, key: string): void {
    const open = this.#open.get(session);
    if (!open?.delete(key)) return;
    this.#size -= 1;
    if (open.size === 0) this.#open.delete(session);
  }
}

/** Identity of a run. */
function runKeyOf(session: string, run: string): string {
  return JSON.stringify([session, run]);
}

/** Identity of what an event is about, whatever its attempt; the JSON type of an id counts. */
export function keyOf(event: ProgressEvent): string {
  if (event.type === 'card' || event.type === 'session') return JSON.stringify([event.session, event.type, null, null]);
  return event.type === 'run' ? runKeyOf(event.session, event.run) : JSON.stringify([event.session, event.run ?? null, event.id]);
}

function attemptOf(event: ProgressEvent): number {
  return event.type === 'operation' ? (event.attempt ?? 1) : 1;
}

/** What is in a run comes after it. */
function runsFirst(events: Iterable<OpenEvent>): readonly OpenEvent[] {
  const all = [...events];
  return [...all.filter(({ type }) => type === 'run'), ...all.filter(({ type }) => type !== 'run')];
}

function bounded<V>(map: Map<string, V>): Map<string, V> {
  const [oldest] = map.size >= MAX_OPEN ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  return map;
}
