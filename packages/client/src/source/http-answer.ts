import type { Attempts, Ending } from './attempts.ts';
import { retryAfter, WRONG_TYPE_WAIT } from './retry-policy.ts';

/**
 * How to go on by status and content type; undefined to read the body, which is then `what` it has to be: `accepts` is asked of
 * its type, in lower case and without parameters. The body of any other answer is let go at once.
 */
export function judgeAnswer(
  { status, headers, body }: Response,
  what: string,
  accepts: (type: string) => boolean,
  attempts: Attempts,
): Ending | undefined {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(/\s*;/);
  if (status === 200 && body && accepts(type)) return undefined;
  body?.cancel().catch(() => {});
  if (status !== 200)
    return attempts.judge(status, `The server answered ${status}`, retryAfter(headers.get('retry-after'), attempts.clock.now()));
  return attempts.fail('content_type', `The answer is not ${what} but ${body ? type || 'of no type' : 'empty'}.`, {
    status,
    least: WRONG_TYPE_WAIT,
  });
}
