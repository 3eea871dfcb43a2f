import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { describe } from '../fault.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { Goodbye } from './frame-text.ts';
import { backoff, clampRetry, isFinalStatus } from './retry-policy.ts';
import type { SourceSink } from './source.ts';
import { wait } from './wait.ts';
import { createWatchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';

/** What one connection led to: nothing more comes, given up, or try again. */
export type Ending = 'ended' | 'lost' | Again;

export interface Again {
  /** Milliseconds until the next try. */
  readonly wait: number;
  /** True if coming back online or into view is a reason not to wait any longer. */
  readonly wakeable: boolean;
}

/** More about a failure. */
export interface FailureDetails {
  /** HTTP status, or what stands for one. */
  readonly status?: number | undefined;
  /** Milliseconds the server asked to wait. */
  readonly asked?: number | undefined;
  /** Milliseconds to wait at least. */
  readonly least?: number | undefined;
  /** True when nobody answered at all, as on a link that is down. */
  readonly unanswered?: boolean | undefined;
}

/** What says when a connection has gone on for too long without a word. */
type Limit = Pick<Watchdog, 'arm' | 'disarm'> & Partial<Watchdog>;
/** The code and the sentence for a connection that was cut because of it. */
type Silence = readonly [code: string, what: string];

const SILENCE: Silence = ['watchdog', 'No event arrived for 2.5 heartbeat intervals.'];

/**
 * The connections of one opening of a source, one after the other: how long each may be silent, how many failed in a row, what
 * that means, and when the next one is due.
 */
export class Attempts {
  readonly clock: Clock;
  /** Wait after a clean close, and the first one after a failure, milliseconds. */
  retry: number;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #options: ConnectOptions;
  readonly #refreshable: boolean;
  readonly #watchdog: Limit;
  readonly #silence: Silence;
  /** Tries in a row that brought nothing. */
  #failures = 0;
  /** True after a 401 that a fresh token might heal. */
  #refreshed = false;

  /** `refreshable`: a 401 may be healed by asking for a token once more. Without a `limit`, heartbeats are expected. */
  constructor(
    sink: SourceSink,
    signal: AbortSignal,
    options: ConnectOptions,
    refreshable: boolean,
    limit?: (clock: Clock) => Limit,
    silence = SILENCE,
  ) {
    this.#sink = sink;
    this.#signal = signal;
    this.#options = options;
    this.#refreshable = refreshable;
    this.clock = options.clock ?? systemClock;
    this.retry = clampRetry(options.retryDelay ?? 1_000);
    this.#watchdog = limit?.(this.clock) ?? createWatchdog(this.clock, options.heartbeatInterval ?? 15_000);
    this.#silence = silence;
  }

  /**
   * Connects again and again until it is over. `connect` gets a signal that aborts with that of the opening, when nothing came
   * for too long, when the machine comes back online, and in any case at the end, so that whatever it holds is let go; what it
   * throws is a failure. `broken` is called after each connection that is not the last. Default: it says `reconnecting`. Never
   * rejects.
   */
  async run(
    connect: (signal: AbortSignal) => Promise<Ending>,
    broken: (again: Again) => void = () => this.#sink.connection('reconnecting'),
  ): Promise<void> {
    this.#sink.connection('connecting');
    while (!this.#signal.aborted) {
      const ending = await this.#once(connect);
      if (typeof ending === 'string') return this.#sink.connection(ending);
      broken(ending);
      if (ending.wait > 0) await wait(this.clock, ending.wait, this.#signal, ending.wakeable);
    }
  }

  async #once(connect: (signal: AbortSignal) => Promise<Ending>): Promise<Ending> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    let silent = false;
    let online = false;
    // What was connected, or was about to be, when the network went may be dead without a word.
    const again = (): void => {
      online = true;
      abort();
    };
    globalThis.addEventListener?.('online', again, controller);
    this.#signal.addEventListener('abort', abort, controller);
    this.#watchdog.arm(() => {
      silent = true;
      abort();
    });
    try {
      return await connect(controller.signal);
    } catch (error) {
      if (online) return { wait: 0, wakeable: false };
      const [code, what] = silent ? this.#silence : (['network', `The connection failed: ${describe(error)}.`] as const);
      return this.fail(code, what, { unanswered: true });
    } finally {
      this.#watchdog.disarm();
      // With it go the listeners.
      abort();
    }
  }

  /** The server let us in: a token that is refused later is refused for the first time. */
  accepted(): void {
    this.#refreshed = false;
    this.#sink.connection('live');
  }

  /** Something came: the next failure is the first one, and the connection is not dead. `heartbeat`: a heartbeat was among it. */
  heard(heartbeat: boolean): void {
    this.#failures = 0;
    this.#watchdog.beat?.(heartbeat);
  }

  /** Tells of a failure and says when to try again. */
  fail(code: string, what: string, { status, asked, least = 0, unanswered }: FailureDetails = {}): Again {
    const { random = Math.random, maxRetryDelay = 30_000 } = this.#options;
    const delay = Math.max(backoff(++this.#failures, this.retry, maxRetryDelay, random, unanswered), asked ?? 0, least);
    this.#sink.diagnostic({ code, message: `${what} Trying again in ${Math.round(delay)} ms.`, ...(status !== undefined && { status }) });
    return { wait: delay, wakeable: asked === undefined };
  }

  /**
   * The server said `end`. `before`: something else had come over this connection; else a fresh token brings no better news next
   * time. Whoever stops says so to all readers at once: they come back spread, like after a failure.
   */
  dismissed(how: Goodbye, before: boolean): Ending {
    if (how === 'ended') return how;
    if (how === 'shutdown') return this.fail(how, 'The server is shutting down.');
    return before ? { wait: clampRetry(0), wakeable: false } : this.fail('token_expired', 'The token has expired.');
  }

  /** What a status leads to, 200 excepted. `what` says in one sentence what the server did. */
  judge(status: number, what: string, asked?: number): Ending {
    if (status === 204) return 'ended';
    if (!isFinalStatus(status)) return this.fail('http_status', `${what}.`, { status, asked });
    if (status === 401 && this.#refreshable && !this.#refreshed) {
      this.#refreshed = true;
      return { wait: 0, wakeable: false };
    }
    this.#sink.diagnostic({ code: 'http_status', status, message: `${what}; it will not be asked again.` });
    return 'lost';
  }
}
