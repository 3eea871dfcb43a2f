import type { Batch } from '../read/batch.ts';
import type { Clock } from '../clock.ts';
import { Follow } from './follow.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Log } from '../log.ts';
import type { Stats } from '../stats.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { Sessions } from '../session/sessions.ts';
import { faultReason } from '../../store/store-fault.ts';
import { commitFault, storeFault } from '../store-fault.ts';
import type { Position, SessionChange, Store, StoredReceipt } from '../../store/store.ts';
import { owedBy } from '../../push/owed.ts';
import type { Push } from '../../push/push.ts';

/** How often a write is made again when another writer of a shared store was first; each time somebody gets on. */
const ROUNDS = 200;
const NO_RECEIPTS: ReadonlyMap<Job, StoredReceipt | undefined> = new Map();
const NOTHING_REFUSED: NonNullable<Awaited<ReturnType<Store['commit']>>['refused']> = new Map();

interface Job {
  readonly session: string;
  readonly size: number;
  /**
   * Applies to the session in memory; answers what to resolve with after the commit. Must not throw for bad input. Made again,
   * on the session as it is then, when another writer was first.
   */
  readonly apply: (live: LiveSession, receipt: StoredReceipt | undefined) => unknown;
  /** The key whose receipt `apply` wants to see. */
  readonly key: string | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface WriterParts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly pendingLimit: number;
  readonly log: Log;
  readonly stats: Stats;
  /** Called after the commit and before the writers are answered. */
  readonly publish: (batch: Batch) => void;
  /** Who brings notices to people, where somebody does. */
  readonly push?: Pick<Push, 'wanted' | 'committed'> | undefined;
  /** Called for a session the store has let go. */
  readonly dropped: (session: string) => void;
  /** The position the readers of a session have been sent; undefined without readers. */
  readonly position: (session: string) => Position | undefined;
  /** Gives the readers of a session a new beginning, at once; in place of `publish` when it began anew. */
  readonly restart: (live: LiveSession, reason: string) => void;
}

/**
 * The single writer of this process. Everything that arrives while a commit runs goes into the next one, so that many small
 * writes share one synchronisation to disk. Order: apply in memory, commit, publish, answer. A commit that fails answers every
 * writer with an error and forgets what was applied. Where others write to the same store, and one of them was first, what
 * they stored is taken in and told to readers, and the write is made again.
 */
