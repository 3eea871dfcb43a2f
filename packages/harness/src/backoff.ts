/** How pauses grow. Times in milliseconds. */
export interface Backoff {
  /** The first pause. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** The longest one. Default: 30,000. */
  readonly maxBackoffMs?: number | undefined;
  /** Numbers in 0…1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The pause after so many failures before this one, milliseconds: each twice the one before, less a random part of up to a half. */
export function pauseAfter(failures: number, { backoffMs = 250, maxBackoffMs = 30_000, random = Math.random }: Backoff): number {
  return Math.min(maxBackoffMs, backoffMs * 2 ** Math.min(failures, 30)) * (1 - random() / 2);
}
