import { setTimeout as delay } from 'node:timers/promises';
import { createReporter } from '@sitrep/harness';
import type { Gateway } from '@sitrep/server';
import { liveRun } from './run.ts';

/** How long what a former life left is shown before a new run begins. */
const PAUSE_SECONDS = 15;

/** Starts runs, one at a time. */
export class Runs {
  readonly #options: { gateway: Gateway; session: string; folder: string };
  #abort: AbortController | undefined;
  #current: Promise<void> | undefined;

  constructor(options: { gateway: Gateway; session: string; folder: string }) {
    this.#options = options;
  }

  /**
   * The first run of this process. What the last life left open was done by a process that is gone: it is settled as
   * interrupted first, and stays to be seen for a while.
   */
  async begin(): Promise<void> {
    const { gateway, session } = this.#options;
    const { runs } = await gateway.snapshot(session);
    const left = runs.filter(({ state }) => state === 'running');
    for (const { run } of left)
      await gateway.publish(session, [{ type: 'run', session, run, state: 'interrupted', reason: 'restarted', at: Date.now() }]);
    if (left.length > 0) await this.#pause();
    if (this.#current === undefined) this.start();
  }

  /** Begins a run. False when one is going on. */
  start(): boolean {
    if (this.#current !== undefined) return false;
    this.#abort = new AbortController();
    this.#current = liveRun({ ...this.#options, signal: this.#abort.signal })
      .catch((error: unknown) => console.error('The run could not be reported:', error))
      .finally(() => (this.#current = undefined));
    return true;
  }

  /** Cancels the run that is going on and waits until that is written. */
  async stop(): Promise<void> {
    this.#abort?.abort();
    await this.#current;
  }

  /** Waits on the clock, and says so as any operation would. */
  async #pause(): Promise<void> {
    const { gateway, session } = this.#options;
    const reporter = createReporter({ sink: gateway.sink(), session, id: 'next-run', attempt: Date.now(), title: 'Next run' });
    reporter.wait({ text: 'a moment, so that the interrupted run can be seen', until: Date.now() + PAUSE_SECONDS * 1000 });
    for (let second = 0; second < PAUSE_SECONDS && this.#current === undefined; second++) await delay(1000);
    reporter.complete();
  }
}
