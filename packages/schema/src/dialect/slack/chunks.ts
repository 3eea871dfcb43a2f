import { truncate } from '../../check/text/truncate.ts';
import type { CardEvent } from '../../wire/card.ts';
import type { ProgressEvent } from '../../wire/event.ts';
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
  readonly details?: string;
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
  return update(operationTask(mergedOperation(event, before)), record === undefined ? undefined : recordTask(event.session, record));
}

/** What changed of a task; nothing when nothing did. A live task that has nothing more to say does not go on saying the old. */
function update(task: SlackTask, shown: SlackTask | undefined): SlackTaskUpdate[] {
  const isStale = task.details === '' && task.output === '' && shown !== undefined && shown.details !== '';
  const details = isStale && task.status === 'in_progress' ? 'running' : task.details;
  const changes = {
    ...(details === '' || details === shown?.details ? undefined : { details }),
    ...(task.output === '' || task.output === shown?.output ? undefined : { output: task.output }),
  };
  const isSame = task.status === shown?.status && task.title === shown.title && Object.keys(changes).length === 0;
  return isSame ? [] : [{ type: 'task_update', id: task.id, title: task.title, status: task.status, ...changes }];
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
