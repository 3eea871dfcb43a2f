import { addIssue, refused } from '../check/issue-list.ts';
import { isObject } from '../check/guards.ts';
import type { Checked, Issue, IssueCode } from '../check/issue.ts';
import { cleanOpenClaw } from '../check/text/clean-openclaw.ts';
import { exceedsUtf8 } from '../check/text/utf8.ts';
import type { Card, Step } from '../wire/card.ts';
import { LIMITS } from '../wire/limits.ts';

/** The words that system's plans know. */
const STATUSES = ['pending', 'in_progress', 'completed'] as const;

/** What a card write leads to at that peer: the parts that say something; neither part means a clear. */
export type OpenClawCard = Card;

/** A stored card at the peer. */
export interface OpenClawCardFrame {
  readonly sessionKey: string;
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  readonly markdown?: string;
  readonly steps?: readonly { readonly step: string; readonly status: string }[];
}

/** The gateway's notice that a card changed. */
export interface OpenClawChangedFrame {
  readonly type: 'event';
  readonly event: 'progressCard.changed';
  readonly payload: { readonly sessionKey: string; readonly revision: number | null };
}

/** The structured part of the answer to a card write. */
export interface CardDetails {
  /** Revision of the card, null after a clear. */
  readonly revision: number | null;
  /** Steps done and in all, null without a plan. */
  readonly steps: { readonly completed: number; readonly total: number } | null;
}

/**
 * The card write of the profile `openclaw-2026.9`, in that version's order, first fault first: the note's type (null is an
 * error, not an absence) and its bytes as written, then cleaning, then whether anything is left; then for each step type,
 * bytes, cleaning, emptiness and status; then at most one in progress. Nothing is shortened and nothing trimmed; other
 * keys of a step vanish. An empty plan is no plan.
 */
export function normalizeOpenClawCard(input: unknown): Checked<OpenClawCard> {
  const issues: Issue[] = [];
  const fault = (path: string, code: IssueCode, rule: string): undefined => {
    addIssue(issues, path, code, rule);
    return undefined;
  };
  if (!isObject(input)) fault('', 'type', 'must be an object with plan, markdown, both or neither.');
  const { markdown, plan } = isObject(input) ? input : { markdown: undefined, plan: undefined };
  const note = issues.length === 0 ? normalNote(markdown, fault) : undefined;
  const steps = issues.length === 0 ? normalPlan(plan, fault) : undefined;
  if (issues.length > 0) return refused(issues);
  return {
    ok: true,
    value: { ...(steps === undefined ? undefined : { plan: steps }), ...(note === undefined ? undefined : { markdown: note }) },
  };
}

type Fault = (path: string, code: IssueCode, rule: string) => undefined;

function normalNote(value: unknown, fault: Fault): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return fault('/markdown', 'type', 'must be text.');
  if (exceedsUtf8(value, LIMITS.noteBytes)) return fault('/markdown', 'too_many_bytes', `must be at most ${LIMITS.noteBytes} UTF-8 bytes.`);
  const clean = cleanOpenClaw(value);
  return clean.trim() === '' ? undefined : clean;
}

function normalPlan(value: unknown, fault: Fault): Step[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return fault('/plan', 'type', 'must be a list of steps.');
  if (value.length > LIMITS.planSteps) return fault('/plan', 'too_many', `must have at most ${LIMITS.planSteps} steps.`);
  const plan: Step[] = [];
  for (const [index, item] of value.entries()) {
    const step = normalStep(item, `/plan/${index}`, fault);
    if (step === undefined) return undefined;
    plan.push(step);
  }
  const second = plan.filter((step) => step.status === 'in_progress').at(1);
  if (second !== undefined)
    return fault(`/plan/${plan.indexOf(second)}/status`, 'in_progress', 'must not be in_progress: at most one step is.');
  return plan.length === 0 ? undefined : plan;
}

function normalStep(item: unknown, path: string, fault: Fault): Step | undefined {
  if (!isObject(item)) return fault(path, 'type', 'must be an object with step and status.');
  const { step, status } = item;
  if (typeof step !== 'string') return fault(`${path}/step`, 'type', 'must be text.');
  if (exceedsUtf8(step, LIMITS.stepBytes))
    return fault(`${path}/step`, 'too_many_bytes', `must be at most ${LIMITS.stepBytes} UTF-8 bytes.`);
  const clean = cleanOpenClaw(step);
  if (clean.trim() === '') return fault(`${path}/step`, 'empty', 'must hold something that can be seen.');
  const known = STATUSES.find((word) => word === status);
  if (known === undefined) return fault(`${path}/status`, 'enum', `must be one of ${STATUSES.join(', ')}.`);
  return { step: clean, status: known };
}

/** The structured answer to a card write. `card` null, or without parts, is a clear. */
export function cardDetails(revision: number, card: Card | null): CardDetails {
  if (card === null || (card.plan === undefined && card.markdown === undefined)) return { revision: null, steps: null };
  const { plan } = card;
  return {
    revision,
    steps: plan === undefined ? null : { completed: plan.filter((step) => step.status === 'completed').length, total: plan.length },
  };
}

/** The one line that is answered to a card write. */
export function cardReceipt({ revision, steps }: CardDetails): string {
  if (revision === null) return 'Progress card cleared';
  return steps === null || steps.total === 0
    ? `Progress card updated (rev ${revision})`
    : `Progress card updated (rev ${revision}, ${steps.completed}/${steps.total} done)`;
}

/** The whole answer of the tool: the line for a reader, then the details as JSON for whoever reads text alone. */
export function cardContent(details: CardDetails): readonly { readonly type: 'text'; readonly text: string }[] {
  return [
    { type: 'text', text: cardReceipt(details) },
    { type: 'text', text: JSON.stringify(details, undefined, 2) },
  ];
}
