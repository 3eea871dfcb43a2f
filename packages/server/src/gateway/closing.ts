import type { End } from '@sitrep/schema/wire';

/** The reason of an `end` after which readers come back when there is a gateway again. */
export const SHUTDOWN = 'shutdown';

/** How streams end. */
export interface CloseOptions {
  /** True sends `end` with a reason. False just closes the connections, as a network fault does. Default: true. */
  readonly end?: boolean | undefined;
  /**
   * The reason in `end`, a stable word. `shutdown` says that this program stops and no more: readers come back when there is a gateway
   * again. With any other word they do not: nothing more will come of what they read. Default: `shutdown`.
   */
  readonly reason?: string | undefined;
}

/** How readers are let go before a gateway stops. */
export interface DrainOptions {
  /** Milliseconds it goes on as before, but for saying that it is not ready, so that others stop sending readers. Default 0. */
  readonly delayMs?: number | undefined;
  /** Milliseconds over which readers are let go at most; a few are let go at once. Default 10,000. */
  readonly windowMs?: number | undefined;
  /** Numbers in 0…1, for when each is to come back. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The last event of a stream that ends like this, if there is one. */
export function endOf({ end = true, reason = SHUTDOWN }: CloseOptions): End | undefined {
  return end ? { type: 'end', reason } : undefined;
}
