import type { Clock } from '../clock.ts';

/** What every source has that keeps a connection and renews it. */
export interface ConnectOptions {
  /** First wait before a reconnect until the server says otherwise, milliseconds. Default: 1,000. */
  readonly retryDelay?: number | undefined;
  /** Longest wait between tries that the source chooses by itself, milliseconds. Default: 30,000. */
  readonly maxRetryDelay?: number | undefined;
  /**
   * Expected spacing of the server's `heartbeat` events until it is learnt, milliseconds. After 2.5 times that long
   * without any event the connection counts as dead, also while waiting for the response. `Infinity` for a server that
   * sends no heartbeats. Default: 15,000.
   */
  readonly heartbeatInterval?: number | undefined;
  /** Largest data of one event, UTF-16 code units, at least 1,024. Larger ones are skipped. Default: 16,777,216. */
  readonly maxEventSize?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** Gives the jitter: 0 up to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The largest data of an event. Throws a RangeError for one that no event would fit into. */
export function eventSize({ maxEventSize = 16_777_216 }: ConnectOptions): number {
  if (!(maxEventSize >= 1024)) throw new RangeError('maxEventSize must be at least 1024 characters.');
  return maxEventSize;
}
