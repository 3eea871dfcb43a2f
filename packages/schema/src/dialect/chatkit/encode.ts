import type { CardEvent, Step } from '../../wire/card.ts';
import type { OperationClearEvent } from '../../wire/operation-clear.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState, StepState } from '../../wire/states.ts';
import type { Encoded, SessionView } from '../dialect.ts';
import { withAmount } from '../amount-text.ts';
import { mergedOperation } from '../merged-operation.ts';
import { nativeId } from '../native.ts';
import { detailText, titleText } from '../text-out.ts';
import { LINE, NAME } from './memory.ts';
import { CARD_ITEM, itemIdOf } from './own.ts';

/** A task of a workflow. */
export interface ChatKitTask {
  readonly type: string;
  readonly status_indicator: 'none' | 'loading' | 'complete';
  readonly title?: string | null;
  readonly icon?: string | null;
  readonly content?: string | null;
}

/** A workflow on the thread. */
export interface ChatKitWorkflowItem {
  readonly type: 'workflow';
  readonly id: string;
  readonly thread_id: string;
  readonly created_at: string;
  readonly workflow: {
    readonly type: 'custom';
    readonly tasks: readonly ChatKitTask[];
    readonly summary: null;
    readonly expanded: boolean;
  };
}

/** What is written for a ChatKit client. */
export type ChatKitFrame =
  | { readonly type: 'progress_update'; readonly icon?: string; readonly text: string }
  | { readonly type: 'thread.item.added' | 'thread.item.replaced' | 'thread.item.done'; readonly item: ChatKitWorkflowItem }
  | {
      readonly type: 'thread.item.updated';
      readonly item_id: string;
      readonly update: {
        readonly type: 'workflow.task.added' | 'workflow.task.updated';
        readonly task_index: number;
        readonly task: ChatKitTask;
      };
    }
  | { readonly type: 'thread.item.removed'; readonly item_id: string };

const INDICATORS: Readonly<Record<OperationState, ChatKitTask['status_indicator']>> = {
  pending: 'none',
  running: 'loading',
  waiting: 'loading',
  blocked: 'loading',
  paused: 'loading',
  completed: 'complete',
  failed: 'none',
  cancelled: 'none',
  denied: 'none',
  interrupted: 'none',
};

const STEPS: Readonly<Record<StepState, ChatKitTask['status_indicator']>> = {
  pending: 'none',
  in_progress: 'loading',
  completed: 'complete',
  failed: 'none',
  cancelled: 'none',
};

/** One operation: its line, its task, or a workflow of its own. */
export function encodeOperation(event: OperationEvent, before?: SessionView): Encoded<ChatKitFrame> {
  const held = before?.find(event.id, event.run);
  const whole = mergedOperation(event, before);
  if (event.id === LINE && whole.native?.protocol === NAME) return lineOf(whole);
  const item = nativeId(whole, NAME, 'item_id');
  const index = nativeId(whole, NAME, 'task_index');
  const task = taskOf(whole);
  if (typeof item === 'string' && typeof index === 'number') return [updated(item, index, task, held !== undefined)];
  const id = itemIdOf(event);
  // A new attempt is the same work again: it takes the place of the one before.
  const isAgain = held !== undefined && isFinal(held.state) && (event.attempt ?? 1) > held.attempt;
  const frames: ChatKitFrame[] = [];
  if (held === undefined) frames.push({ type: 'thread.item.added', item: workflow(event, id, []) }, updated(id, 0, task, false));
  else if (isAgain) frames.push({ type: 'thread.item.replaced', item: workflow(event, id, [task]) });
  else frames.push(updated(id, 0, task, true));
  if (isFinal(whole.state)) frames.push({ type: 'thread.item.done', item: workflow(event, id, [task]) });
  return frames;
}

function lineOf(event: OperationEvent): Encoded<ChatKitFrame> {
  const icon = nativeId(event, NAME, 'icon');
  if (event.state !== 'running') return [];
  return [{ type: 'progress_update', ...(typeof icon === 'string' ? { icon } : undefined), text: event.message ?? '' }];
}

function updated(item: string, index: number, task: ChatKitTask, isKnown: boolean): ChatKitFrame {
  const type = isKnown ? 'workflow.task.updated' : 'workflow.task.added';
  return { type: 'thread.item.updated', item_id: item, update: { type, task_index: index, task } };
}

function taskOf(event: OperationEvent): ChatKitTask {
  const isRead = event.native?.protocol === NAME && nativeId(event, NAME, 'task_index') !== undefined;
  const type = isRead ? nativeId(event, NAME, 'type') : undefined;
  const icon = isRead ? nativeId(event, NAME, 'icon') : undefined;
  const content = withAmount(detailText(event, ['pending', 'running', 'waiting', 'completed']), event);
  return {
    type: typeof type === 'string' ? type : 'custom',
    status_indicator: INDICATORS[event.state ?? 'pending'],
    ...(isRead && event.title === undefined ? undefined : { title: isRead ? (event.title ?? null) : titleText(event) }),
    ...(typeof icon === 'string' ? { icon } : undefined),
    ...(content === '' ? undefined : { content }),
  };
}

function workflow(
  { session, at }: { readonly session: string; readonly at: number },
  id: string,
  tasks: readonly ChatKitTask[],
): ChatKitWorkflowItem {
  const created = new Date(at).toISOString();
  return {
    type: 'workflow',
    id,
    thread_id: session,
    created_at: created,
    workflow: { type: 'custom', tasks, summary: null, expanded: false },
  };
}

/** A card: one workflow of the session, replaced whole. */
export function encodeCard(event: CardEvent, before?: SessionView): Encoded<ChatKitFrame> {
  const id = CARD_ITEM;
  const isShown = before !== undefined && before.card.card !== null;
  const { card } = event;
  if (card === null) return isShown ? [{ type: 'thread.item.removed', item_id: id }] : [];
  const tasks = (card.plan ?? []).map(stepOf);
  if (card.markdown !== undefined) tasks.push({ type: 'custom', status_indicator: 'none', content: card.markdown });
  return [{ type: isShown ? 'thread.item.replaced' : 'thread.item.added', item: workflow(event, id, tasks) }];
}

function stepOf({ step, status }: Step): ChatKitTask {
  const isOdd = status === 'failed' || status === 'cancelled';
  return { type: 'custom', status_indicator: STEPS[status], title: step, ...(isOdd ? { content: status } : undefined) };
}

/** A cleared operation is taken off the thread; a line is gone by itself, and tasks of others are theirs. */
export function removed(event: OperationClearEvent, before?: SessionView): Encoded<ChatKitFrame> {
  const held = before?.find(event.id, event.run);
  const ids = held?.native?.protocol === NAME ? held.native.ids : undefined;
  if (ids?.['task_index'] !== undefined || (event.id === LINE && held?.native?.protocol === NAME)) return [];
  return [{ type: 'thread.item.removed', item_id: itemIdOf(event) }];
}
