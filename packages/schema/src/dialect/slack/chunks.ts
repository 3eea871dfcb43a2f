import { truncate } from '../../check/text/truncate.ts';
import type { CardEvent } from '../../wire/card.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationClearEvent } from '../../wire/operation-clear.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { Encoded, SessionView } from '../dialect.ts';
import { leftOpen, mergedOperation } from '../merged-operation.ts';
import { operationTask, recordTask, SLACK_TEXT, stepTask } from './tasks.ts';
import type { SlackTask, SlackTaskStatus } from './tasks.ts';

/** Names the plan. */
export interface SlackPlanUpdate {
  readonly type: 'plan_update';
  readonly title: string;
}

/** Adds a task or moves the one with this id. */
export interface SlackTaskUpdate {
  readonly type: 'task_update';
  readonly id: string;
  readonly title: string;
  readonly status: SlackTaskStatus;
  /** Added to the output the task has. */
  readonly output?: string;
}

/** What is written into a stream. */
export type SlackChunk = SlackPlanUpdate | SlackTaskUpdate;

export type { SlackTaskStatus };

/** The chunks for one event. */
export function encode(event: ProgressEvent, before?: SessionView): Encoded<SlackChunk> {
  switch (event.type) {
    case 'operation':
      return encodeOperation(event, before);
    case 'operation.clear':
      return encodeClear(event, before);
    case 'run':
      return isFinal(event.state) ? leftOpen(event, before).flatMap((each) => encodeOperation(each, before)) : [];
    case 'card':
      return encodeCard(event, before);
    case 'session':
      return event.title === undefined || event.title === null || event.title === '' || event.title === before?.title
        ? []
        : [planUpdate(event.title)];
    default:
      return [];
  }
}

function planUpdate(title: string): SlackPlanUpdate {
  return { type: 'plan_update', title: truncate(title, SLACK_TEXT) };
}

function encodeOperation(event: OperationEvent, before?: SessionView): Encoded<SlackChunk> {
  const record = before?.find(event.id, event.run);
  const task = operationTask(mergedOperation(event, before));
  const shown = record === undefined ? undefined : recordTask(event.session, record);
  return update(task, shown, (event.attempt ?? 1) > 1);
}

/** Nothing can be taken away: what was let go of while it went on is at least no longer shown as going on. */
function encodeClear(event: OperationClearEvent, before?: SessionView): Encoded<SlackChunk> {
  const record = before?.find(event.id, event.run);
  if (record === undefined || isFinal(record.state)) return [];
  const shown = recordTask(event.session, record);
  return update({ ...shown, status: 'error', details: 'cleared' }, shown);
}

/**
 * What changed of a task; nothing when nothing did. Slack replaces title and status and appends all else to what it was
 * told before: so what comes and goes stands in the title, and an output is said once, on a line of its own after another.
 */
function update(task: SlackTask, shown: SlackTask | undefined, isAgain = false): SlackTaskUpdate[] {
  const title = titleOf(task);
  const isTold = task.output === '' || task.output === shown?.output;
  if (isTold && task.status === shown?.status && title === titleOf(shown)) return [];
  const isNext = isAgain || (shown !== undefined && shown.output !== '');
  const output = isNext ? truncate(`\n${task.output}`, SLACK_TEXT) : task.output;
  return [{ type: 'task_update', id: task.id, title, status: task.status, ...(isTold ? undefined : { output }) }];
}

/** The title with how far it is, both shortened together. */
function titleOf({ title, details }: SlackTask): string {
  return details === '' ? title : truncate(`${title}: ${details}`, SLACK_TEXT);
}

function encodeCard({ card }: CardEvent, before?: SessionView): Encoded<SlackChunk> {
  const former = before?.card.card?.plan ?? [];
  const plan = card?.plan ?? [];
  // A plan must have a title; the session's was sent when it became known.
  const isNamed = before?.title !== undefined && before.title !== '';
  const named = former.length === 0 && plan.length > 0 && !isNamed ? [planUpdate('Plan')] : [];
  const steps = plan.flatMap((step, index) => {
    const shown = former[index];
    return update(stepTask(step, index), shown === undefined ? undefined : stepTask(shown, index));
  });
  const gone = former.slice(plan.length).flatMap((step, offset) => {
    const task = stepTask(step, plan.length + offset);
    if (task.status === 'complete' || task.status === 'error') return [];
    return update({ ...task, status: 'error', details: 'no longer planned' }, task);
  });
  return [...named, ...steps, ...gone];
}
