import { addIssue } from '../check/issue-list.ts';
import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import { cleanLine } from '../check/text/clean-line.ts';
import { startOf } from '../check/text/start-of.ts';
import { truncateBytes } from '../check/text/truncate.ts';
import type { Step } from '../wire/card.ts';
import { LIMITS } from '../wire/limits.ts';
import { STEP_STATES } from '../wire/states.ts';
import type { StepState } from '../wire/states.ts';

/** How the lists of one peer are written. */
export interface PlanWords {
  /** The member that holds a step's text. */
  readonly text: string;
  /** The peer's words for our step states, without a prototype. Whatever is not among them is pending, never completed. */
  readonly status: Readonly<Record<string, StepState>>;
}

/** A list as our own card writes it, with the spelling of Codex beside ours. */
const OWN: PlanWords = {
  text: 'step',
  status: planWords({ ...Object.fromEntries(STEP_STATES.map((state) => [state, state])), inProgress: 'in_progress' }),
};

/** A table of words that answers only for its own. */
export function planWords(words: Readonly<Record<string, StepState>>): Readonly<Record<string, StepState>> {
  return Object.freeze({ __proto__: null, ...words }) as never;
}

/**
 * A plan from a list that nobody held to our limits: of several steps in progress the first stays so and the others
 * become pending; an unknown status is pending; a text is shortened by bytes with a mark; a step without readable text is
 * dropped; of more than 50 steps the first 50 stay. A step may also be a text alone, which is pending. What was mended is noted by place.
 * Undefined when the value is no list at all.
 */
export function mendPlan(value: unknown, path: string, mended: Issue[], words: PlanWords = OWN): Step[] | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length > LIMITS.planSteps)
    addIssue(mended, path, 'too_many', `must have at most ${LIMITS.planSteps} steps; the first ${LIMITS.planSteps} were kept.`);
  const plan: Step[] = [];
  for (const [index, item] of value.slice(0, LIMITS.planSteps).entries()) {
    const step = mendStep(item, `${path}/${index}`, plan.some(isActive), mended, words);
    if (step !== undefined) plan.push(step);
  }
  return plan;
}

function isActive(step: Step): boolean {
  return step.status === 'in_progress';
}

function mendStep(item: unknown, path: string, hasActive: boolean, mended: Issue[], words: PlanWords): Step | undefined {
  const step = isObject(item) ? item[words.text] : item;
  const status = isObject(item) ? item['status'] : 'pending';
  if (typeof step !== 'string') {
    addIssue(mended, `${path}/${words.text}`, 'type', 'must be text; the step was dropped.');
    return undefined;
  }
  const start = startOf(step);
  const clean = cleanLine(start);
  if (clean.trim() === '') {
    addIssue(mended, `${path}/${words.text}`, 'empty', 'must hold something that can be seen; the step was dropped.');
    return undefined;
  }
  const text = truncateBytes(clean, LIMITS.stepBytes);
  if (text !== clean || start !== step)
    addIssue(mended, `${path}/${words.text}`, 'too_many_bytes', `must be at most ${LIMITS.stepBytes} UTF-8 bytes and was shortened.`);
  return { step: text, status: mendStatus(status, `${path}/status`, hasActive, mended, words.status) };
}

function mendStatus(value: unknown, path: string, hasActive: boolean, mended: Issue[], words: PlanWords['status']): StepState {
  const status = typeof value === 'string' ? words[value] : undefined;
  if (status === undefined) {
    addIssue(mended, path, 'enum', `must be one of ${Object.keys(words).join(', ')} and was read as pending.`);
    return 'pending';
  }
  if (status !== 'in_progress' || !hasActive) return status;
  addIssue(mended, path, 'in_progress', 'must not be in_progress beside an earlier one and was read as pending.');
  return 'pending';
}

/** A note from elsewhere: text, shortened by bytes with a mark. Undefined when it is none. */
export function mendNote(value: unknown, path: string, mended: Issue[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') {
    addIssue(mended, path, 'type', 'must be text and was left out.');
    return undefined;
  }
  const note = truncateBytes(value, LIMITS.noteBytes);
  if (note !== value) addIssue(mended, path, 'too_many_bytes', `must be at most ${LIMITS.noteBytes} UTF-8 bytes and was shortened.`);
  return note;
}
