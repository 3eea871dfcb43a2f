import type { Attempts, Ending } from './attempts.ts';
import { retryAfter, WRONG_TYPE_WAIT } from './retry-policy.ts';

/** What an answer has to be to be read. */
export interface WantedAnswer {
  /** In words: `an event stream`. */
  readonly what: string;
  /** True for its content type, in lower case and without parameters. */
  accepts(type: string): boolean;
}

/** How to go on by status and content type; undefined to read the body. The body of any other answer is let go at once. */
export function judgeAnswer({ status, headers, body }: Response, wanted: WantedAnswer, attempts: Attempts): Ending | undefined {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (status === 200 && type !== undefined && wanted.accepts(type) && body) return undefined;
  body?.cancel().catch(() => {});
  if (status !== 200)
    return attempts.judge(status, `The server answered ${status}.`, retryAfter(headers.get('retry-after'), attempts.clock.now()));
  return attempts.fail('content_type', `The answer is not ${wanted.what} but ${body ? type || 'of no type' : 'empty'}.`, {
    status,
    least: WRONG_TYPE_WAIT,
  });
}
