/**
 * The card methods of the profile `openclaw-2026.9` as pure shapes: what `progressCard.get`, `.put` and `.refresh` take and
 * answer, what a put does to a stored card, and the older plan event that is sent beside it. For a gateway that speaks to
 * that system's clients, and for a client of its gateway. Objects are closed, as that system's are.
 */
import { isInteger, isObject } from '../check/guards.ts';
import { addIssue, refused, unreadable } from '../check/issue-list.ts';
import type { Checked, Issue } from '../check/issue.ts';
import type { Card, Step } from '../wire/card.ts';
import { present } from './finish.ts';
import { normalizeOpenClawCard } from './openclaw-profile.ts';
import type { OpenClawCardFrame, OpenClawChangedFrame } from './openclaw-profile.ts';

/** The methods by name. */
export const OPENCLAW_CARD_METHODS = ['progressCard.get', 'progressCard.put', 'progressCard.refresh'] as const;

/** What a client may send `agentId` on: only a gateway that announces this takes it. */
export const OPENCLAW_AGENT_SCOPE = 'progress-card-agent-scope-v1';

/** Whose card. */
export interface OpenClawTarget {
  readonly sessionKey: string;
  readonly agentId?: string;
}

/** A checked call. A put holds the card as it is to be stored; neither part means a clear. */
export type OpenClawCardCall =
  | ({ readonly method: 'progressCard.get' } & OpenClawTarget)
  | ({ readonly method: 'progressCard.put'; readonly card: Card; readonly expectedRevision?: number } & OpenClawTarget)
  | ({ readonly method: 'progressCard.refresh'; readonly idempotencyKey: string } & OpenClawTarget);

/** What get and put answer. */
export interface OpenClawCardAnswer {
  readonly card: OpenClawCardFrame | null;
}

/** What refresh answers: that the agent was asked, not that the card is newer. */
export interface OpenClawRefreshAnswer {
  readonly runId: string;
  readonly status: 'accepted';
  /** The revision to be exceeded before the card counts as refreshed. */
  readonly revision: number;
}

const KEYS: Readonly<Record<(typeof OPENCLAW_CARD_METHODS)[number], readonly string[]>> = {
  'progressCard.get': ['sessionKey', 'agentId'],
  'progressCard.put': ['sessionKey', 'agentId', 'markdown', 'plan', 'expectedRevision'],
  'progressCard.refresh': ['sessionKey', 'agentId', 'idempotencyKey'],
};

/**
 * Checks the params of a method, closed objects first: an unknown key is refused, in a step too. A put is then read by the
 * profile. An expected revision may stand only beside nothing to write. Never throws.
 */
export function checkOpenClawCall(method: string, params: unknown): Checked<OpenClawCardCall> {
  try {
    return checkCall(method, params);
  } catch {
    return unreadable();
  }
}

function checkCall(method: string, params: unknown): Checked<OpenClawCardCall> {
  const issues: Issue[] = [];
  const known = OPENCLAW_CARD_METHODS.find((name) => name === method);
  if (known === undefined) addIssue(issues, '', 'unknown_type', `must be the params of one of ${OPENCLAW_CARD_METHODS.join(', ')}.`);
  else if (!isObject(params)) addIssue(issues, '', 'type', 'must be an object.');
  else checkKeys(params, KEYS[known], '', issues);
  if (known === undefined || !isObject(params)) return refused(issues);
  const { sessionKey, agentId } = params;
  if (!isKey(sessionKey))
    addIssue(issues, '/sessionKey', sessionKey === undefined ? 'required' : 'type', 'must be text that is not empty.');
  if (agentId !== undefined && !isKey(agentId)) addIssue(issues, '/agentId', 'type', 'must be text that is not empty.');
  const target = present({ sessionKey: sessionKey as string, agentId: agentId as string | undefined }) as OpenClawTarget;
  if (known === 'progressCard.refresh') return checkRefresh(params, target, issues);
  if (known === 'progressCard.put') return checkPut(params, target, issues);
  return issues.length > 0 ? refused(issues) : { ok: true, value: { method: known, ...target } };
}

function checkRefresh(params: Record<string, unknown>, target: OpenClawTarget, issues: Issue[]): Checked<OpenClawCardCall> {
  const { idempotencyKey } = params;
  if (!isKey(idempotencyKey))
    addIssue(issues, '/idempotencyKey', idempotencyKey === undefined ? 'required' : 'type', 'must be text that is not empty.');
  if (issues.length > 0 || !isKey(idempotencyKey)) return refused(issues);
  return { ok: true, value: { method: 'progressCard.refresh', ...target, idempotencyKey } };
}

