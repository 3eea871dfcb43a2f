/** What both revisions of MCP tasks have in common: the five words, the texts, the times, and the place of our event. */
import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import { jsonFault } from '../../check/json-size.ts';
import { truncate } from '../../check/text/truncate.ts';
import { LIMITS } from '../../wire/limits.ts';
import { isFinal } from '../../wire/states.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import type { DecodeContext, SessionView } from '../dialect.ts';
import { placed, present } from '../finish.ts';
import { timeOfIso } from '../foreign-time.ts';
import { MCP_EVENT_KEY, slotEvent } from '../mcp-slot.ts';
import { nativeId, nativeOf } from '../native.ts';
import { readIsoTime, readText } from '../reading.ts';
import { sameEvent } from '../same-event.ts';
import { detailText } from '../text-out.ts';
import { isNews, remember } from './said.ts';
import type { TaskMemory } from './said.ts';

/** Key in `ext` of what a task says that is no progress and has to be given back. */
export const TASKS_KEY = 'io.modelcontextprotocol/tasks';

/** JSON characters of what is kept of one frame; the rest of `ext` is for others. */
const KEPT = LIMITS.ext / 2;

export const TASK_WORDS = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

const STATES: Readonly<Record<string, OperationState>> = Object.freeze({
  __proto__: null,
  working: 'running',
  input_required: 'blocked',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}) as never;

const WORDS_OUT: Readonly<Record<OperationState, string>> = {
  pending: 'working',
  running: 'working',
  waiting: 'working',
  blocked: 'input_required',
  paused: 'working',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  denied: 'failed',
  interrupted: 'failed',
};

/** Our state for a word; one nobody knows is `pending`, with the word kept. */
export function meaning(word: unknown): OperationState {
  return (typeof word === 'string' ? STATES[word] : undefined) ?? 'pending';
}

/** The word for our state. */
export function wordFor(state: OperationState): string {
  return WORDS_OUT[state];
}

/** A task as it was read: the event, and what its next frame is to be read with. */
export interface ReadTask {
  readonly event: OperationEvent;
  readonly memory: TaskMemory;
}

/** What a revision adds to the common reading. `words` are the text of the frame, unless they are old. */
export type ReadMore = (words: string | undefined) => Partial<OperationEvent>;

/** One frame of a task, and what is known around it. */
export interface Frame {
  readonly dialect: string;
  readonly task: Readonly<Record<string, unknown>>;
  readonly taskId: string;
  readonly path: string;
  readonly context: DecodeContext;
  readonly memory: TaskMemory | undefined;
  readonly mended: Issue[];
}

interface Reading extends Frame {
  /** Members to give back as they came. */
  readonly kept: readonly string[];
  readonly more: ReadMore;
}

/** Reads the fields both revisions have. */
export function readTask({ dialect, task, taskId, path, context, memory, mended, kept, more }: Reading): ReadTask {
  const { status } = task;
  const state = meaning(status);
  if (state === 'pending') addIssue(mended, `${path}/status`, 'enum', `must be one of ${TASK_WORDS.join(', ')} and was read as pending.`);
  const text = readText(task['statusMessage'], LIMITS.message, `${path}/statusMessage`, mended);
  const words = text !== undefined && isNews(memory, taskId, text) ? text : undefined;
  const startedAt = readIsoTime(task['createdAt'], `${path}/createdAt`, mended);
  const updatedAt = readIsoTime(task['lastUpdatedAt'], `${path}/lastUpdatedAt`, mended);
  const own = more(words);
  const says = state === 'running' || state === 'pending' || state === 'completed' || state === 'cancelled';
  return {
    event: {
      ...placed(context, taskId),
      at: updatedAt ?? context.at,
      state,
      kind: 'task',
      ...present({
        message: says ? words : undefined,
        startedAt,
        endedAt: isFinal(state) ? updatedAt : undefined,
        ext: extOf(task, kept, startedAt, updatedAt, path, mended),
      }),
      ...own,
      native: nativeOf(dialect, status, { taskId }),
    },
    memory: after(memory, taskId, text),
  };
}

