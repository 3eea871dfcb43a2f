import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { firstOf, operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { entryOf, hasEntry, withEntry } from '../entries.ts';
import { timeOfMs } from '../foreign-time.ts';
import { heldOperations, stretchOf } from '../held.ts';
import { nativeOf } from '../native.ts';
import { wordTable } from '../word-table.ts';
import { MAX_REMEMBERED, NAME } from './memory.ts';
import type { Reading, Task } from './memory.ts';

/**
 * Subagents, shells and other tasks. They may outlive the turn they were started in, so they belong to no run. A task that
 * is run again keeps its id and is a new attempt; runs of one task sort as text, and a frame of an older one is late.
 */

const STATES = wordTable<OperationState>({
  pending: 'pending',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  killed: 'cancelled',
  stopped: 'cancelled',
});

const KINDS = wordTable<string>({ local_agent: 'subagent', local_bash: 'command', local_workflow: 'workflow' });

/** Reason of a task that is not there any more, and of whose end nothing was said. */
const GONE = 'gone';

type Frame = Readonly<Record<string, unknown>>;
type Members = { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] | undefined };

function stateOf(reading: Reading, word: unknown, path: string): OperationState | undefined {
  if (word === undefined) return undefined;
  const state = typeof word === 'string' ? STATES[word] : undefined;
  if (state === undefined) unknownWord(reading.mended, path, Object.keys(STATES));
  return state ?? 'pending';
}

/** Says something of a task. False when the frame is of an older run of it. */
function told(reading: Reading, frame: Frame, state: OperationState | undefined, members: Members, background?: boolean): void {
  const { task_id: id, run_id: runId, tool_use_id: call, parent_task_id: parentTask } = frame;
  if (typeof id !== 'string') return addIssue(reading.mended, '/task_id', 'type', 'must be text and was left out.');
  const held = entryOf(reading.memory.tasks, id) ?? taskHeld(reading, id);
  const named = isText(runId, 1, LIMITS.id) ? runId : undefined;
  if (held?.runId !== undefined && named !== undefined && named < held.runId)
    return addIssue(reading.mended, '/run_id', 'conflict', 'is of an older run of the task and was left out.');
  const isNewer = held?.runId !== undefined && named !== undefined && named > held.runId;
  const attempt = (held?.attempt ?? 1) + (isNewer ? 1 : 0);
  const isOver = state !== undefined ? isFinal(state) : !isNewer && held?.open === false;
  const task: Task = { runId: named ?? held?.runId, attempt, open: !isOver, background: background ?? held?.background ?? false };
  reading.memory = { ...reading.memory, tasks: withEntry(reading.memory.tasks, id, task, MAX_REMEMBERED) };
  const isGone = members.reason === GONE;
  const parent = typeof call === 'string' ? call : typeof parentTask === 'string' ? parentTask : undefined;
  reading.events.push(
    operationEvent(reading.context, undefined, id, {
      ...(attempt === 1 ? undefined : { attempt }),
      state,
      parent: parent ?? (held === undefined ? reading.context.parent : undefined),
      ...members,
      // Nobody said anything of one that is gone.
      native: isGone ? undefined : nativeOf(NAME, members.native?.state, { task_id: id, run_id: runId, tool_use_id: call }),
    }),
  );
  return undefined;
}

/** A task as the session holds it. Whether it is in the background is not known; as it may be, no turn ends it. */
function taskHeld({ context }: Reading, id: string): Task | undefined {
  const operation = context.held?.find(id);
  if (operation?.native?.protocol !== NAME) return undefined;
  const runId = operation.native.ids?.['run_id'];
  return { ...stretchOf(operation), background: true, ...(typeof runId === 'string' ? { runId } : undefined) };
}

function naming(frame: Frame): Members {
  const { task_type: type, description, ambient } = frame;
  const kind = typeof type === 'string' ? (KINDS[type] ?? shortText(type, LIMITS.word)) : undefined;
  return { kind, title: shortText(description), ambient: ambient === true ? true : undefined };
}

