/** Time as the gateway sees it, so that a test can own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since any one time, which no change of the machine's time moves. Default: `now`. */
  monotonic?(): number;
  /** Calls `task` every `ms` milliseconds until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  every(ms, task) {
    const timer = setInterval(task, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Resolves after so many milliseconds of a clock. */
export function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.every(ms, () => {
      stop();
      resolve();
    });
  });
}
