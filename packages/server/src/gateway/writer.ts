import type { Clock } from './clock.ts';
import { GatewayError } from './gateway-error.ts';
import type { Log } from './log.ts';
import type { Stats } from './stats.ts';
import type { LiveSession } from './live-session.ts';
import type { Sessions } from './sessions.ts';
import type { LoggedEvent, Store, StoredReceipt } from '../store/store.ts';

/** What was stored of one session in one commit, in order. */
export interface Batch {
  readonly session: string;
  readonly epoch: string;
  readonly events: readonly LoggedEvent[];
}

interface Job {
  readonly session: string;
  readonly size: number;
  /** Applies to the session in memory; answers what to resolve with after the commit. Must not throw for bad input. */
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
  /** Called for a session the store has let go. */
  readonly dropped: (session: string) => void;
  /** Called, in place of `publish`, for a session that began anew. */
  readonly reset: (session: string) => void;
}

/**
 * The single writer. Everything that arrives while a commit runs goes into the next one, so that many small writes share
 * one synchronisation to disk. Order: apply in memory, commit, publish, answer. A commit that fails answers every writer
 * with an error and forgets what was applied.
 */
export class Writer {
  readonly #parts: WriterParts;
  #queue: Job[] = [];
  #pending = 0;
  #scheduled = false;
  #commit: Promise<void> | undefined;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /**
   * Queues one write. `size` is the number of events in it; with a `key`, `apply` is shown the receipt the store has for it.
   *
   * @throws GatewayError `busy` when too much waits, `store_failed` when the commit failed
   */
  write<T>(session: string, size: number, apply: (live: LiveSession, receipt: StoredReceipt | undefined) => T, key?: string): Promise<T> {
    // A lone write of any size is let in, or it could never be made.
    if (this.#pending > 0 && this.#pending + size > this.#parts.pendingLimit) {
      const message = `More than ${this.#parts.pendingLimit} events wait to be stored. Send this again in a second.`;
      return Promise.reject(new GatewayError('busy', message));
    }
    this.#pending += size;
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ session, size, apply, key, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
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
    while (this.#commit || this.#queue.length > 0) await (this.#commit ?? new Promise((resolve) => setImmediate(resolve)));
  }

  #schedule(): void {
    if (this.#scheduled || this.#commit) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#commit = this.#flush().finally(() => {
        this.#commit = undefined;
        if (this.#queue.length > 0) this.#schedule();
      });
    });
  }

  /** Never rejects. */
  async #flush(): Promise<void> {
    const { store, sessions, clock, log, stats, publish, dropped, reset } = this.#parts;
    const jobs = this.#queue;
    this.#queue = [];
    const live = new Map<string, LiveSession>();
    try {
      for (const { session } of jobs) {
        if (!live.has(session)) live.set(session, sessions.get(session) ?? (await sessions.load(session)));
      }
      const receipts = new Map<Job, StoredReceipt | undefined>();
      for (const job of jobs) if (job.key !== undefined) receipts.set(job, await store.receipt(job.session, job.key));
      const answers = jobs.map((job) => job.apply(live.get(job.session) as LiveSession, receipts.get(job)));
      const changes = [...live.values()].filter((session) => session.dirty).map((session) => session.takeChange(clock.now()));
      const began = performance.now();
      const { dropped: gone } = changes.length > 0 ? await store.commit(changes) : { dropped: [] };
      if (changes.length > 0) stats.committed(performance.now() - began);
      for (const change of changes) {
        const { session, epoch, events } = change;
        if (change.reset) reset(session);
        else if (events.length > 0) publish({ session, epoch, events });
      }
      for (const session of gone) {
        sessions.drop(session);
        dropped(session);
      }
      jobs.forEach((job, n) => job.resolve(answers[n]));
    } catch (cause) {
      stats.commitFailures += 1;
      const message = (cause as Error).message;
      log(`The store failed and nothing of ${jobs.length} writes was kept: ${message}`, {
        event: 'commit_failed',
        level: 'error',
        writes: jobs.length,
        reason: message,
      });
      for (const [session, { epoch }] of live) {
        sessions.drop(session);
        // Readers of a session that was never stored keep their epoch.
        await sessions.load(session, epoch).catch(() => undefined);
      }
      const error = new GatewayError('store_failed', 'The store failed; nothing of this request was kept. Send it again later.', { cause });
      for (const job of jobs) job.reject(error);
    } finally {
      for (const job of jobs) this.#pending -= job.size;
      sessions.trim();
    }
  }
}
