import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Step } from '../../wire/card.ts';
import type { Id } from '../../wire/scalars.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState, StepState } from '../../wire/states.ts';
import { operationEvent, shortText } from '../agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from '../card-event.ts';
import { mendNote, mendPlan } from '../mend-plan.ts';
import { readId } from '../reading.ts';
import { wordTable } from '../word-table.ts';
import type { Reading } from './memory.ts';

/**
 * Items of our own, known by their ids. An operation is a workflow with one task; its id holds ours, with its type, and the
 * run. What is not complete begins its text with our word for it. The card is a workflow of its own.
 */

const PREFIX = 'sitrep:';

/** Id of the item that is the card. */
export const CARD_ITEM = `${PREFIX}card`;

/** Id of the item that is an operation. */
export function itemIdOf({ id, run }: { readonly id: Id; readonly run?: string | undefined }): string {
  return `${PREFIX}${JSON.stringify(run === undefined ? [id] : [id, run])}`;
}

/** The operation whose item this is, or undefined. */
export function operationOfItem(item: string): { readonly id: Id; readonly run: string | undefined } | undefined {
  if (!item.startsWith(`${PREFIX}[`) || item.length > 4 * LIMITS.id) return undefined;
  try {
    const parts: unknown = JSON.parse(item.slice(PREFIX.length));
    const [first, run] = Array.isArray(parts) ? (parts as unknown[]) : [];
    const id = readId(first);
    return id === undefined ? undefined : { id, run: typeof run === 'string' ? run : undefined };
  } catch {
    return undefined;
  }
}

const INDICATORS = wordTable<OperationState>({ none: 'pending', loading: 'running', complete: 'completed' });
const WORDS = /^(blocked|paused|failed|cancelled|denied|interrupted)(?:: (.*))?$/s;

/** The one task of an operation of ours. */
export function ownTask(reading: Reading, of: { readonly id: Id; readonly run: string | undefined }, task: unknown): void {
  if (!isObject(task)) return;
  const { status_indicator: indicator, title, content } = task;
  const [, word, rest] = (typeof content === 'string' ? WORDS.exec(content) : null) ?? [];
  const state = (word as OperationState | undefined) ?? (typeof indicator === 'string' ? INDICATORS[indicator] : undefined) ?? 'pending';
  const text = shortText(word === undefined ? content : rest, LIMITS.message);
  const isFault = state === 'failed' || state === 'denied';
  reading.events.push(
    operationEvent(reading.context, of.run ?? reading.context.run, of.id, {
      state,
      title: shortText(title),
      message: isFault || state === 'blocked' ? undefined : text,
      error: isFault && text !== undefined ? { message: text } : undefined,
      blockedOn: state === 'blocked' ? { kind: 'other', ...(text === undefined ? undefined : { prompt: text }) } : undefined,
    }),
  );
}

/** A workflow of ours that is done: its task says how, if it was not said before. */
export function ownDone(reading: Reading, of: { readonly id: Id; readonly run: string | undefined }, tasks: readonly unknown[]): void {
  const before = reading.events.length;
  ownTask(reading, of, tasks[0]);
  const [event] = reading.events.slice(before);
  if (event?.type === 'operation' && !isFinal(event.state ?? 'pending'))
    reading.events.splice(before, 1, { ...event, state: 'interrupted' });
}

const STEPS = wordTable<StepState>({ none: 'pending', loading: 'in_progress', complete: 'completed' });

/** The card, as one workflow. The last task may be its note. */
export function ownCard(reading: Reading, tasks: readonly unknown[] | undefined): void {
  const { context, memory, events, mended } = reading;
  const steps: unknown[] = [];
  let note: unknown;
  for (const task of (tasks ?? []).slice(0, LIMITS.planSteps + 2)) {
    if (!isObject(task)) continue;
    if (task['title'] === undefined) note = task['content'];
    else steps.push({ step: task['title'], status: stepOf(task['status_indicator'], task['content']) });
  }
  const plan: Step[] | undefined = mendPlan(steps, '/item/workflow/tasks', mended);
  const revision = nextRevision(context, memory);
  events.push(
    cardEvent(context, revision, context.at, tasks === undefined ? null : bodyOf(plan, mendNote(note, '/item/workflow/tasks', mended))),
  );
  reading.memory = { ...memory, revision };
}

function stepOf(indicator: unknown, content: unknown): StepState {
  if (content === 'failed' || content === 'cancelled') return content;
  return (typeof indicator === 'string' ? STEPS[indicator] : undefined) ?? 'pending';
}
