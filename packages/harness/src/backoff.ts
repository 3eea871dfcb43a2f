/** How pauses grow. Times in milliseconds. */
export interface Backoff {
  /** The first pause. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** The longest one. Default: 30,000. */
  readonly maxBackoffMs?: number | undefined;
  /** Numbers in 0…1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** True for a status that may be another one later: nothing is wrong with the request. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The pause after so many failures before this one, milliseconds: each twice the one before, less a random part of up to a half. */
export function pauseAfter(failures: number, { backoffMs = 250, maxBackoffMs = 30_000, random = Math.random }: Backoff): number {
  return Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(failures, 30)) * (1 - random() / 2);
}
