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

/** A run something of which was ended, while the gateway is asked what became of the rest. */
interface Asking {
  readonly session: string;
  readonly run: string;
  /** What was answered since. */
  readonly answered: Set<string>;
  readonly lost: Map<string, LostEvent>;
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
  /** Operations that somebody else has ended: in which run that was, and which attempt. */
  readonly #over = new Map<string, { readonly run: string; readonly attempt: number }>();
  /** Runs of which all is being asked for, by key. */
  readonly #asking = new Map<string, Asking>();

  /** Sessions in which something is open. */
  get sessions(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Notes what became of an event. */
  heard(event: ProgressEvent, outcome: Outcome): void {
    if (event.type === 'card' || event.type === 'session') return;
    const key = keyOf(event);
    // With `late`, somebody else has ended it or taken it from the list.
    if (event.type === 'operation.clear' || outcome === 'late') {
      // What still waits to be said of it must not begin it again where its run goes on.
      if (event.type === 'operation' && event.run !== undefined && outcome === 'late')
        bounded(this.#over).set(key, { run: this.#runName(event.session, event.run), attempt: attemptOf(event) });
      return this.#drop(event.session, key);
    }
    if (outcome !== 'applied' && outcome !== 'duplicate') return;
    const now = this.#merged(key, event);
    if (now.state !== undefined && isFinal(now.state)) this.#drop(event.session, key);
    else this.#keep(key, now);
  }

  /** The event as it is to be sent: under the attempt and the run it goes on under. */
  asSent(event: ProgressEvent): ProgressEvent {
    if ((this.#ahead.size === 0 && this.#renamed.size === 0) || event.type === 'session') return event;
    const over = event.type === 'operation' && this.#over.size > 0 ? this.#over.get(keyOf(event)) : undefined;
    const isOver = over !== undefined && attemptOf(event) <= over.attempt;
    const run = event.run === undefined ? undefined : isOver ? over.run : this.#runName(event.session, event.run);
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

  /** True while what somebody else may have ended of a run is being asked for. */
  get isAsking(): boolean {
    return this.#asking.size > 0;
  }

  /**
   * Answers what to send so that what was ended goes on, each as one event that says all of it. A run decides how what is in
   * it goes on, so that all of it is asked for first, in as many requests as it takes: somebody else may have ended some of it.
   *
   * @param lost in the order they were sent
   * @param answered what was answered with them (`keyOf`)
   * @param isLast nothing is on its way any more: what was not answered will not be
   */
  goOn(lost: readonly LostEvent[], answered: ReadonlySet<string>, isLast: boolean): readonly ProgressEvent[] {
    const again = new Map<string, string>();
    const before = new Set(this.#asking.keys());
    for (const each of lost) {
      const { event, sent } = each;
      if (event.type !== 'operation' && event.type !== 'run') continue;
      const { session, run } = event;
      const key = keyOf(event);
      if (event.type === 'run' && event.run.length > MAX_RUN) {
        // There is no name under which it could go on.
        this.#drop(session, key);
        continue;
      }
      this.#keep(key, this.#merged(key, event));
      const outer = run === undefined ? undefined : runKeyOf(session, run);
      const isCurrent = run === undefined || this.#runName(session, run) === (sent as OpenEvent).run;
      if (isCurrent && run !== undefined && outer !== undefined && this.#open.get(session)?.has(outer)) {
        const asking = this.#asking.get(outer) ?? { session, run, answered: new Set(), lost: new Map() };
        this.#asking.set(outer, asking);
        asking.lost.set(key, each);
      } else {
        if (isCurrent) this.#nextAttempt(key, each);
        again.set(key, session);
      }
    }
    for (const [outer, asking] of this.#asking) {
      const { session } = asking;
      for (const key of answered) asking.answered.add(key);
      const all = [outer, ...this.#inRun(session, asking.run)];
      const missing = all.filter((key) => !asking.answered.has(key) && this.#open.get(session)?.has(key));
      const isNew = !before.has(outer);
      if (missing.length === 0 || (isLast && !isNew)) for (const key of this.#decide(outer, asking)) again.set(key, session);
      else if (isNew) for (const key of missing) again.set(key, session);
    }
    return runsFirst([...again].map(([key, session]) => this.#open.get(session)?.get(key)).filter((event) => event !== undefined));
  }

  clear(): void {
    this.#open.clear();
    this.#asking.clear();
    this.#size = 0;
  }

  #merged(key: string, event: OpenEvent): OpenEvent {
    const told = this.#open.get(event.session)?.get(key);
    // A new attempt begins afresh.
    return told === undefined || attemptOf(told) !== attemptOf(event) ? event : (mergeEvents(told, event) as OpenEvent);
  }

  /** All of a run is asked for: answers what of it goes on. */
  #decide(outer: string, { session, run, lost }: Asking): readonly string[] {
    this.#asking.delete(outer);
    const itself = lost.get(outer);
    if (itself !== undefined) {
      this.#rename(itself.event as RunEvent, (itself.sent as RunEvent).run);
      return [outer, ...this.#inRun(session, run)];
    }
    for (const [key, each] of lost) this.#nextAttempt(key, each);
    return [...lost.keys()];
  }

  #nextAttempt(key: string, { event, sent }: LostEvent): void {
    if (event.type === 'operation' && attemptOf(sent) === attemptOf(this.asSent(event)))
      bounded(this.#ahead).set(key, (this.#ahead.get(key) ?? 0) + 1);
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
