import type {
  Card,
  CardEvent,
  Operation,
  OperationEvent,
  OperationState,
  ProgressEvent,
  RunEvent,
  RunState,
  SessionEvent,
} from '@sitrep/schema/wire';
import type { Outcome } from '@sitrep/schema/reduce';

/** What the model follows of an operation. */
export interface Shape {
  readonly key: string;
  readonly attempt: number;
  readonly seq: number | undefined;
  readonly state: OperationState;
  readonly current: number | undefined;
  readonly message: string | undefined;
  readonly updatedAt: number;
  readonly endedAt: number | undefined;
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'denied', 'interrupted']);

/**
 * The rules of a session, written down the slow way and without regard to the reducers: whole records copied at each step,
 * each rule in its own line. Follows states, amounts, messages, runs, the card and the session's title.
 */
export class Model {
  readonly runs = new Map<string, RunState>();
  readonly #operations = new Map<string, Shape>();
  readonly #cleared = new Map<string, number>();
  readonly #runSaid = new Map<string, { at: number; startedAt: number | undefined }>();
  card: { revision: number; card: Card | null } = { revision: 0, card: null };
  title: string | undefined;

  /** Runs of the session before it was reset. */
  readonly #past = new Set<string>();

  /** The session begun anew: what was cleared stays so, nothing of the runs there were comes in, and the revision goes on. */
  reset(cleared: Iterable<readonly [key: string, attempt: number]>, runs: Iterable<string>, revision: number): Model {
    const anew = new Model();
    for (const [key, attempt] of [...this.#cleared, ...cleared]) anew.#cleared.set(key, attempt);
    for (const run of [...this.#past, ...runs]) anew.#past.add(run);
    anew.card = { revision, card: null };
    return anew;
  }

  /** As it stands now; what comes later does not change it. */
  copy(): Model {
    const copy = new Model();
    for (const [run, state] of this.runs) copy.runs.set(run, state);
    for (const [key, shape] of this.#operations) copy.#operations.set(key, shape);
    for (const [key, attempt] of this.#cleared) copy.#cleared.set(key, attempt);
    for (const [run, said] of this.#runSaid) copy.#runSaid.set(run, said);
    for (const run of this.#past) copy.#past.add(run);
    copy.card = this.card;
    copy.title = this.title;
    return copy;
  }

  apply(event: ProgressEvent): Outcome {
    const isOfRun = event.type === 'operation' || event.type === 'run' || event.type === 'card';
    if (isOfRun && event.run !== undefined && this.#past.has(event.run)) return 'late';
    if (event.type === 'operation') return this.#operation(event);
    if (event.type === 'operation.clear') return this.#clear(keyOf(event));
    if (event.type === 'run') return this.#run(event);
    if (event.type === 'card') return this.#card(event);
    return this.#session(event);
  }

  operations(): Shape[] {
    return [...this.#operations.values()];
  }

  shape(record: Operation): Shape {
    const { attempt, seq, state, current, message, updatedAt, endedAt } = record;
    return { key: keyOf(record), attempt, seq, state, current, message, updatedAt, endedAt };
  }

  #operation(event: OperationEvent): Outcome {
    const key = keyOf(event);
    const attempt = event.attempt ?? 1;
    const held = this.#operations.get(key);
    if (held === undefined) {
      const buried = this.#cleared.get(key);
      if (buried !== undefined && attempt <= buried) return 'late';
      this.#operations.set(key, fresh(key, attempt, event));
      return 'applied';
    }
    if (attempt < held.attempt) return 'stale';
    if (attempt > held.attempt) {
      this.#operations.set(key, fresh(key, attempt, event));
      return 'applied';
    }
    if (event.seq !== undefined && held.seq !== undefined) {
      if (event.seq === held.seq) return 'duplicate';
      if (event.seq < held.seq) return 'stale';
    }
    if (ENDS.has(held.state)) {
      if (event.state !== held.state) return 'late';
      const saysMore = differs(event.current, held.current) || differs(event.message, held.message);
      return saysMore ? 'late' : 'duplicate';
    }
    const next = moved(held, event);
    if (JSON.stringify(next) === JSON.stringify(held)) return 'duplicate';
    this.#operations.set(key, next);
    return 'applied';
  }

  #clear(key: string): Outcome {
    const held = this.#operations.get(key);
    if (held === undefined) return 'unknown';
    this.#operations.delete(key);
    this.#cleared.set(key, held.attempt);
    return 'applied';
  }

  #run({ run, state, at }: RunEvent): Outcome {
    const held = this.runs.get(run);
    if (held !== undefined && ENDS.has(held)) return held === state ? 'duplicate' : 'late';
    const said = this.#runSaid.get(run);
    if (held === state && said?.at === at) return 'duplicate';
    this.runs.set(run, state);
    this.#runSaid.set(run, { at, startedAt: said?.startedAt ?? at });
    if (!ENDS.has(state)) return 'applied';
    for (const [key, operation] of this.#operations) {
      if (!key.endsWith(`@${run}`) || ENDS.has(operation.state)) continue;
      this.#operations.set(key, { ...operation, state: 'interrupted', updatedAt: at, endedAt: at });
    }
    return 'applied';
  }

  #session({ title, usage }: SessionEvent): Outcome {
    if (usage !== undefined) throw new Error('not in this model');
    if (title === undefined || (title ?? undefined) === this.title) return 'duplicate';
    this.title = title ?? undefined;
    return 'applied';
  }

  #card({ revision, card }: CardEvent): Outcome {
    if (revision === this.card.revision) return 'duplicate';
    if (revision < this.card.revision) return 'stale';
    const says = card !== null && ((card.plan?.length ?? 0) > 0 || (card.markdown ?? '').trim() !== '');
    this.card = { revision, card: says ? card : null };
    return 'applied';
  }
}

/** The key of an operation in the model. */
export function keyOf({ id, run }: { readonly id: string | number; readonly run?: string | undefined }): string {
  return `${JSON.stringify(id)}@${run ?? ''}`;
}

function fresh(key: string, attempt: number, event: OperationEvent): Shape {
  const { seq, state = 'pending', current, message, at } = event;
  return {
    key,
    attempt,
    seq,
    state,
    current: current ?? undefined,
    message: message ?? undefined,
    updatedAt: at,
    endedAt: ENDS.has(state) ? at : undefined,
  };
}

function moved(held: Shape, { seq, state, current, message, at }: OperationEvent): Shape {
  return {
    ...held,
    seq: seq ?? held.seq,
    state: state ?? held.state,
    current: current === undefined ? held.current : (current ?? undefined),
    message: message === undefined ? held.message : (message ?? undefined),
    updatedAt: at,
    endedAt: state !== undefined && ENDS.has(state) ? at : held.endedAt,
  };
}

/** An absent part says nothing; null says that there is none. */
function differs<T>(said: T | null | undefined, held: T | undefined): boolean {
  return said !== undefined && (said ?? undefined) !== held;
}
