import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { backoff, judgeStatus } from './retry-policy.ts';
import type { SourceSink } from './source.ts';
import { wait } from './wait.ts';

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
}

export interface AttemptsOptions {
  readonly sink: SourceSink;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** First wait after a failure, milliseconds. */
  readonly firstDelay: () => number;
  /** Longest wait between tries that is not asked for, milliseconds. */
  readonly maxDelay: number;
  /** True if a 401 may be healed by asking for a token once more. */
  readonly refreshable: boolean;
}

/** The tries of one opening of a source: how many failed in a row, what that means, and when the next one is due. */
export class Attempts {
  readonly clock: Clock;
  readonly #options: AttemptsOptions;
  /** Tries in a row that brought nothing. */
  #failures = 0;
  /** True after a 401 that a fresh token might heal. */
  #refreshed = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
  }

  /** Connects again and again until it is over. `broken` is called after each connection that is not the last. */
  async run(connect: () => Promise<Ending>, broken: (again: Again) => void): Promise<void> {
    const { sink, signal } = this.#options;
    sink.connection('connecting');
    while (!signal.aborted) {
      const ending = await connect();
      if (typeof ending === 'string') return sink.connection(ending);
      broken(ending);
      if (ending.wait > 0) await wait(this.clock, ending.wait, signal, ending.wakeable);
    }
  }

  /** The server let us in: a token that is refused later is refused for the first time. */
  accepted(): void {
    this.#refreshed = false;
  }

  /** Something came: the next failure is the first one. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Tells of a failure and says when to try again. */
  fail(code: string, what: string, { status, asked, least = 0 }: FailureDetails = {}): Again {
    const { sink, random = Math.random, firstDelay, maxDelay } = this.#options;
    const delay = Math.max(backoff(++this.#failures, firstDelay(), maxDelay, random), asked ?? 0, least);
    sink.diagnostic({ code, message: `${what} Trying again in ${Math.round(delay)} ms.`, ...(status !== undefined && { status }) });
    return { wait: delay, wakeable: asked === undefined };
  }

  /** What a status leads to, 200 excepted. `what` says in one sentence what the server did. */
  judge(status: number, what: string, asked?: number): Ending {
    const verdict = judgeStatus(status);
    if (verdict === 'ended') return 'ended';
    if (verdict !== 'lost') return this.fail('http_status', what, { status, asked });
    if (status === 401 && this.#options.refreshable && !this.#refreshed) {
      this.#refreshed = true;
      return { wait: 0, wakeable: false };
    }
    this.#options.sink.diagnostic({ code: 'http_status', status, message: `${what.replace(/\.$/, '')}; it will not be asked again.` });
    return 'lost';
  }
}
