import type { Gateway } from '@sitrep/server';
import { liveRun } from './run.ts';

/** Starts runs, one at a time. */
export class Runs {
  readonly #options: { gateway: Gateway; session: string; folder: string };
  #abort: AbortController | undefined;
  #current: Promise<void> | undefined;

  constructor(options: { gateway: Gateway; session: string; folder: string }) {
    this.#options = options;
  }

  /**
   * The first run of this process. If the last process was killed in the middle of one, nobody works on that any more: it
   * is settled as interrupted and stays to be seen until somebody asks for another. True when a run began.
   */
  async begin(): Promise<boolean> {
    const { gateway, session } = this.#options;
    const { runs } = await gateway.snapshot(session);
    const left = runs.filter(({ state }) => state === 'running');
    for (const { run } of left) {
      await gateway.publish(session, [{ type: 'run', session, run, state: 'interrupted', reason: 'restarted', at: Date.now() }]);
    }
    return left.length === 0 && this.start();
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
}