function checkPut(params: Record<string, unknown>, target: OpenClawTarget, issues: Issue[]): Checked<OpenClawCardCall> {
  const { expectedRevision, markdown, plan } = params;
  for (const [index, step] of (Array.isArray(plan) ? plan : []).entries())
    if (isObject(step)) checkKeys(step, ['step', 'status'], `/plan/${index}`, issues);
  if (expectedRevision !== undefined && !isInteger(expectedRevision, 1))
    addIssue(issues, '/expectedRevision', 'range', 'must be a whole number of at least 1.');
  if (issues.length > 0) return refused(issues);
  const normal = normalizeOpenClawCard({ markdown, plan });
  if (!normal.ok) return normal;
  if (expectedRevision !== undefined && (normal.value.plan !== undefined || normal.value.markdown !== undefined)) {
    addIssue(issues, '/expectedRevision', 'conflict', 'must stand beside nothing to write: only a clear is compared.');
    return refused(issues);
  }
  const compared = expectedRevision === undefined ? undefined : { expectedRevision: expectedRevision as number };
  return { ok: true, value: { method: 'progressCard.put', ...target, card: normal.value, ...compared } };
}

function checkKeys(value: Record<string, unknown>, known: readonly string[], path: string, issues: Issue[]): void {
  for (const key of Object.keys(value))
    if (!known.includes(key)) addIssue(issues, path, 'unknown_key', `must have no other keys than ${known.join(', ')}.`);
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** A card as that system stores it: a clear leaves a tombstone, which keeps the revision. Revision 0 was never written. */
export interface OpenClawStored {
  readonly revision: number;
  readonly card: OpenClawCardFrame | null;
}

/** What a put came to. */
export interface OpenClawPut {
  readonly stored: OpenClawStored;
  readonly answer: OpenClawCardAnswer;
  /** The notice to send to the session's readers; absent when nothing is announced. */
  readonly changed?: OpenClawChangedFrame;
}

/**
 * What a put does: content replaces the whole card at the next revision; a clear leaves a tombstone at the next revision,
 * or nothing where there never was a card, and is announced all the same; a compared clear that finds another revision
 * changes and announces nothing and answers the card as it stands. `at` is the time of the write, epoch milliseconds.
 */
export function applyOpenClawPut(
  stored: OpenClawStored,
  { sessionKey, card, expectedRevision }: Extract<OpenClawCardCall, { method: 'progressCard.put' }>,
  at: number,
): OpenClawPut {
  const changed = (revision: number | null): OpenClawChangedFrame => ({
    type: 'event',
    event: 'progressCard.changed',
    payload: { sessionKey, revision },
  });
  if (card.plan !== undefined || card.markdown !== undefined) {
    const revision = stored.revision + 1;
    const next: OpenClawCardFrame = { sessionKey, revision, updatedAt: at, ...present({ markdown: card.markdown, steps: card.plan }) };
    return { stored: { revision, card: next }, answer: { card: next }, changed: changed(revision) };
  }
  if (expectedRevision !== undefined && expectedRevision !== stored.card?.revision) return { stored, answer: { card: stored.card } };
  const next = stored.revision === 0 || stored.card === null ? stored : { revision: stored.revision + 1, card: null };
  return { stored: next, answer: { card: null }, changed: changed(null) };
}

/** The older agent event, sent beside every card that was written, clears included, for readers who know no cards. */
export interface OpenClawPlanEvent {
  readonly stream: 'plan';
  readonly data: {
    readonly phase: 'update';
    readonly title: string;
    readonly source: 'openclaw';
    readonly steps: readonly Step[];
    /** The note, and that it is Markdown. */
    readonly explanation?: string;
    readonly explanationFormat?: 'markdown';
  };
}

/** The plan event for a card; null is a clear, which has no steps. */
export function openClawPlanEvent(card: Card | null, title = 'Progress'): OpenClawPlanEvent {
  const note = card?.markdown === undefined ? undefined : { explanation: card.markdown, explanationFormat: 'markdown' as const };
  return { stream: 'plan', data: { phase: 'update', title, source: 'openclaw', steps: card?.plan ?? [], ...note } };
}
