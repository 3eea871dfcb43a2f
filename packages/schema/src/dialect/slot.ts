import { checkEvent } from '../check/check-event.ts';
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { DecodeContext } from './dialect.ts';

/** Where a peer lets our whole event travel beside its own words. */
export interface Slot {
  /** The peer's open object: `_meta`, `metadata`. Anything else than an object holds nothing. */
  readonly holder: unknown;
  /** The key our event stands under. */
  readonly key: string;
  /** Place of the holder, for what is noted. */
  readonly path: string;
}

/**
 * Our own event out of a peer's slot, put into the receiver's session; undefined when there is none. One that cannot be
 * read, or that does not say what the peer's words beside it say, is noted and not taken: somebody changed the frame on its
 * way, and the words are what everybody else saw.
 */
export function eventInSlot(
  slot: Slot,
  context: DecodeContext,
  mended: Issue[],
  agrees: (event: ProgressEvent) => boolean,
): ProgressEvent | undefined {
  const { holder, key, path } = slot;
  const value = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (value === undefined) return undefined;
  const checked = checkEvent(value);
  if (checked.ok && agrees(checked.value)) return received(checked.value, context);
  addIssue(mended, path, 'conflict', `holds a ${key} that does not match the words beside it and was ignored.`);
  return undefined;
}

/** The sender's session and run are its own affair; here the receiver's count, where it names them. */
function received(event: ProgressEvent, { session, run, parent }: DecodeContext): ProgressEvent {
  if (event.type === 'session') return { ...event, session };
  const placed = { ...event, session, ...(run === undefined ? undefined : { run }) };
  if (placed.type !== 'operation' || parent === undefined || placed.parent !== undefined) return placed;
  return { ...placed, parent };
}
