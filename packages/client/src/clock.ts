/**
 * The time a source or a store works with, so that tests and replays can bring their own. Functions, not globals: an
 * injected clock decides when a delay is over.
 */
export interface Clock {
  /** Epoch milliseconds. May jump; nothing is ordered by it. */
  now(): number;
  /** Calls back once after `ms` milliseconds. */
  setTimeout(callback: () => void, ms: number): unknown;
  /** Takes back a handle of `setTimeout`; a spent or unknown one is ignored. */
  clearTimeout(handle: unknown): void;
}

/** The clock of the platform. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as number),
};
