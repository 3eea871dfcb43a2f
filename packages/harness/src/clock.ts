/** Time as this package needs it; tests hand in their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Calls `run` once after `ms` milliseconds. The returned function cancels it. Where timers can hold a process open
   * (Node, Bun, Deno), this one does so only with `keepAlive`.
   */
  after(ms: number, run: () => void, keepAlive?: boolean): () => void;
}

/** The longest time a timer of the platforms keeps, about 25 days; a longer one would go off at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock and timers of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run, keepAlive = false) {
    // Node and Bun answer an object with unref(), browsers and Deno a number.
    const timer: unknown = setTimeout(run, Math.min(ms, LONGEST_MS));
    if (!keepAlive && typeof timer === 'object' && timer !== null) (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
};
