import type { Clock } from '../gateway/clock.ts';
import { GatewayError } from '../gateway/gateway-error.ts';

/** Callers that are remembered at most; one that is forgotten begins with all it may have. */
const MAX_CALLERS = 10_000;

interface Bucket {
  /** Requests that may be made now. */
  left: number;
  at: number;
}

/**
 * How many requests each caller may make: so many a second, and what it did not make saved up for a burst of twice as
 * many. Without a timer: what a caller has regained is worked out when it asks.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #clock: Clock;
  /** Least recently heard of first. */
  readonly #buckets = new Map<string, Bucket>();
  /** Requests refused so far. */
  refused = 0;

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /**
   * Counts one request.
   *
   * @throws GatewayError `too_many_requests`, with the seconds until there is room again
   */
  take(caller: string): void {
    const now = this.#clock.now();
    const burst = Math.max(1, 2 * this.#perSecond);
    const known = this.#buckets.get(caller);
    const bucket = known ?? { left: burst, at: now };
    // A clock that jumps back gives nothing and takes nothing.
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1_000) * this.#perSecond);
    bucket.at = now;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, bucket);
    if (known === undefined && this.#buckets.size > MAX_CALLERS) this.#buckets.delete(this.#buckets.keys().next().value as string);
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return;
    }
    this.refused += 1;
    const retryAfter = Math.ceil((1 - bucket.left) / this.#perSecond);
    throw new GatewayError('too_many_requests', `More than ${this.#perSecond} requests a second. Send several events in one request.`, {
      retryAfter,
    });
  }
}
