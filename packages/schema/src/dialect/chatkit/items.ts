import { isInteger, isNumber, isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationState } from '../../wire/states.ts';
import { isFinal } from '../../wire/states.ts';
import { firstOf, lastLine, operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { entryOf, withEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { wordTable } from '../word-table.ts';
import { MAX_ITEMS, NAME } from './memory.ts';
import { CARD_ITEM, operationOfItem, ownCard, ownDone, ownTask } from './own.ts';
import type { Reading } from './memory.ts';

type Item = Record<string, unknown>;
type Moment = 'added' | 'replaced' | 'done';

const INDICATORS = wordTable<OperationState>({ none: 'pending', loading: 'running', complete: 'completed' });
const QUESTIONS = wordTable<OperationState>({ pending: 'blocked', answered: 'completed', skipped: 'cancelled' });
const CLIENT_CALLS = wordTable<OperationState>({ pending: 'waiting', completed: 'completed' });

const READERS = wordTable<(reading: Reading, id: string, item: Item, moment: Moment) => void>({
  workflow: workflowMoved,
  task: (reading, id, item, moment) => taskMoved(reading, id, item['task'], '/item/task', moment === 'done', { item_id: id }),
  client_tool_call: clientCalled,
  structured_input: asked,
  generated_image: (reading, id, _item, moment) => imageMoved(reading, id, moment === 'done', undefined),
});

/** An item was added, replaced, or is done. */
export function itemMoved(reading: Reading, item: unknown, moment: Moment): void {
  if (!isObject(item) || typeof item['id'] !== 'string' || typeof item['type'] !== 'string')
    return addIssue(reading.mended, '/item', 'type', 'must be an item with an id and a type and was left out.');
  return READERS[item['type']]?.(reading, item['id'], item, moment);
}

/** An item is changed in a part. */
export function itemUpdated(reading: Reading, id: unknown, update: unknown): void {
  if (typeof id !== 'string' || !isObject(update))
    return addIssue(reading.mended, '/update', 'type', 'must be an update and was left out.');
  const { type, task_index: index, task, progress } = update;
  if (type === 'workflow.task.added' || type === 'workflow.task.updated') {
    if (!isInteger(index, 0)) return addIssue(reading.mended, '/update/task_index', 'range', 'must be a whole number and was left out.');
    const own = operationOfItem(id);
    if (own !== undefined) return index === 0 ? ownTask(reading, own, task) : undefined;
    const count = Math.max(entryOf(reading.memory.items, id) ?? 0, index + 1);
    reading.memory = { ...reading.memory, items: withEntry(reading.memory.items, id, count, MAX_ITEMS) };
    return taskMoved(reading, `${id}/${index}`, task, '/update/task', false, { item_id: id, task_index: index }, id);
  }
  return type === 'generated_image.updated' ? imageMoved(reading, id, false, progress) : undefined;
}

function workflowMoved(reading: Reading, id: string, { workflow }: Item, moment: Moment): void {
  const { tasks, summary } = isObject(workflow) ? workflow : {};
  const isDone = moment === 'done';
  const list: unknown[] = Array.isArray(tasks) ? tasks : [];
  if (id === CARD_ITEM) return ownCard(reading, list);
  const own = operationOfItem(id);
  if (own !== undefined) return isDone ? ownDone(reading, own, list) : ownTask(reading, own, list[0]);
  reading.events.push(
    operationEvent(reading.context, reading.context.run, id, {
      state: isDone ? 'completed' : 'running',
      kind: 'workflow',
      title: isObject(summary) ? shortText(summary['title']) : undefined,
      native: nativeOf(NAME, moment, { item_id: id }),
    }),
  );
  reading.memory = { ...reading.memory, items: withEntry(reading.memory.items, id, list.length, MAX_ITEMS) };
  for (const [index, task] of firstOf(list, MAX_ITEMS, '/item/workflow/tasks', reading.mended).entries())
    taskMoved(reading, `${id}/${index}`, task, `/item/workflow/tasks/${index}`, isDone, { item_id: id, task_index: index }, id);
  return undefined;
}

/** One task. `isOver` where what holds it is done. */
function taskMoved(
  reading: Reading,
  id: string,
  task: unknown,
  path: string,
  isOver: boolean,
  ids: Readonly<Record<string, unknown>>,
  parent?: string,
): void {
  if (!isObject(task)) return addIssue(reading.mended, path, 'type', 'must be a task and was left out.');
  const { type, title, title_query: query, content, status_indicator: word, icon } = task;
  const state = word === undefined ? 'pending' : typeof word === 'string' ? INDICATORS[word] : undefined;
  if (state === undefined) unknownWord(reading.mended, `${path}/status_indicator`, Object.keys(INDICATORS));
  const known = state ?? 'pending';
  reading.events.push(
    operationEvent(reading.context, reading.context.run, id, {
      state: isOver && !isFinal(known) ? 'interrupted' : known,
      kind: 'task',
      title: shortText(title) ?? shortText(query),
      message: lastLine(content),
      parent: parent ?? reading.context.parent,
      native: nativeOf(NAME, word, { ...ids, type, icon }),
    }),
  );
  return undefined;
}

function clientCalled(reading: Reading, id: string, item: Item): void {
  const { call_id: call, name, status } = item;
  const state = typeof status === 'string' ? CLIENT_CALLS[status] : undefined;
  if (state === undefined) unknownWord(reading.mended, '/item/status', Object.keys(CLIENT_CALLS));
  const tool = shortText(name, LIMITS.word);
  reading.events.push(
    operationEvent(reading.context, reading.context.run, typeof call === 'string' ? call : id, {
      state: state ?? 'pending',
      reason: state === 'waiting' ? 'client_call' : null,
      kind: 'tool',
      tool: tool === undefined ? undefined : { name: tool, origin: 'client' },
      native: nativeOf(NAME, status, { item_id: id, call_id: call }),
    }),
  );
}

function asked(reading: Reading, id: string, { status, inputs }: Item): void {
  const state = typeof status === 'string' ? QUESTIONS[status] : undefined;
  if (state === undefined) unknownWord(reading.mended, '/item/status', Object.keys(QUESTIONS));
  const first: unknown = Array.isArray(inputs) ? inputs[0] : undefined;
  const prompt = isObject(first) ? shortText(first['question'], LIMITS.message) : undefined;
  reading.events.push(
    operationEvent(reading.context, reading.context.run, id, {
      state: state ?? 'pending',
      kind: 'request',
      blockedOn: state === 'blocked' ? { kind: 'question', requestId: id, ...present({ prompt }) } : undefined,
      native: nativeOf(NAME, status, { item_id: id }),
    }),
  );
}

function imageMoved(reading: Reading, id: string, isDone: boolean, progress: unknown): void {
  const isUsable = progress === undefined || progress === null || isNumber(progress, 0, 1);
  if (!isUsable) addIssue(reading.mended, '/update/progress', 'range', 'must be 0 to 1 and was left out.');
  reading.events.push(
    operationEvent(reading.context, reading.context.run, id, {
      state: isDone ? 'completed' : 'running',
      kind: 'image',
      fraction: typeof progress === 'number' && isUsable ? progress : undefined,
      native: nativeOf(NAME, isDone ? 'done' : undefined, { item_id: id }),
    }),
  );
}
