import { checkEvent } from '../check/check-event.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { DecodeContext } from './dialect.ts';

/**
 * Our own event out of a peer's extension slot. `fits` says whether it is what the frame around it says; if not, or if it
 * is no event at all, that is noted at `path` and the frame is read by itself.
 */
export function wholeEvent(
  value: unknown,
  path: string,
  context: DecodeContext,
  mended: Issue[],
  fits: (event: ProgressEvent) => boolean,
): ProgressEvent | undefined {
  const checked = checkEvent(value);
  if (checked.ok && fits(checked.value)) return rebound(checked.value, context);
  addIssue(mended, path, 'conflict', 'holds an event that does not match the frame around it and was ignored.');
  return undefined;
}

/** The sender's session, run, id and parent are its own affair; here the receiver's count, where it names them. */
export function rebound(event: OperationEvent, context: DecodeContext): OperationEvent;
export function rebound(event: ProgressEvent, context: DecodeContext): ProgressEvent;
export function rebound(event: ProgressEvent, context: DecodeContext): ProgressEvent {
  const { session, run, id, parent } = context;
  if (event.type === 'session') return { ...event, session };
  const placed = { ...event, session, ...(run === undefined ? undefined : { run }) };
  if (placed.type === 'run' || placed.type === 'card') return placed;
  const named = id === undefined ? placed : { ...placed, id };
  if (named.type === 'operation.clear' || parent === undefined || named.parent !== undefined) return named;
  return { ...named, parent };
}
