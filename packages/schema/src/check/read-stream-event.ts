import type { StreamEvent } from '../wire/event.ts';
import { forgiving } from './check-stream-event.ts';
import type { Checked } from './issue.ts';
import { refusal } from './issue-list.ts';

/**
 * As `checkStreamEvent`, except that a shape that was refused is one issue, which says no more than that: for those who pass over what is
 * wrong. What explains it is a quarter of all checks, and a bundle without `checkStreamEvent` does not hold it.
 */
export function readStreamEvent(value: unknown): Checked<StreamEvent> {
  return forgiving(value, () => refusal('', 'type', 'is not of its type.'));
}