/** What the frame says that is no progress: written back with the next frame of the task. */
function extOf(
  task: Readonly<Record<string, unknown>>,
  names: readonly string[],
  startedAt: number | undefined,
  updatedAt: number | undefined,
  path: string,
  mended: Issue[],
): OperationEvent['ext'] | undefined {
  const kept: Record<string, unknown> = {};
  for (const name of names) if (task[name] !== undefined && task[name] !== null) kept[name] = task[name];
  if (startedAt !== undefined && task['createdAt'] !== isoOf(startedAt)) kept['createdAt'] = task['createdAt'];
  if (updatedAt !== undefined && task['lastUpdatedAt'] !== isoOf(updatedAt)) kept['lastUpdatedAt'] = task['lastUpdatedAt'];
  if (Object.keys(kept).length === 0) return undefined;
  if (jsonFault(kept, KEPT) === undefined) return { [TASKS_KEY]: kept };
  addIssue(mended, path, 'too_long', `holds more than ${KEPT} characters beside its progress; they were left out.`);
  return undefined;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/** A task by our event from the slot, where that is about this task and in a state this word is written for. */
export function slotTask(
  { dialect, task, taskId, path, context, memory, mended }: Frame,
  wordOf: (event: OperationEvent) => string,
): ReadTask | undefined {
  const event = slotEvent(
    task,
    path,
    context,
    mended,
    (each) => taskIdOf(each, dialect) === taskId && (each.state === undefined || wordOf(each) === task['status']),
  );
  if (event === undefined) return undefined;
  const text = readText(task['statusMessage'], LIMITS.message, path, []);
  // Words that were taken back are new when they are said again.
  return { event, memory: after(memory, taskId, text ?? (takesBack(event) ? '' : undefined)) };
}

function takesBack({ message, blockedOn, waitingOn, error }: OperationEvent): boolean {
  return [message, blockedOn?.prompt, waitingOn?.text, error?.message].some((text) => text === null || text === '');
}

/** What was said last is known wherever it was read from: a frame without the slot may say it again. */
function after(memory: TaskMemory | undefined, taskId: string, text: string | undefined): TaskMemory {
  return text === undefined ? (memory ?? { said: [] }) : remember(memory, taskId, text);
}

/** The id the peer knows the task by. */
export function taskIdOf(event: OperationEvent, dialect: string): string {
  return String(nativeId(event, dialect, 'taskId') ?? event.id);
}

/** An event with what is known of its operation: a task is told whole each time. */
export interface WholeTask {
  readonly event: OperationEvent;
  readonly state: OperationState;
  readonly record: Operation | undefined;
  /** What the peer's frame said that is no progress. */
  readonly kept: Readonly<Record<string, unknown>>;
}

/** The event beside the record it changes. */
export function wholeTask(event: OperationEvent, before: SessionView | undefined): WholeTask {
  const record = before?.find(event.id, event.run);
  const kept = (event.ext === undefined ? record?.ext : event.ext)?.[TASKS_KEY];
  return { event, record, state: event.state ?? record?.state ?? 'pending', kept: isObject(kept) ? kept : {} };
}

/** The fields every frame of a task has. */
export interface TaskFields {
  readonly taskId: string;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
}

/**
 * Writes the fields both revisions have. `isTold`: true for a prompt or an error that another member of the frame holds, so
 * that it need not stand here too.
 */
export function taskFields(dialect: string, whole: WholeTask, isTold: (text: string) => boolean = () => false): TaskFields {
  const { event, record, kept } = whole;
  return {
    taskId: taskIdOf(event, dialect),
    ...present({ statusMessage: statusText(whole, isTold) }),
    createdAt: timeText(event.startedAt ?? record?.startedAt ?? event.at, kept['createdAt']),
    lastUpdatedAt: timeText(event.at, kept['lastUpdatedAt']),
  };
}

/** The peer's own spelling, as long as it says the same time. */
function timeText(time: number, spelled: unknown): string {
  return typeof spelled === 'string' && timeOfIso(spelled) === time ? spelled : isoOf(time);
}

/** One text for the state the task is in. What was said in an earlier state is not said again. */
function statusText({ event, state, record }: WholeTask, isTold: (text: string) => boolean): string | undefined {
  const same = record?.state === state ? record : undefined;
  const { blockedOn, waitingOn, error } = { ...same, ...event };
  const asked = state === 'blocked' ? blockedOn?.prompt : state === 'waiting' ? waitingOn?.text : error?.message;
  const message = event.message === undefined ? same?.message : event.message;
  const said = asked === undefined || isTold(asked) ? (message ?? null) : asked;
  // Without the parts `detailText` would look at by itself.
  const text = detailText({ type: event.type, session: event.session, id: event.id, at: event.at, state, message: said }, [
    'blocked',
    'completed',
    'failed',
    'cancelled',
  ]);
  const title = event.activeTitle ?? event.title ?? record?.activeTitle ?? record?.title;
  if (text !== '') return text;
  return title === undefined ? undefined : truncate(title, LIMITS.message);
}

/** The slot, unless what reads `bare` has the very event without it. */
export function withSlot<Params extends object>(bare: Params, event: OperationEvent, read: OperationEvent | undefined): Params {
  if (read !== undefined && sameEvent(read, event)) return bare;
  return { ...bare, _meta: { [MCP_EVENT_KEY]: event } };
}

/** A request to cancel a task: it may still finish. */
export function cancelRequest(dialect: string, taskId: string, context: DecodeContext): OperationEvent {
  return { ...placed(context, taskId), cancelRequested: true, native: nativeOf(dialect, undefined, { taskId }) };
}
