import type { StreamEvent } from '../wire/event.ts';
import { EVENT_TYPES } from '../wire/states.ts';
import { isEnd, isHeartbeat, isResync } from '../generated/control.ts';
import { dispatchEvent } from './check-event.ts';
import { dispatchChanges, dispatchSnapshot } from './check-snapshot.ts';
import { cleanFields } from './clean-fields.ts';
import { explain } from './explain.ts';
import { isObject } from './guards.ts';
import type { Checked, Refused } from './issue.ts';
import { unreadable } from './issue-list.ts';
import { mendEvent } from './lenient.ts';

function dispatch(value: unknown): Checked<StreamEvent> | undefined {
  switch (isObject(value) ? value['type'] : undefined) {
    case 'snapshot':
      return dispatchSnapshot(value);
    case 'changes':
      return dispatchChanges(value);
    case 'heartbeat':
      return isHeartbeat(value) ? { ok: true, value } : undefined;
    case 'resync':
      return isResync(value) ? { ok: true, value: cleanFields(value, ['reason']) } : undefined;
    case 'end':
      return isEnd(value) ? { ok: true, value: cleanFields(value, ['reason']) } : undefined;
    default:
      return dispatchEvent(value, EVENT_TYPES);
  }
}

/** Answers for what newer writers say, too; `refuse` answers for a shape that is wrong. */
export function forgiving(value: unknown, refuse: (value: unknown) => Refused): Checked<StreamEvent> {
  try {
    const strict = dispatch(value);
    if (strict?.ok) return strict;
    const mended = mendEvent(value);
    return (mended === value ? strict : dispatch(mended)) ?? refuse(mended);
  } catch {
    return unreadable();
  }
}

/**
 * Checks what a reader finds on a stream: events, snapshots, changes and stream control. As `checkEvent`, but forgiving where the
 * writer may be newer: an unknown state of an operation reads as `pending` with the word in `native.state`, an unknown
 * state of a run as `running` with the word as its reason, an unknown step status as `pending`, an unknown kind of block
 * as `other`; of several steps in progress the first one is. Never is an unknown word read as success. An unknown `type`
 * is the issue `unknown_type`, so that a reader can pass over it. Never throws.
 */
export function checkStreamEvent(value: unknown): Checked<StreamEvent> {
  return forgiving(value, explain);
}
