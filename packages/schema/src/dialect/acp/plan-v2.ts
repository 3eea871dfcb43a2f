import { addIssue } from '../../check/issue-list.ts';
import { isObject, isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { CardEvent } from '../../wire/card.ts';
import { bodyOf, cardEvent, nextRevision } from '../card-event.ts';
import type { Decoded } from '../dialect.ts';
import { finishAll, refuse } from '../finish.ts';
import { mendNote, mendPlan } from '../mend-plan.ts';
import type { AcpMemory } from './memory.ts';
import { currentTurn } from './memory.ts';
import { passOver, remembered, wholeEvent } from './read-update.ts';
import type { Reading } from './read-update.ts';
import { metaOf } from './words.ts';
import type { AcpWords } from './words.ts';
import { entriesOf, sameEntries } from './write-card.ts';
import type { AcpPlanEntry } from './write-card.ts';

/** A plan by its name, whole. */
export interface AcpPlanContentUpdate {
  readonly sessionUpdate: 'plan_update';
  readonly plan:
    | { readonly type: 'items'; readonly planId: string; readonly entries: readonly AcpPlanEntry[] }
    | { readonly type: 'markdown'; readonly planId: string; readonly content: string };
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** The name our card goes by: a session has one. */
const PLAN_ID = 'card';

/** The card as one plan: its steps, or its note where it has no steps. */
export function writePlan(event: CardEvent, words: AcpWords): AcpPlanContentUpdate {
  return { sessionUpdate: 'plan_update', plan: planOf(event, words), _meta: metaOf(event, words) };
}

function planOf(event: CardEvent, words: AcpWords): AcpPlanContentUpdate['plan'] {
  const note = event.card?.markdown;
  const entries = entriesOf(event, words);
  if (entries.length > 0 || note === undefined || note.trim() === '') return { type: 'items', planId: PLAN_ID, entries };
  return { type: 'markdown', planId: PLAN_ID, content: note };
}

function agrees(plan: Record<string, unknown>, event: CardEvent, words: AcpWords): boolean {
  const expected = planOf(event, words);
  if (plan['type'] !== expected.type || plan['planId'] !== expected.planId) return false;
  return expected.type === 'items' ? sameEntries(plan['entries'], expected.entries) : plan['content'] === expected.content;
}

/**
 * One of the agent's plans. Ours is one card of a list and a note: the newest list and the newest Markdown stand in it,
 * whatever their names; a plan that changes from one to the other leaves its former part.
 */
export function readPlanUpdate(reading: Reading): Decoded<AcpMemory> {
  const { body, path, context, memory, words } = reading;
  const { plan } = body;
  if (!isObject(plan)) return refuse(`${path}/plan`, 'type', 'must be a plan.') as Decoded<AcpMemory>;
  const mended: Issue[] = [];
  const whole = wholeEvent({ body, path, context }, mended, (event) => event.type === 'card' && agrees(plan, event, words));
  if (whole !== undefined && whole.type === 'card') {
    const { card } = whole;
    return finishAll([whole], mended, {
      ...remembered(memory, whole),
      steps: card?.plan === undefined ? undefined : { planId: PLAN_ID, plan: card.plan },
      note: card?.markdown === undefined ? undefined : { planId: PLAN_ID, markdown: card.markdown },
    });
  }
  const { planId, type } = plan;
  if (!isText(planId, 1, LIMITS.id))
    return refuse(`${path}/plan/planId`, 'required', 'must be text that names the plan.') as Decoded<AcpMemory>;
  const without = withoutPlan(memory, planId);
  if (type === 'items') {
    const steps = mendPlan(plan['entries'], `${path}/plan/entries`, mended, { text: 'content', status: words.steps });
    if (steps === undefined) return refuse(`${path}/plan/entries`, 'type', 'must be a list of entries.') as Decoded<AcpMemory>;
    return written(reading, { ...without, steps: { planId, plan: steps } }, mended);
  }
  const markdown = type === 'markdown' ? mendNote(plan['content'], `${path}/plan/content`, mended) : undefined;
  if (markdown !== undefined) return written(reading, { ...without, note: { planId, markdown } }, mended);
  addIssue(mended, `${path}/plan/type`, 'enum', 'must be items or markdown; the plan was passed over.');
  return passOver(mended);
}

/** A plan is gone; one that is not shown leaves nothing to change. */
export function readPlanRemoved(reading: Reading): Decoded<AcpMemory> {
  const { memory, body } = reading;
  const { planId } = body;
  const after = withoutPlan(memory, planId);
  return after === memory ? passOver() : written(reading, after, []);
}

function withoutPlan(memory: AcpMemory, planId: unknown): AcpMemory {
  const { steps, note } = memory;
  if (steps?.planId !== planId && note?.planId !== planId) return memory;
  return { ...memory, steps: steps?.planId === planId ? undefined : steps, note: note?.planId === planId ? undefined : note };
}

function written({ context, memory }: Reading, after: AcpMemory, mended: Issue[]): Decoded<AcpMemory> {
  const { steps, note } = after;
  const body = bodyOf(steps === undefined ? undefined : [...steps.plan], note?.markdown);
  const event = cardEvent(context, nextRevision(context, memory), context.at, body);
  const run = event.run ?? currentTurn(memory)?.run;
  return finishAll([run === undefined ? event : { ...event, run }], mended, remembered(after, event));
}
