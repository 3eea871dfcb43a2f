/**
 * The place in MCP where our whole event travels: `_meta`, which every request, result and notification may have and which
 * peers hand on unread.
 */
import type { Issue } from '../check/issue.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { DecodeContext } from './dialect.ts';
import { eventInSlot } from './slot.ts';

/** Key of our event in `_meta`. */
export const MCP_EVENT_KEY = 'sitrep/event';

/** The event of an operation in the slot of `params`, under the id it came with, if it `agrees` with what stands beside it. */
export function slotEvent(
  params: Readonly<Record<string, unknown>>,
  path: string,
  context: DecodeContext,
  mended: Issue[],
  agrees: (event: OperationEvent) => boolean,
): OperationEvent | undefined {
  const slot = { holder: params['_meta'], key: MCP_EVENT_KEY, path: `${path}/_meta` };
  const event = eventInSlot(slot, context, mended, (each) => each.type === 'operation' && agrees(each));
  return event?.type === 'operation' ? event : undefined;
}
