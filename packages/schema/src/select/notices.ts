import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { attentionNotice, hasActiveRun, noticeTag, operationNotice, runNotice } from './notice.ts';
import type { Notice, NoticeSession } from './notice.ts';

/** What moved in a session: the record as it is now and as it was, where there was one; or the operation that was cleared. */
export type NoticeChange =
  | { readonly operation: Operation; readonly before?: Operation | undefined }
  | { readonly cleared: Operation }
  | { readonly run: Run; readonly before?: Run | undefined };

/** What is to be done about it: a notice to show, or the tag of a place that is to be empty. */
export type NoticeStep = { readonly show: Notice } | { readonly close: string };

/**
 * Which notices a change is worth, the same for a page, a push and a terminal. Progress itself is none: `progressNotice`
 * says what may stand meanwhile.
 *
 * - The end of a run is told, once; background work and subagents neither tell theirs nor hold it back.
 * - The end of an operation is told where it belongs to no run and to no other operation, and no run is under way.
 * - What a person cancelled is not told back: it only takes the place of the progress that stood there.
 * - Each request to a person is told once, and taken back once nothing is blocked any more. Waiting on a machine is no request.
 *
 * @param session as it is after the change
 * @param language the reader's, default English
 */
export function sessionNotices(
  change: NoticeChange,
  session: NoticeSession,
  language: LanguageLike = DEFAULT_LOCALE,
): readonly NoticeStep[] {
  if ('run' in change) return ofRun(change.run, change.before, session, language);
  if ('cleared' in change) return change.cleared.state === 'blocked' ? [answered(session, language)] : [];
  return ofOperation(change.operation, change.before, session, language);
}

function ofRun(run: Run, before: Run | undefined, session: NoticeSession, language: LanguageLike): readonly NoticeStep[] {
  if (!isFinal(run.state) || (before !== undefined && isFinal(before.state))) return [];
  // What the run left blocked nobody waits for any more.
  const close = newestBlocked(session) === undefined ? [{ close: noticeTag(session.session, 'attention') }] : [];
  return run.parent === undefined ? [...close, { show: runNotice(session, run, language) }] : close;
}

function ofOperation(
  operation: Operation,
  before: Operation | undefined,
  session: NoticeSession,
  language: LanguageLike,
): readonly NoticeStep[] {
  if (operation.state === 'blocked') {
    const asked = requestOf(before, operation);
    return asked === 'same' ? [] : [{ show: attentionNotice(session, operation, asked === 'new', language) }];
  }
  const steps: NoticeStep[] = before?.state === 'blocked' ? [answered(session, language)] : [];
  const wasOver = before !== undefined && isFinal(before.state) && before.attempt === operation.attempt;
  const isAlone = operation.run === undefined && operation.parent === undefined && operation.ambient !== true;
  if (isFinal(operation.state) && !wasOver && isAlone && !hasActiveRun(session)) {
    steps.push({ show: operationNotice(session, operation, language) });
  }
  return steps;
}

/** Whether what it asks is what it asked before, in the same words or in others. */
function requestOf(before: Operation | undefined, { attempt, blockedOn }: Operation): 'new' | 'changed' | 'same' {
  if (before?.state !== 'blocked' || before.attempt !== attempt) return 'new';
  const asked = before.blockedOn;
  const inSameWords = asked?.kind === blockedOn?.kind && asked?.prompt === blockedOn?.prompt;
  if (asked?.requestId === blockedOn?.requestId) return inSameWords ? 'same' : blockedOn?.requestId === undefined ? 'new' : 'changed';
  return 'new';
}

/** Something was answered: what else is asked comes to the fore, without a sound, or there is nothing left to ask. */
function answered(session: NoticeSession, language: LanguageLike): NoticeStep {
  const left = newestBlocked(session);
  return left ? { show: attentionNotice(session, left, false, language) } : { close: noticeTag(session.session, 'attention') };
}

function newestBlocked({ operations }: NoticeSession): Operation | undefined {
  let newest: Operation | undefined;
  for (const operation of operations.values()) if (operation.state === 'blocked') newest = operation;
  return newest;
}
