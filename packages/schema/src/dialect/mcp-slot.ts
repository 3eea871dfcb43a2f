/**
 * The place in MCP where our whole event travels: `_meta`, which every request, result and notification may have and which
 * peers hand on unread.
 */
import { checkEvent } from '../check/check-event.ts';
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { Id } from '../wire/scalars.ts';
import type { DecodeContext } from './dialect.ts';

/** Key of our event in `_meta`. */
export const MCP_EVENT_KEY = 'sitrep/event';

/**
 * The event in the slot of `params`, if it passes the check and `agrees` says that what stands beside it is its own. One that
 * does not was left there by somebody who changed the rest; it is noted and ignored.
 */
export function slotEvent(
  params: Readonly<Record<string, unknown>>,
  path: string,
  mended: Issue[],
  agrees: (event: OperationEvent, meta: Readonly<Record<string, unknown>>) => boolean,
): OperationEvent | undefined {
  const meta = params['_meta'];
  if (!isObject(meta) || meta[MCP_EVENT_KEY] === undefined) return undefined;
  const checked = checkEvent(meta[MCP_EVENT_KEY]);
  if (checked.ok && checked.value.type === 'operation' && agrees(checked.value, meta)) return checked.value;
  addIssue(mended, `${path}/_meta`, 'conflict', `holds a ${MCP_EVENT_KEY} that does not match what stands beside it and was ignored.`);
  return undefined;
}

/** The sender's session and run are its own affair: the receiver's count, where it names them. So does the receiver's `id`. */
export function rebound(event: OperationEvent, context: DecodeContext, id: Id): OperationEvent {
  const { session, run, parent } = context;
  return {
    ...event,
    session,
    id,
    ...(run === undefined ? undefined : { run }),
    ...(parent === undefined || event.parent !== undefined ? undefined : { parent }),
  };
}
