import type { Attempts, Ending } from './attempts.ts';
import { clampRetry } from './retry-policy.ts';

/** Codes that say that nothing went wrong: closed, going away, no code at all, restarting, try again later. */
const CLEAN = new Set([1000, 1001, 1005, 1012, 1013]);

/** How a socket closed. */
export interface SocketClose {
  readonly code: number;
  readonly reason: string;
  /** What the platform said of the fault, if anything. */
  readonly fault: string;
  /** Messages that had come. */
  readonly messages: number;
  /** True once it was open: somebody had answered. */
  readonly opened: boolean;
  /** Milliseconds to wait after a clean close. */
  readonly retry: number;
}

/** What a close leads to. 4400 to 4599 stand for HTTP statuses; `retry=<ms>` in the reason is when to come back. */
export function judgeClose({ code, reason, fault, messages, opened, retry }: SocketClose, attempts: Attempts): Ending {
  const said = /(?:^|\s)retry=(\d{1,9})$/.exec(reason)?.[1];
  const asked = said === undefined ? undefined : clampRetry(Number(said));
  const why = `${code}${reason === '' ? '' : ` ${reason}`}`;
  if (code >= 4_400 && code < 4_600) return attempts.judge(code - 4_000, `The server closed the socket with ${why}`, asked);
  if (!CLEAN.has(code)) return attempts.fail('network', `The socket broke (${fault || why}).`, { asked, unanswered: !opened });
  if (messages === 0) return attempts.fail('network', `The server closed the socket (${why}) before any message.`, { asked });
  return { wait: asked ?? retry, wakeable: false };
}