/** `task_started`. */
export function taskStarted(reading: Reading, frame: Frame): void {
  told(reading, frame, 'running', naming(frame), frame['is_backgrounded'] === true);
}

/** `task_progress`: what it does now and what it has used. */
export function taskProgressed(reading: Reading, frame: Frame): void {
  const { summary, last_tool_name: tool } = frame;
  const message = shortText(summary, LIMITS.message) ?? shortText(tool, LIMITS.message);
  told(reading, frame, 'running', { title: shortText(frame['description']), message, usage: usageOf(frame) });
}

function usageOf({ usage }: Frame): OperationEvent['usage'] | undefined {
  const tokens = isObject(usage) ? usage['total_tokens'] : undefined;
  return typeof tokens === 'number' && tokens >= 0 ? { tokens } : undefined;
}

/** `task_updated`: what changed. */
export function taskUpdated(reading: Reading, frame: Frame): void {
  const patch = isObject(frame['patch']) ? frame['patch'] : {};
  const { status, description, end_time: endTime, error, is_backgrounded: background } = patch;
  const state = stateOf(reading, status, '/patch/status');
  const message = shortText(error, LIMITS.message);
  told(
    reading,
    frame,
    state,
    {
      title: shortText(description),
      endedAt: state !== undefined && isFinal(state) ? timeOfMs(endTime) : undefined,
      error: message === undefined ? undefined : { message },
      native: nativeOf(NAME, status, {}),
    },
    typeof background === 'boolean' ? background : undefined,
  );
}

/** `task_notification`: how it ended. */
export function taskEnded(reading: Reading, frame: Frame): void {
  const { status, reason, summary } = frame;
  const state = stateOf(reading, status ?? '', '/status');
  const message = shortText(summary, LIMITS.message);
  told(reading, frame, state, {
    message,
    reason: shortText(reason, LIMITS.word),
    error: state === 'failed' && message !== undefined ? { message } : undefined,
    usage: usageOf(frame),
    native: nativeOf(NAME, status, {}),
  });
}

/**
 * `background_tasks_changed`: all that is in the background now. What was there and is not, without a word of how it ended,
 * has ended without an outcome.
 */
export function backgroundChanged(reading: Reading, frame: Frame): void {
  const { tasks } = frame;
  if (!Array.isArray(tasks)) return addIssue(reading.mended, '/tasks', 'type', 'must be a list and was left out.');
  const set = firstOf(tasks, MAX_REMEMBERED, '/tasks', reading.mended).filter(isObject);
  const ids = new Set(set.map((task) => task['task_id']));
  for (const [id, task] of reading.memory.tasks ?? []) if (task.background && task.open && !ids.has(id)) lost(reading, id);
  for (const task of set) {
    const held = typeof task['task_id'] === 'string' ? entryOf(reading.memory.tasks, task['task_id']) : undefined;
    // Told of its end before the set was: nothing begins again.
    if (held?.open === false && (task['run_id'] === undefined || task['run_id'] === held.runId)) continue;
    told(reading, task, 'running', naming(task), true);
  }
  return undefined;
}

/** The turn is over: a task that held it up cannot still be running. */
export function foregroundOver(reading: Reading): void {
  for (const [id, task] of reading.memory.tasks ?? []) if (!task.background && task.open) lost(reading, id);
}

/**
 * The program that held them is gone: none of its tasks is running, in the background or not. Those begun before this reader
 * are found in the session where it is named after the program's own, and so no one else's.
 */
export function tasksOver(reading: Reading, session: unknown): void {
  for (const [id, task] of reading.memory.tasks ?? []) if (task.open) lost(reading, id);
  const { context } = reading;
  if (session !== context.session) return;
  for (const { id, run, state, native } of heldOperations(context, NAME)) {
    const isTask = native?.ids?.['agent_id'] === id || native?.ids?.['task_id'] === id;
    if (typeof id === 'string' && isTask && run === undefined && !isFinal(state) && !hasEntry(reading.memory.tasks, id)) lost(reading, id);
  }
}

function lost(reading: Reading, id: string): void {
  told(reading, { task_id: id }, 'interrupted', { reason: GONE });
}
