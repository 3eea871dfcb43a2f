import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import { isFinal } from '../../wire/states.ts';
import type { BlockedKind } from '../../wire/states.ts';
import type { SessionView } from '../dialect.ts';
import { mergedOperation } from '../merged-operation.ts';
import type { WholeOperation } from '../merged-operation.ts';
import { detailText, titleText } from '../text-out.ts';
import { shortHash } from '../short-hash.ts';
import type { OscNotification } from './notification.ts';

/** What a session has to say to somebody who is not looking: a notice to show, or the id of one that is to go. */
export type OscNotice = { readonly show: OscNotification } | { readonly close: string };

const NEEDS: Readonly<Record<BlockedKind, string>> = {
  permission: 'needs permission',
  question: 'has a question',
  auth: 'needs a sign-in',
  other: 'needs you',
};

/**
 * The notices for one event. A session has two places for them: one for how it ended, one for what it needs of a person.
 * The end of a run is told, of an operation only where it belongs to no run and to no other operation; what a person
 * cancelled is not told back. Whatever is blocked is told, and taken back once nothing is.
 */
export function noticesOf(event: ProgressEvent, before?: SessionView): OscNotice[] {
  switch (event.type) {
    case 'operation':
      return ofOperation(event, before);
    case 'operation.clear':
      return isBlocked(before, event.id, event.run) ? closing(event, before) : [];
    case 'run':
      return isFinal(event.state) ? ofRun(event, before) : [];
    default:
      return [];
  }
}

function ofOperation(event: OperationEvent, before?: SessionView): OscNotice[] {
  const whole = mergedOperation(event, before);
  const record = before?.find(event.id, event.run);
  if (whole.state === 'blocked') {
    const show = attention(whole);
    const told = record?.state === 'blocked' ? attention(mergedOperation(unmoved(event), before)) : undefined;
    const isTold = told !== undefined && (event.blockedOn === undefined || (told.title === show.title && told.body === show.body));
    return isTold ? [] : [{ show }];
  }
  const closed = record?.state === 'blocked' ? closing(event, before) : [];
  const isAlone = event.run === undefined && (whole.parent === undefined || whole.parent === null) && whole.ambient !== true;
  const isNew = record === undefined || !isFinal(record.state) || record.attempt !== (event.attempt ?? 1);
  if (!isFinal(whole.state) || whole.state === 'cancelled' || !isAlone || !isNew) return closed;
  const body = detailText(whole, []) || whole.state;
  return [...closed, { show: { id: slot(event.session, 'status'), title: titleText(whole), body, urgent: false } }];
}

/** An event that says nothing: over its record it is the record. */
function unmoved({ session, id, run, attempt, at }: OperationEvent): OperationEvent {
  return { type: 'operation', session, id, at, ...(run === undefined ? {} : { run }), ...(attempt === undefined ? {} : { attempt }) };
}

function attention(whole: WholeOperation): OscNotification {
  const { blockedOn, message } = whole;
  const need = NEEDS[blockedOn?.kind ?? 'other'];
  // A message may be older than the need: alone it would not say that there is one.
  const body = blockedOn?.prompt ?? (message ? `${need}: ${message}` : need);
  return { id: slot(whole.session, 'attention'), title: titleText(whole), body, urgent: true };
}

function ofRun(event: RunEvent, before?: SessionView): OscNotice[] {
  const wasOver = before?.runs.get(event.run) !== undefined && isFinal(before.runs.get(event.run)?.state ?? 'running');
  const waits = [...(before?.operations.values() ?? [])].filter(({ state }) => state === 'blocked');
  const closed = waits.some(({ run }) => run === event.run) && waits.every(({ run }) => run === event.run);
  const notices: OscNotice[] = closed ? [{ close: slot(event.session, 'attention') }] : [];
  const isInner = event.parent !== undefined && event.parent !== null;
  if (event.state === 'cancelled' || isInner || wasOver) return notices;
  const body = event.reason === undefined || event.reason === null || event.reason === '' ? event.state : `${event.state}: ${event.reason}`;
  return [...notices, { show: { id: slot(event.session, 'status'), title: before?.title || event.session, body, urgent: false } }];
}

function closing({ session, id, run }: { session: string; id: string | number; run?: string }, before?: SessionView): OscNotice[] {
  for (const other of before?.operations.values() ?? []) if (other.state === 'blocked' && (other.id !== id || other.run !== run)) return [];
  return [{ close: slot(session, 'attention') }];
}

function isBlocked(before: SessionView | undefined, id: string | number, run: string | undefined): boolean {
  return before?.find(id, run)?.state === 'blocked';
}

function slot(session: string, place: 'status' | 'attention'): string {
  return `sitrep-${shortHash(session)}-${place}`;
}
