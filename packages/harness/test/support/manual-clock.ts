import type { Clock } from '@sitrep/harness';

/** A clock that moves only when told, with the timers of `Clock`. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000;
  #timers: { at: number; run: () => void; keepAlive: boolean }[] = [];

  now = (): number => this.#now;

  after = (ms: number, run: () => void, keepAlive = false): (() => void) => {
    const timer = { at: this.#now + ms, run, keepAlive };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Timers that are set, as milliseconds from now. */
  get pending(): readonly number[] {
    return this.#timers.map(({ at }) => at - this.#now);
  }

  /** Timers that would hold a process open. */
  get holding(): number {
    return this.#timers.filter(({ keepAlive }) => keepAlive).length;
  }

  /** Lets `ms` pass; what became due runs in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }
}

/** Lets everything that waits on settled promises go on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
