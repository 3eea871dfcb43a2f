/** When to try again and when to stop: the numbers and the decisions of every source that connects, apart from its I/O. */

/** Shortest and longest wait a server may ask for by `retry:`, milliseconds. */
export const RETRY_MIN = 250;
export const RETRY_MAX = 60_000;
/** Longest wait a server may ask for by `Retry-After`, milliseconds. */
export const RETRY_AFTER_MAX = 300_000;
/** Shortest wait after an answer that is no event stream at all (a proxy's error page, a login form), milliseconds. */
export const WRONG_TYPE_WAIT = 5_000;

/**
 * True for a status after which asking again would bring the same answer: every 4xx except 408, 425 and 429, which ask for
 * patience. All else (5xx, a redirect that was not followed) is tried again.
 */
export function isFinalStatus(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** The server's `retry:`, within 250 ms and 60 s. */
export function clampRetry(ms: number): number {
  return Math.min(Math.max(ms, RETRY_MIN), RETRY_MAX);
}

/** `Retry-After` in milliseconds (seconds or an HTTP date), within 250 ms and 5 min; undefined if absent or unreadable. */
export function retryAfter(header: string | null, now: number): number | undefined {
  // Engines read nearly anything as a date; an HTTP date begins with the name of a day.
  const said = header?.trim() ?? '';
  if (!/^[\da-z]/i.test(said)) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, RETRY_MIN), RETRY_AFTER_MAX);
}

/** Failures in a row during which waits stay short: about half a minute where every try fails at once. */
const PROMPT_FAILURES = 32;
/** Longest of these short waits, milliseconds, where the server asks for no longer ones. */
const PROMPT_MAX = 1_750;

/**
 * Wait before the next try after `failures` (1 or more) in a row, milliseconds: exponential with full jitter, so that the
 * readers of a server that went down do not come back in step. Never under 250 ms.
 *
 * @param unanswered nobody answered at all. Nobody announces the end of an outage either, and what is shown is to be true within two
 * seconds of it: so waits stay below that at first, and grow only once the outage lasts
 */
export function backoff(failures: number, retry: number, maxDelay: number, random: () => number, unanswered = false): number {
  const short = unanswered ? Math.max(retry, PROMPT_MAX) * 2 ** Math.max(0, failures - PROMPT_FAILURES) : Infinity;
  return Math.max(RETRY_MIN, random() * Math.min(retry * 2 ** (failures - 1), short, Math.max(maxDelay, retry)));
}
