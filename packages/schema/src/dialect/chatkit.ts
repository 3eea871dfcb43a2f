/**
 * ChatKit: the events of its thread stream. Workflows become operations that hold their tasks, each named by the item and its
 * place in it; single tasks, generated images, questions (`structured_input`) and tools of the client become operations named
 * by the item or call; the title of the thread becomes the session's.
 *
 * In: `none`, `loading` and `complete` are pending, running and completed. There is no word for a failure, and a workflow that
 * is done says nothing of tasks that are not, so those are interrupted. `progress_update`, whose like of the same name at
 * other peers is something else, is a line without a name that is gone after the turn: one operation, cleared when the answer
 * or the end of the turn comes, a new attempt each time. A tool of the client is a wait on a machine. `generated_image.updated`
 * has a fraction. Messages, widgets, notices and effects yield no event.
 *
 * Out: an operation becomes a workflow of its own with one task, so that it is known again whatever else comes and goes; a
 * plan becomes a workflow of one task for each step, replaced whole, the note its last task. The ids of these items hold ours,
 * so that they are read again as what they were. What was read of a task or a line goes back as it came.
 *
 * Lost on the way out: failures, cancellations and refusals have no word and stand as text of a task that is not complete,
 * where only a reader of our ids finds them; what is waited for, blocked or paused is loading, with the word in the text, and
 * what a person is asked for is no longer told apart; amounts, which become text; nesting, kinds, tools, times, usage, attempts
 * and sequence. Runs and sessions have no event that could carry them alone.
 */
import { isObject } from '../check/guards.ts';
import { LIMITS } from '../wire/limits.ts';
import { begun, operationEvent, over, sessionEvent, shortText, turnEnd } from './agent-stream.ts';
import { encodeCard, encodeOperation, removed } from './chatkit/encode.ts';
import type { ChatKitFrame } from './chatkit/encode.ts';
import { itemMoved, itemUpdated } from './chatkit/items.ts';
import { LINE, MAX_ITEMS, NAME } from './chatkit/memory.ts';
import type { ChatKitMemory, Reading } from './chatkit/memory.ts';
import { CARD_ITEM, operationOfItem, ownCard } from './chatkit/own.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { entryOf, withoutEntry } from './entries.ts';
import { finishAll, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { heldStretch } from './held.ts';
import { nativeOf } from './native.ts';
import { wordTable } from './word-table.ts';

export type { ChatKitFrame } from './chatkit/encode.ts';

type Reader = (reading: Reading, frame: Record<string, unknown>) => void;

const READERS = wordTable<Reader>({
  progress_update: lineShown,
  'thread.created': titled,
  'thread.updated': titled,
  'thread.item.added': (reading, { item }) => itemMoved(reading, item, 'added'),
  'thread.item.replaced': (reading, { item }) => itemMoved(reading, item, 'replaced'),
  'thread.item.done': (reading, { item }) => {
    if (isObject(item) && (item['type'] === 'assistant_message' || item['type'] === 'end_of_turn')) lineGone(reading);
    itemMoved(reading, item, 'done');
  },
  'thread.item.updated': (reading, { item_id: id, update }) => itemUpdated(reading, id, update),
  'thread.item.removed': itemRemoved,
  error: failed,
  notice: () => undefined,
  stream_options: () => undefined,
});

function decode(frame: unknown, context: DecodeContext, memory: ChatKitMemory = {}): Decoded<ChatKitMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be an event of the thread stream.');
  const { type } = frame;
  if (typeof type !== 'string') return refuse('/type', type === undefined ? 'required' : 'type', 'must be text.');
  const reading: Reading = { context, memory, events: [], mended: [] };
  READERS[type]?.(reading, frame);
  return finishAll<ChatKitMemory>(reading.events, reading.mended, reading.memory === memory ? undefined : reading.memory);
}

