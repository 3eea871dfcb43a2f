import { isFinal } from '../wire/states.ts';
import type { BlockedKind } from '../wire/states.ts';
import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import type { Run } from '../wire/run.ts';
import { cardText } from './card-text.ts';
import { displayTitle } from './display-title.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { currentStep } from './plan.ts';
import { reasonText } from './reason-text.ts';
import { say } from './say.ts';
import { stateWord } from './state-word.ts';
import { summary } from './summary.ts';
import { usageLabel } from './usage-label.ts';

/** What is asked of a person, by kind. */
const NEEDS: Readonly<Record<BlockedKind, string>> = {
  permission: '{title} needs permission',
  question: '{title} has a question',
  auth: '{title} needs a sign-in',
  other: '{title} needs you',
};

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
 * a person has a place of its own, and what outlives the run it belongs to is not told: how that ended stands. Default language:
 * English.
 */
export function progressNotice(session: NoticeSession, language: LanguageLike = DEFAULT_LOCALE): Notice | undefined {
  const isBusy = hasActiveRun(session);
  const live = [...session.operations.values()].filter(isUnderWay).filter(isBusy ? () => true : standsAlone(session));
  if (live.length === 0 && (!isBusy || isAsking(session))) return undefined;
  const outer = live.filter((operation) => operation.parent === undefined);
  const lead = outer.findLast((operation) => operation.state === 'running') ?? outer.at(-1) ?? live.at(-1);
  return notice(session, 'status', lead ? howFar(lead, language) : ofCard(session, language), false, language);
}

/** How a run ended. One that was cancelled is not told back to who did it, only taken note of. */
export function runNotice(session: NoticeSession, { state, reason }: Run, language: LanguageLike): Notice {
  const word = stateWord(state, language);
  return notice(
    session,
    'status',
    reason ? say('{what}: {why}', language, { what: word, why: reasonText(reason, language) }) : word,
    state !== 'cancelled',
    language,
  );
}

/** How an operation ended that is no part of anything else. */
export function operationNotice(session: NoticeSession, operation: Operation, language: LanguageLike): Notice {
  const { state, error, message } = operation;
  const why = error?.message || message;
  const what = summary(operation, language);
  return notice(session, 'status', why ? say('{what}: {why}', language, { what, why }) : what, state !== 'cancelled', language);
}

/** What an operation that is blocked needs. */
export function attentionNotice(session: NoticeSession, operation: Operation, alert: boolean, language: LanguageLike): Notice {
  const { blockedOn, message } = operation;
  const what = say(NEEDS[blockedOn?.kind ?? 'other'], language, { title: displayTitle(operation, language) });
  const why = blockedOn?.prompt || message;
  return notice(session, 'attention', why ? say('{what}: {why}', language, { what, why }) : what, alert, language);
}

/** True while a run goes on that no other run started. */
export function hasActiveRun({ runs }: NoticeSession): boolean {
  for (const run of runs.values()) if (!isFinal(run.state) && run.parent === undefined) return true;
  return false;
}

function notice(session: NoticeSession, slot: NoticeSlot, body: string, alert: boolean, language: LanguageLike): Notice {
  const title = [session.title || session.session, usageLabel(session.usage, language)].filter((part) => part !== undefined);
  return { slot, tag: noticeTag(session.session, slot), session: session.session, title: title.join(' · '), body, alert };
}

/** True while something is asked of a person. */
export function isAsking({ operations }: Pick<NoticeSession, 'operations'>): boolean {
  for (const { state } of operations.values()) if (state === 'blocked') return true;
  return false;
}

function isUnderWay(operation: Operation): boolean {
  return !isFinal(operation.state) && operation.state !== 'blocked' && operation.ambient !== true;
}

/** True for what is no part of a run that was announced, nor of another operation. */
function standsAlone({ runs }: NoticeSession): (operation: Operation) => boolean {
  const known = new Set<string | undefined>([...runs.values()].map(({ run }) => run));
  return ({ run, parent }) => parent === undefined && !known.has(run);
}

function howFar(operation: Operation, language: LanguageLike): string {
  const said = operation.state === 'waiting' ? operation.waitingOn?.text || operation.message : operation.message;
  return [summary(operation, language), said].filter(Boolean).join(' · ');
}

/** A run that has begun nothing yet may have a plan. */
function ofCard({ card }: NoticeSession, language: LanguageLike): string {
  const body = card && 'revision' in card ? card.card : card;
  const step = currentStep(body?.plan);
  if (!body || !step) return stateWord('running', language);
  return [cardText(body, language), step.status === 'in_progress' ? step.step : undefined].filter(Boolean).join(' · ');
}
