import { sessionNotices } from '../../select/notices.ts';
import type { NoticeChange } from '../../select/notices.ts';
import type { NoticeSession, NoticeSlot } from '../../select/notice.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { Run, RunEvent } from '../../wire/run.ts';
import { isFinal } from '../../wire/states.ts';
import type { SessionView } from '../dialect.ts';
import { mergedOperation } from '../merged-operation.ts';
import { shortHash } from '../short-hash.ts';
import type { OscNotification } from './notification.ts';

/** What a session has to say to somebody who is not looking: a notice to show, or the id of one that is to go. */
export type OscNotice = { readonly show: OscNotification } | { readonly close: string };

/**
 * The notices for one event, by `sessionNotices`. A terminal is told of what is to be noticed only: it has a bar for
 * progress, and a notice that takes the place of another would be one more.
 */
export function noticesOf(event: ProgressEvent, before?: SessionView): OscNotice[] {
  const moved = changeOf(event, before);
  if (moved === undefined) return [];
  const { change, session } = moved;
  const wasAsked = [...(before?.operations.values() ?? [])].some(({ state }) => state === 'blocked');
  return sessionNotices(change, session).flatMap((step): OscNotice[] => {
    if ('close' in step) return wasAsked ? [{ close: place(event.session, 'attention') }] : [];
    const { slot, title, body, alert } = step.show;
    return alert ? [{ show: { id: place(event.session, slot), title, body, urgent: slot === 'attention' } }] : [];
  });
}

interface Moved {
  readonly change: NoticeChange;
  /** The session after the event, as far as notices go. */
  readonly session: NoticeSession;
}

function changeOf(event: ProgressEvent, before?: SessionView): Moved | undefined {
  switch (event.type) {
    case 'operation': {
      const record = before?.find(event.id, event.run);
      const operation = recordOf(event, before);
      return {
        change: { operation, before: record },
        session: after(event, before, (held) => (held === record ? undefined : held), operation),
      };
    }
    case 'operation.clear': {
      const cleared = before?.find(event.id, event.run);
      return cleared && { change: { cleared }, session: after(event, before, (held) => (held === cleared ? undefined : held)) };
    }
    case 'run': {
      const run = runOf(event);
      const settled = (held: Operation): Operation =>
        held.run === event.run && isFinal(event.state) && !isFinal(held.state) ? { ...held, state: 'interrupted' } : held;
      return { change: { run, before: before?.runs.get(event.run) }, session: after(event, before, settled, undefined, run) };
    }
    default:
      return undefined;
  }
}

/** A view of the session with one operation added, others changed or left out, and one run as it is now. */
function after(
  { session }: { readonly session: string },
  before: SessionView | undefined,
  each: (held: Operation) => Operation | undefined,
  added?: Operation,
  run?: Run,
): NoticeSession {
  const operations = [...(before?.operations.values() ?? [])].flatMap((held) => each(held) ?? []);
  const runs = [...(before?.runs.values() ?? [])].filter((held) => held.run !== run?.run);
  return {
    session,
    title: before?.title,
    usage: before?.usage,
    operations: added ? [...operations, added] : operations,
    runs: run ? [...runs, run] : runs,
  };
}

function recordOf(event: OperationEvent, before: SessionView | undefined): Operation {
  const { type: _, session: __, at, ...fields } = mergedOperation(event, before);
  return { ...(fields as Omit<Operation, 'attempt' | 'updatedAt'>), attempt: event.attempt ?? 1, updatedAt: at };
}

function runOf({ run, state, at, parent, reason }: RunEvent): Run {
  return { run, state, updatedAt: at, ...(parent ? { parent } : {}), ...(reason ? { reason } : {}) };
}

function place(session: string, slot: NoticeSlot): string {
  return `sitrep-${shortHash(session)}-${slot}`;
}
