import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { DecodeContext } from './dialect.ts';
import { wholeEvent } from './whole-event.ts';

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
 * Our own event out of a slot, put into the receiver's session under the id it came with; undefined when there is none. One
 * that does not say what the peer's words beside it say is noted and not taken: somebody changed the frame on its way, and
 * the words are what everybody else saw.
 */
export function eventInSlot(
  { holder, key, path }: Slot,
  context: DecodeContext,
  mended: Issue[],
  agrees: (event: ProgressEvent) => boolean,
): ProgressEvent | undefined {
  const value = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined;
  return value === undefined ? undefined : wholeEvent(value, path, { ...context, id: undefined }, mended, agrees);
}
