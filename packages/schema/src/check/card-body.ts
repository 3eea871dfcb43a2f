import type { Card, Step } from '../wire/card.ts';
import { LIMITS } from '../wire/limits.ts';
import { withField } from './clean-fields.ts';
import { isObject } from './guards.ts';
import type { Issue } from './issue.ts';
import { addIssue } from './issue-list.ts';
import { mapSame } from './map-same.ts';
import { cleanLine } from './text/clean-line.ts';
import { cleanNote } from './text/clean-note.ts';
import { plainNoteBytes } from './text/plain.ts';
import { exceedsUtf8, utf8Length } from './text/utf8.ts';

function addBytes(text: string, max: number, path: string, issues: Issue[]): void {
  addIssue(issues, path, 'too_many_bytes', `must be at most ${max} UTF-8 bytes, but has ${utf8Length(text)}.`);
}

/** Paths are only written for what is wrong: fifty of them would cost more than everything else. */
function collectStepBytes(plan: unknown, path: string, issues: Issue[]): void {
  if (!Array.isArray(plan) || plan.length > LIMITS.planSteps) return;
  for (let index = 0; index < plan.length; index++) {
    const step: unknown = plan[index];
    const text = isObject(step) ? step['step'] : undefined;
    if (typeof text === 'string' && exceedsUtf8(text, LIMITS.stepBytes))
      addBytes(text, LIMITS.stepBytes, `${path}/plan/${index}/step`, issues);
  }
}

/**
 * The byte limits of a card, on the raw text: what is over the limit is over it, even if cleaning would shorten it.
 * Takes any value, so that a body with faults of shape hears of its bytes in the same answer.
 */
export function collectCardBytes(body: unknown, path: string, issues: Issue[]): void {
  if (!isObject(body)) return;
  const { plan, markdown } = body;
  collectStepBytes(plan, path, issues);
  if (typeof markdown === 'string' && exceedsUtf8(markdown, LIMITS.noteBytes))
    addBytes(markdown, LIMITS.noteBytes, `${path}/markdown`, issues);
}

function cleanStep(step: Step): Step {
  return withField(step, step, 'step', cleanLine(step.step));
}

/** What holds across the steps of a cleaned plan: none is blank, at most one in progress. */
function collectPlan(plan: readonly Step[], path: string, issues: Issue[]): void {
  let current = -1;
  for (let index = 0; index < plan.length; index++) {
    const { step, status } = plan[index] as Step;
    if (step.trim() === '') addIssue(issues, `${path}/plan/${index}/step`, 'empty', 'must hold something that can be seen.');
    if (status !== 'in_progress') continue;
    if (current < 0) current = index;
    else
      addIssue(
        issues,
        `${path}/plan/${index}/status`,
        'in_progress',
        `must not be in_progress: at most one step is, and plan[${current}] already is.`,
      );
  }
}

/**
 * The card, of which the shape is known, with its texts cleaned, steps and note untrimmed; the same reference when there
 * was nothing to clean. Adds the issues of its bytes, or when there are none of what holds across its fields.
 */
export function finishCard<T extends Card>(card: T, path: string, issues: Issue[]): T {
  const body: Card = card;
  const before = issues.length;
  const bytes = body.markdown === undefined ? 0 : plainNoteBytes(body.markdown);
  if (bytes < 0 || bytes > LIMITS.noteBytes) collectCardBytes(body, path, issues);
  else collectStepBytes(body.plan, path, issues);
  if (issues.length > before) return card;
  let result = body;
  if (body.plan) result = withField(result, body, 'plan', mapSame(body.plan, cleanStep));
  if (bytes < 0 && body.markdown !== undefined) result = withField(result, body, 'markdown', cleanNote(body.markdown));
  if (result.plan) collectPlan(result.plan, path, issues);
  return result as T;
}
