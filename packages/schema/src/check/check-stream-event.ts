import type { StreamEvent } from '../wire/event.ts';
import { EVENT_TYPES } from '../wire/states.ts';
import { endRule, heartbeatRule, isEnd, isHeartbeat, isResync, resyncRule } from '../generated/control.ts';
import { collectType, dispatchEvent } from './check-event.ts';
import { dispatchChanges, dispatchSnapshot } from './check-snapshot.ts';
import { cleanFields } from './clean-fields.ts';
import { isObject } from './guards.ts';
import type { Checked } from './issue.ts';
import { refused, unreadable } from './issue-list.ts';
import { mendEvent } from './lenient.ts';
import { shapeIssues } from './shape.ts';

function dispatch(value: unknown): Checked<StreamEvent> {
  switch (isObject(value) ? value['type'] : undefined) {
    case 'operation':
    case 'operation.clear':
    case 'card':
    case 'run':
    case 'session':
      return dispatchEvent(value);
    case 'snapshot':
      return dispatchSnapshot(value);
    case 'changes':
      return dispatchChanges(value);
    case 'heartbeat':
      return isHeartbeat(value) ? { ok: true, value } : refused(shapeIssues(heartbeatRule, value));
    case 'resync':
      return isResync(value) ? { ok: true, value: cleanFields(value, ['reason']) } : refused(shapeIssues(resyncRule, value));
    case 'end':
      return isEnd(value) ? { ok: true, value: cleanFields(value, ['reason']) } : refused(shapeIssues(endRule, value));
    default:
      return refused(collectType(value, EVENT_TYPES));
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
  try {
    const strict = dispatch(value);
    if (strict.ok) return strict;
    const mended = mendEvent(value);
    return mended === value ? strict : dispatch(mended);
  } catch {
    return unreadable();
  }
}
