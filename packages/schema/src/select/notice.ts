import { isFinal } from '../wire/states.ts';
import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import type { Run } from '../wire/run.ts';
import { cardText } from './card-text.ts';
import { displayTitle } from './display-title.ts';
import { DEFAULT_LOCALE } from './format.ts';
import { currentStep } from './plan.ts';
import { stateWord } from './state-word.ts';
import { summary } from './summary.ts';
import { usageLabel } from './usage-label.ts';
import { fill, NOTICE_WORDS } from './words.ts';

/**
 * The places a session has on a desktop or a lock screen. `status` says how far it is and then how it ended; `attention`
 * what it needs of a person. Each new notice replaces the one in its place, and never the other.
 */
export type NoticeSlot = 'status' | 'attention';

/** What to show somebody who is not looking. */
export interface Notice {
  readonly slot: NoticeSlot;
  /** Name of the place among those of all sessions, `chat-<session>-status`: the same name replaces. */
  readonly tag: string;
  readonly session: string;
  /** Title of the session and what it used: "Fix the build · 12.4K tok · $0.03". */
  readonly title: string;
  /** How far it is and what it does, how it ended, or what it needs. */
  readonly body: string;
  /** True: to be noticed, even where it replaces another one. False: it replaces without a sound. */
  readonly alert: boolean;
}

/** A session as it stands, as far as notices go; a `SessionIndex` is one, and so is a snapshot. */
export interface NoticeSession {
  readonly session: string;
  readonly title?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly operations: { values(): Iterable<Operation> };
  readonly runs: { values(): Iterable<Run> };
  readonly card?: CardRecord | CardRecord['card'] | undefined;
}

/** Name of a session's place. */
export function noticeTag(session: string, slot: NoticeSlot): string {
  return `chat-${session}-${slot}`;
}

/**
 * How far a session is: the quiet notice that may stand while it works. Undefined when nothing is under way; what waits for
 * a person has a place of its own. `locale` is a BCP 47 tag, default `en`.
 */
export function progressNotice(session: NoticeSession, locale: string = DEFAULT_LOCALE): Notice | undefined {
  const live = [...session.operations.values()].filter(isUnderWay);
  if (live.length === 0 && !hasActiveRun(session)) return undefined;
  const outer = live.filter((operation) => operation.parent === undefined);
  const lead = outer.findLast((operation) => operation.state === 'running') ?? outer.at(-1) ?? live.at(-1);
  return notice(session, 'status', lead ? howFar(lead, locale) : ofCard(session), false, locale);
}

/** How a run ended. One that was cancelled is not told back to who did it, only taken note of. */
export function runNotice(session: NoticeSession, { state, reason }: Run, locale: string): Notice {
  const word = stateWord(state);
  return notice(session, 'status', reason ? fill(NOTICE_WORDS.because, { what: word, why: reason }) : word, state !== 'cancelled', locale);
}

/** How an operation ended that is no part of anything else. */
export function operationNotice(session: NoticeSession, operation: Operation, locale: string): Notice {
  const { state, error, message } = operation;
  const why = error?.message || message;
  const what = summary(operation, locale);
  return notice(session, 'status', why ? fill(NOTICE_WORDS.because, { what, why }) : what, state !== 'cancelled', locale);
}

/** What an operation that is blocked needs. */
export function attentionNotice(session: NoticeSession, operation: Operation, alert: boolean, locale: string): Notice {
  const { blockedOn, message } = operation;
  const what = fill(NOTICE_WORDS.needs[blockedOn?.kind ?? 'other'], { title: displayTitle(operation) });
  const why = blockedOn?.prompt || message;
  return notice(session, 'attention', why ? fill(NOTICE_WORDS.because, { what, why }) : what, alert, locale);
}

/** True while a run goes on that no other run started. */
export function hasActiveRun({ runs }: NoticeSession): boolean {
  for (const run of runs.values()) if (!isFinal(run.state) && run.parent === undefined) return true;
  return false;
}

function notice(session: NoticeSession, slot: NoticeSlot, body: string, alert: boolean, locale: string): Notice {
  const title = [session.title || session.session, usageLabel(session.usage, locale)].filter((part) => part !== undefined);
  return { slot, tag: noticeTag(session.session, slot), session: session.session, title: title.join(NOTICE_WORDS.separator), body, alert };
}

function isUnderWay(operation: Operation): boolean {
  return !isFinal(operation.state) && operation.state !== 'blocked' && operation.ambient !== true;
}

function howFar(operation: Operation, locale: string): string {
  const said = operation.state === 'waiting' ? operation.waitingOn?.text || operation.message : operation.message;
  return [summary(operation, locale), said].filter(Boolean).join(NOTICE_WORDS.separator);
}

/** A run that has begun nothing yet may have a plan. */
function ofCard({ card }: NoticeSession): string {
  const body = card && 'revision' in card ? card.card : card;
  const step = currentStep(body?.plan);
  if (!body || !step) return stateWord('running');
  return [cardText(body), step.status === 'in_progress' ? step.step : undefined].filter(Boolean).join(NOTICE_WORDS.separator);
}