function lineShown(reading: Reading, { text, icon }: Record<string, unknown>): void {
  const line = begun(reading.memory.line ?? heldStretch(reading.context, LINE, reading.context.run));
  reading.events.push(
    operationEvent(reading.context, reading.context.run, LINE, {
      ...(line.attempt === 1 ? undefined : { attempt: line.attempt }),
      state: 'running',
      kind: 'status',
      message: shortText(text, LIMITS.message) ?? '',
      native: nativeOf(NAME, LINE, { icon }),
    }),
  );
  reading.memory = { ...reading.memory, line };
}

/** The line is gone: it is not kept, and nothing that was done is said by it. */
function lineGone(reading: Reading): void {
  const line = reading.memory.line ?? heldStretch(reading.context, LINE, reading.context.run);
  if (line?.open !== true) return;
  cleared(reading, LINE);
  reading.memory = { ...reading.memory, line: over(line) };
}

function cleared({ context, events }: Reading, id: string): void {
  const { session, run, at } = context;
  events.push({ type: 'operation.clear', session, id, ...(run === undefined ? undefined : { run }), at });
}

function titled({ context, events }: Reading, { thread }: Record<string, unknown>): void {
  const title = isObject(thread) ? shortText(thread['title']) : undefined;
  if (title !== undefined) events.push(sessionEvent(context, { title }));
}

/** An item is taken off the thread, and so is what it held. */
function itemRemoved(reading: Reading, { item_id: id }: Record<string, unknown>): void {
  if (typeof id !== 'string') return;
  if (id === CARD_ITEM) return ownCard(reading, undefined);
  const own = operationOfItem(id);
  if (own !== undefined) {
    const { session, run, at } = reading.context;
    reading.events.push({ type: 'operation.clear', session, id: own.id, ...present({ run: own.run ?? run }), at });
    return;
  }
  const tasks = entryOf(reading.memory.items, id) ?? 0;
  cleared(reading, id);
  for (let index = 0; index < Math.min(tasks, MAX_ITEMS); index++) cleared(reading, `${id}/${index}`);
  reading.memory = { ...reading.memory, items: withoutEntry(reading.memory.items, id) };
}

/** `error`: the turn broke off. */
function failed(reading: Reading, { code, message }: Record<string, unknown>): void {
  lineGone(reading);
  const { context, events } = reading;
  const why = shortText(message, LIMITS.message) ?? shortText(code, LIMITS.word) ?? 'error';
  const word = shortText(code, LIMITS.word);
  if (context.run !== undefined) events.push(...turnEnd(context, context.run, 'failed', { message: why, code: word, reason: word }));
  // Without a run of the caller's there is none that could end; what went wrong is said all the same.
  else
    events.push(
      operationEvent(context, undefined, `error/${context.at}`, {
        state: 'failed',
        kind: 'turn',
        error: { message: why, ...present({ code: word }) },
      }),
    );
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame)) return false;
  const { type, item, update, thread } = frame;
  switch (type) {
    case 'progress_update':
      return typeof frame['text'] === 'string';
    case 'thread.created':
    case 'thread.updated':
      return isObject(thread) && typeof thread['id'] === 'string';
    case 'thread.item.added':
    case 'thread.item.replaced':
    case 'thread.item.done':
      return isObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string';
    case 'thread.item.updated':
      return typeof frame['item_id'] === 'string' && isObject(update);
    case 'thread.item.removed':
      return typeof frame['item_id'] === 'string';
    case 'error':
      return typeof frame['allow_retry'] === 'boolean';
    case 'notice':
      return typeof frame['level'] === 'string' && typeof frame['message'] === 'string';
    case 'stream_options':
      return isObject(frame['stream_options']);
    default:
      return false;
  }
}

/** The dialect of ChatKit's thread stream. */
export const chatKit: Dialect<ChatKitFrame> = guarded({
  name: NAME,
  whole: [],
  detect: isOwn,
  decode,
  encode: (event, before) => {
    switch (event.type) {
      case 'operation':
        return encodeOperation(event, before);
      case 'card':
        return encodeCard(event, before);
      case 'operation.clear':
        return removed(event, before);
      default:
        return [];
    }
  },
});