export class Writer {
  readonly #parts: WriterParts;
  readonly #follow: Follow | undefined;
  #queue: Job[] = [];
  #pending = 0;
  #scheduled = false;
  #commit: Promise<void> | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    const { shared } = parts.store;
    this.#follow = shared && new Follow({ ...parts, shared });
  }

  /**
   * Queues one write. `size` is the number of events in it; with a `key`, `apply` is shown the receipt the store has for it.
   *
   * @throws GatewayError `busy` when too much waits, `store_failed` when the commit failed, `unavailable` and `in_doubt` when a
   * shared store cannot be reached
   */
  write<T>(session: string, size: number, apply: (live: LiveSession, receipt: StoredReceipt | undefined) => T, key?: string): Promise<T> {
    // A lone write of any size is let in, or it could never be made.
    if (this.#pending > 0 && this.#pending + size > this.#parts.pendingLimit) {
      const message = `More than ${this.#parts.pendingLimit} events wait to be stored. Send this again in a second.`;
      return Promise.reject(new GatewayError('busy', message));
    }
    try {
      this.#follow?.assertUp();
    } catch (error) {
      return Promise.reject(error as Error);
    }
    this.#pending += size;
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ session, size, apply, key, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Resolves when memory holds what is stored of a session now, and its readers have been sent it. Without a shared store that
   * is always so.
   *
   * @throws GatewayError `unavailable` when the store cannot be reached
   */
  async check(session: string): Promise<void> {
    if (!this.#follow) return;
    const checked = this.#follow.ask(session);
    this.#schedule();
    await checked;
  }

  /** Events accepted and not yet stored. */
  get pending(): number {
    return this.#pending;
  }

  /** Resolves when memory and store agree. Code that runs synchronously afterwards sees committed state only. */
  async settled(): Promise<void> {
    while (this.#commit) await this.#commit;
  }

  /** Resolves when everything queued so far is stored or refused. */
  async drained(): Promise<void> {
    while (this.#commit || this.#waits) await (this.#commit ?? new Promise((resolve) => setImmediate(resolve)));
  }

  get #waits(): boolean {
    return this.#queue.length > 0 || this.#follow?.asked === true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#commit) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commit = this.#flush().finally(() => {
        this.#commit = undefined;
        if (this.#waits) this.#schedule();
      });
    });
  }

  /** Never rejects. */
  async #flush(): Promise<void> {
    const { sessions } = this.#parts;
    const jobs = this.#queue;
    this.#queue = [];
    try {
      await this.#follow?.answer();
      let waiting = jobs;
      for (let round = 1; waiting.length > 0; round += 1) {
        waiting = await this.#round(waiting);
        if (waiting.length === 0) break;
        if (round === ROUNDS) {
          const error = new GatewayError('busy', 'Too many others write to this session. Nothing of this request was kept: send it again.');
          for (const job of waiting) job.reject(error);
          break;
        }
        this.#parts.stats.conflicts += waiting.length;
        await this.#follow?.align(new Set(waiting.map(({ session }) => session)));
      }
    } finally {
      for (const job of jobs) this.#pending -= job.size;
      sessions.trim();
    }
  }

  /** Makes the writes once and answers them, but for those that have to be made again. Never rejects. */
  async #round(jobs: readonly Job[]): Promise<Job[]> {
    const { store, sessions, clock, stats, publish, push, restart, dropped } = this.#parts;
    const live = new Map<string, LiveSession>();
    try {
      const ready = this.#follow ? await this.#follow.loaded(jobs) : jobs;
      for (const { session } of ready) {
        if (!live.has(session)) live.set(session, sessions.get(session) ?? (await sessions.load(session)));
      }
      const receipts = await this.#receipts(ready);
      if (push?.wanted) for (const session of live.values()) session.watch();
      const answers = ready.map((job) => job.apply(live.get(job.session) as LiveSession, receipts.get(job)));
      const changes: SessionChange[] = [];
      const unchanged: LiveSession[] = [];
      for (const session of live.values()) {
        if (session.dirty) changes.push(changeOf(session, clock.now()));
        else unchanged.push(session);
      }
      // What was answered without a change is true only if nobody else has written meanwhile.
      const outdated = this.#follow?.outdated(unchanged);
      const began = performance.now();
      const { dropped: gone, refused: refusals } = changes.length > 0 ? await store.commit(changes) : { dropped: [], refused: undefined };
      if (changes.length > (refusals?.size ?? 0)) stats.committed(performance.now() - began);
      this.#note(refusals);
      const refused = outdated ? new Map([...(refusals ?? []), ...(await outdated)]) : NOTHING_REFUSED;
      for (const { session, epoch, seq, events, reset, records } of changes) {
        if (refused.has(session)) continue;
        if (reset) restart(live.get(session) as LiveSession, 'reset');
        else if (events.length > 0) publish({ session, epoch, events, end: { epoch, seq } });
        push?.committed(session, records !== undefined);
      }
      for (const session of gone) {
        sessions.drop(session);
        dropped(session);
      }
      if (refused.size === 0) {
        ready.forEach((job, n) => job.resolve(answers[n]));
        return [];
      }
      // What was applied to these and not stored must not be seen.
      for (const session of refused.keys()) sessions.drop(session);
      return ready.filter((job, n) => {
        const refusal = refused.get(job.session);
        if (refusal === undefined) job.resolve(answers[n]);
        else if (refusal !== 'moved') job.reject(commitFault(refusal));
        return refusal === 'moved';
      });
    } catch (cause) {
      await this.#failed(jobs, live, cause);
      return [];
    }
  }

  /** Counts and tells what a shared store could not keep. That another was first is no failure. */
  #note(refusals: NonNullable<Awaited<ReturnType<Store['commit']>>['refused']> = NOTHING_REFUSED): void {
    const faults = [...refusals.values()].filter((refusal) => refusal !== 'moved');
    const [first] = faults;
    if (!first) return;
    this.#parts.stats.commitFailures += 1;
    this.#parts.log(`The store failed and ${faults.length} of the sessions written to were not kept: ${first.message}`, {
      event: 'commit_failed',
      level: 'error',
      sessions: faults.length,
      reason: first.message,
    });
  }

  async #receipts(jobs: readonly Job[]): Promise<ReadonlyMap<Job, StoredReceipt | undefined>> {
    const { store } = this.#parts;
    if (jobs.every(({ key }) => key === undefined)) return NO_RECEIPTS;
    const keyed = jobs.flatMap(({ key, session }, n) => (key === undefined ? [] : [{ key, session, job: jobs[n] as Job }]));
    const found = await Promise.all(keyed.map(({ key, session }) => store.receipt(session, key)));
    return new Map(keyed.map(({ job }, n) => [job, found[n]]));
  }

  async #failed(jobs: readonly Job[], live: ReadonlyMap<string, LiveSession>, cause: unknown): Promise<void> {
    const { sessions, log, stats } = this.#parts;
    stats.commitFailures += 1;
    const message = (cause as Error).message;
    log(`The store failed and nothing of ${jobs.length} writes was kept: ${message}`, {
      event: 'commit_failed',
      level: 'error',
      writes: jobs.length,
      reason: message,
    });
    for (const [session, { firstEpoch }] of live) {
      sessions.drop(session);
      // Readers of a session that was never stored keep their epoch.
      if (!this.#follow && faultReason(cause) !== 'lost') await sessions.load(session, firstEpoch).catch(() => undefined);
    }
    const error = storeFault(cause);
    for (const job of jobs) job.reject(error);
  }
}

/** What a session changed, and what is to be told of it, to be stored together. */
function changeOf(live: LiveSession, now: number): SessionChange {
  const change = live.takeChange(now);
  const steps = live.takeNotices();
  return steps.size === 0 ? change : { ...change, records: owedBy(steps, { ...change, at: now }) };
}
