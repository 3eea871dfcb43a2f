import type { Clock } from './clock.ts';

/** Milliseconds between two looks: how much later than its time something may run. */
const SWEEP_MS = 1_000;

/** Runs things at their times, with one timer for all of them. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #entries = new Set<{ readonly at: number; readonly run: () => void }>();
  #stop: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs `run` once at epoch milliseconds `at` or up to a second later, unless the returned function is called before. */
  add(at: number, run: () => void): () => void {
    const entry = { at, run };
    this.#entries.add(entry);
    this.#stop ??= this.#clock.every(SWEEP_MS, () => this.#sweep());
    return () => this.#remove(entry);
  }

  #remove(entry: { readonly at: number; readonly run: () => void }): void {
    this.#entries.delete(entry);
    if (this.#entries.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const entry of this.#entries) {
      if (entry.at > now) continue;
      this.#remove(entry);
      entry.run();
    }
  }
}
