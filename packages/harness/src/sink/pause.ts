import type { Clock } from '../clock.ts';

/** A wait that can be cut short. One at a time. */
export class Pause {
  readonly #clock: Clock;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits, unless somebody wakes it. `hold` keeps the process open meanwhile. */
  async wait(ms: number, hold: boolean): Promise<void> {
    if (ms <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(ms, () => this.wake(), hold);
      this.#wake = () => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
    });
  }

  /** Ends the wait that is going on, if one is. */
  wake(): void {
    this.#wake?.();
  }
}
