import type { Clock } from '@sitrep/client';

export interface ManualClock extends Clock {
  /** Moves time on, running what falls due in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Moves the reading without running anything, as when a machine sleeps or its clock is set. */
  jump(ms: number): void;
  readonly pending: number;
  /** Delays asked for so far, in order. */
  readonly delays: number[];
}

/** Lets everything that is ready run, I/O included. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export function manualClock(start = 1_000_000): ManualClock {
  let now = start;
  let next = 1;
  const timers = new Map<number, { at: number; callback: () => void }>();
  const delays: number[] = [];
  return {
    delays,
    now: () => now,
    setTimeout(callback, ms) {
      delays.push(ms);
      timers.set(next, { at: now + ms, callback });
      return next++;
    },
    clearTimeout: (handle) => void timers.delete(handle as number),
    async advance(ms) {
      const until = now + ms;
      for (;;) {
        await settle();
        const due = [...timers].filter(([, timer]) => timer.at <= until).sort((a, b) => a[1].at - b[1].at)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].callback();
      }
      now = until;
      await settle();
    },
    jump: (ms) => {
      now += ms;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** The platform's timers, `factor` times faster: for runs of hundreds of reconnects. */
export function fastClock(factor: number): Clock {
  const began = Date.now();
  return {
    now: () => began + (Date.now() - began) * factor,
    setTimeout: (callback, ms) => setTimeout(callback, ms / factor),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  };
}
