import type { Clock } from '../clock.ts';
import type { Subscriber } from './hub.ts';

/** Milliseconds between two groups of readers that are let go. */
const TICK_MS = 50;
/** Milliseconds each reader adds to the time over which all of them are let go. */
const EACH_MS = 5;
/** Bounds of the time a reader is asked to wait before it comes back, milliseconds; each reader lengthens it a little. */
const RETRY_MIN = 500;
const RETRY_SPREAD = 1_000;
const RETRY_SPREAD_MAX = 30_000;
const RETRY_EACH = 2;

interface DrainOptions {
  readonly clock: Clock;
  /** The longest it may take, milliseconds. */
  readonly windowMs: number;
  /** Numbers in 0…1. */
  readonly random: () => number;
  /** Takes a reader out, after it was let go. */
  readonly remove: (subscriber: Subscriber) => void;
}

/**
 * Lets readers go a few at a time, each with another time to come back after, so that those of a large gateway do not fall
 * upon the next one all at once. A few readers are let go together. Resolves when none is left.
 */
export function drainReaders(subscribers: readonly Subscriber[], { clock, windowMs, random, remove }: DrainOptions): Promise<void> {
  const left = [...subscribers];
  if (left.length === 0) return Promise.resolve();
  const spread = Math.min(RETRY_SPREAD_MAX, Math.max(RETRY_SPREAD, left.length * RETRY_EACH));
  let ticks = Math.max(1, Math.ceil(Math.min(windowMs, left.length * EACH_MS) / TICK_MS));
  return new Promise((resolve) => {
    const stop = clock.every(TICK_MS, () => {
      for (const subscriber of left.splice(0, Math.ceil(left.length / ticks))) {
        subscriber.close(undefined, Math.round(RETRY_MIN + random() * spread));
        remove(subscriber);
      }
      ticks -= 1;
      if (left.length > 0) return;
      stop();
      resolve();
    });
  });
}
