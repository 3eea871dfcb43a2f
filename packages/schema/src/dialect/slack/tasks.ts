import { truncate } from '../../check/text/truncate.ts';
import type { Step } from '../../wire/card.ts';
import type { Operation } from '../../wire/operation.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Id } from '../../wire/scalars.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState, StepState } from '../../wire/states.ts';
import { amountText, withAmount } from '../amount-text.ts';
import { detailText, titleText } from '../text-out.ts';

/** How Slack says where a task stands. */
export type SlackTaskStatus = 'pending' | 'in_progress' | 'complete' | 'error';

/** One task as it is to be shown: how far it is in the details, how it ended in the output. Empty texts are not shown. */
export interface SlackTask {
  readonly id: string;
  readonly title: string;
  readonly status: SlackTaskStatus;
  readonly details: string;
  readonly output: string;
}

/** Characters of a text in a task or a title of a plan. */
export const SLACK_TEXT = 256;

const STATES: Readonly<Record<OperationState, SlackTaskStatus>> = {
  pending: 'pending',
  running: 'in_progress',
  waiting: 'in_progress',
  blocked: 'in_progress',
  paused: 'in_progress',
  completed: 'complete',
  failed: 'error',
  cancelled: 'error',
  denied: 'error',
  interrupted: 'error',
};
const STEPS: Readonly<Record<StepState, SlackTaskStatus>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  completed: 'complete',
  failed: 'error',
  cancelled: 'error',
};
const SPOKEN: readonly OperationState[] = ['pending', 'running', 'waiting', 'completed', 'failed'];
const PLAN = 'plan/';

/** An operation as a task. */
export function operationTask(operation: OperationEvent & { readonly state: OperationState }): SlackTask {
  const text = detailText(operation, SPOKEN);
  const ends = isFinal(operation.state);
  return {
    id: taskId(operation.id),
    title: truncate(titleText(operation), SLACK_TEXT),
    status: STATES[operation.state],
    details: ends ? amountAtEnd(operation) : truncate(withAmount(text, operation), SLACK_TEXT),
    output: ends ? truncate(text, SLACK_TEXT) : '',
  };
}

/** What did not come to its end keeps how far it was. */
function amountAtEnd(operation: OperationEvent): string {
  return operation.state === 'completed' ? '' : truncate(amountText(operation), SLACK_TEXT);
}

/** A record as a task. */
export function recordTask(session: string, { updatedAt, ...record }: Operation): SlackTask {
  return operationTask({ ...record, type: 'operation', session, at: updatedAt });
}

/** A step of the plan as a task, counted from 0. */
export function stepTask({ step, status }: Step, index: number): SlackTask {
  const details = status === 'cancelled' ? 'cancelled' : '';
  return { id: `${PLAN}${index + 1}`, title: truncate(step, SLACK_TEXT), status: STEPS[status], details, output: '' };
}

/** The id of a task among those of several runs. */
export function taskIdInSession({ id, run }: Pick<Operation, 'id' | 'run'>): string {
  return run === undefined ? taskId(id) : `$${JSON.stringify([run, id])}`;
}

/** Ids keep apart what the JSON type keeps apart, and what is a step. */
function taskId(id: Id): string {
  if (typeof id === 'number') return `#${id}`;
  return id.startsWith('#') || id.startsWith('$') || id.startsWith(PLAN) ? `$${id}` : id;
}
