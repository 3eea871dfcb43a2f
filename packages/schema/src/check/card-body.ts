import type { Card, Step } from '../wire/card.ts';
import { LIMITS } from '../wire/limits.ts';
import { withField } from './clean-fields.ts';
import { isObject } from './guards.ts';
import type { Issue } from './issue.ts';
import { addIssue } from './issue-list.ts';
import { mapSame } from './map-same.ts';
import { cleanLine } from './text/clean-line.ts';
import { cleanNote } from './text/clean-note.ts';
import { exceedsUtf8, utf8Length } from './text/utf8.ts';

function collectBytes(text: unknown, max: number, path: string, issues: Issue[]): void {
  if (typeof text !== 'string' || !exceedsUtf8(text, max)) return;
  addIssue(issues, path, 'too_many_bytes', `must be at most ${max} UTF-8 bytes, but has ${utf8Length(text)}.`);
}

/**
 * The byte limits of a card, on the raw text: what is over the limit is over it, even if cleaning would shorten it.
 * Takes any value, so that a body with faults of shape hears of its bytes in the same answer.
 */
export function collectCardBytes(body: unknown, path: string, issues: Issue[]): void {
  if (!isObject(body)) return;
  const { plan, markdown } = body;
  if (Array.isArray(plan) && plan.length <= LIMITS.planSteps) {
    plan.forEach((step: unknown, index) => {
      if (isObject(step)) collectBytes(step['step'], LIMITS.stepBytes, `${path}/plan/${index}/step`, issues);
    });
  }
  collectBytes(markdown, LIMITS.noteBytes, `${path}/markdown`, issues);
}

function cleanStep(step: Step): Step {
  return withField(step, step, 'step', cleanLine(step.step));
}

/** The card with its texts cleaned, steps and note untrimmed; the same reference when there was nothing to clean. */
export function cleanCard<T extends Card>(card: T): T {
  const body: Card = card;
  let result = body;
  if (body.plan) result = withField(result, body, 'plan', mapSame(body.plan, cleanStep));
  if (body.markdown !== undefined) result = withField(result, body, 'markdown', cleanNote(body.markdown));
  return result as T;
}

/** What holds across the fields of a cleaned card: no blank step, at most one in progress. */
export function collectCard(card: Card, path: string, issues: Issue[]): void {
  let current = -1;
  card.plan?.forEach(({ step, status }, index) => {
    if (step.trim() === '') addIssue(issues, `${path}/plan/${index}/step`, 'empty', 'must hold something that can be seen.');
    if (status !== 'in_progress') return;
    if (current < 0) current = index;
    else
      addIssue(
        issues,
        `${path}/plan/${index}/status`,
        'in_progress',
        `must not be in_progress: at most one step is, and plan[${current}] already is.`,
      );
  });
}
