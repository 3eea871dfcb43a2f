/**
 * MCP tasks of revision 2025-11-25: `{taskId, status, statusMessage?, createdAt, lastUpdatedAt, ttl, pollInterval?}`.
 *
 * In: `notifications/tasks/status`; results of `tools/call` (`{task}`), `tasks/get`, `tasks/cancel` (flat), `tasks/list`
 * (`{tasks}`, one event each) and `tasks/result` (the tool's own result, which names its task in `_meta` under
 * `io.modelcontextprotocol/related-task`; `isError` is `failed`, `tool_error`; other answers that name one say nothing); the request
 * `tasks/cancel`. With the
 * JSON-RPC envelope or without. The task's id is the operation's id. A `statusMessage` that has not changed is not read as
 * belonging to the new status. Spans and foreign spellings of times are kept in `ext` and given back.
 *
 * Out: `notifications/tasks/status`, the task whole each time, with our event in `params._meta` under `sitrep/event` where
 * the frame does not say it all.
 *
 * Lost on the way out to a peer that does not know the key: pending, waiting and paused (working; paused in the text);
 * denied and interrupted (failed, with the word in the text); what is asked for and by whom (only the prompt is left);
 * amounts, units, kinds, tools, parents, usage, attempts, sequence, run, error codes, reasons. Cards, runs, sessions and
 * clears have no notification.
 */
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { DecodeContext, Decoded, Dialect, SessionView } from './dialect.ts';
import { finishAll, placed } from './finish.ts';
import { guarded } from './guarded.ts';
import { bodyOf, isTaskId, refused } from './mcp-tasks/body.ts';
import { resultEnd } from './mcp-tasks/result.ts';
import type { TaskMemory } from './mcp-tasks/said.ts';
import { cancelRequest, readTask, slotTask, taskFields, wholeTask, withSlot, wordFor, meaning } from './mcp-tasks/task.ts';
import type { ReadTask, TaskFields } from './mcp-tasks/task.ts';
import { nativeOf, nativeState } from './native.ts';

/** The parameters of the notification. */
export interface McpTaskParams extends TaskFields {
  readonly status: string;
  /** Milliseconds the task is kept after it was created; null for ever. */
  readonly ttl: number | null;
  /** Milliseconds between two polls. */
  readonly pollInterval?: number;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The notification. */
export interface McpTaskFrame {
  readonly jsonrpc: '2.0';
  readonly method: 'notifications/tasks/status';
  readonly params: McpTaskParams;
}

const NAME = 'mcp-tasks';
const METHOD = 'notifications/tasks/status';
const RELATED = 'io.modelcontextprotocol/related-task';
const KEPT = ['ttl', 'pollInterval'];

type Members = Readonly<Record<string, unknown>>;

function decode(frame: unknown, context: DecodeContext, memory?: TaskMemory): Decoded<TaskMemory> {
  const body = bodyOf(frame);
  if (body === undefined) return refused('', 'must be a notification, a request or a result of MCP tasks.');
  const { value, path, method } = body;
  if (method !== undefined && method !== METHOD) {
    if (method !== 'tasks/cancel' || !isTaskId(value['taskId'])) return refused(path, `must be the parameters of ${METHOD}.`);
    return finishAll([cancelRequest(NAME, value['taskId'], context)], []);
  }
  const mended: Issue[] = [];
  if (Array.isArray(value['tasks'])) return list(value['tasks'], `${path}/tasks`, context, memory, mended);
  const related = value['taskId'] === undefined && value['task'] === undefined ? relatedTask(value) : undefined;
  if (related !== undefined) return finishAll(isToolResult(value) ? [ended(value, related, context)] : [], mended);
  const created = value['task'];
  // A result of tools/call has its `_meta` beside the task, not in it.
  const task = isObject(created) ? { ...created, _meta: value['_meta'] } : value;
  const at = isObject(created) ? `${path}/task` : path;
  if (!isTaskId(task['taskId'])) return refused(`${at}/taskId`, `must be text of 1 to ${LIMITS.id} characters.`);
  const read = readOne(task, task['taskId'], at, context, memory, mended);
  return read === undefined
    ? refused(`${at}/status`, 'must be the status of a task, as text.')
    : finishAll([read.event], mended, read.memory);
}

/** An answer to tasks/list: a task that cannot be read does not keep the others from being read. */
function list(
  tasks: readonly unknown[],
  path: string,
  context: DecodeContext,
  memory: TaskMemory | undefined,
  mended: Issue[],
): Decoded<TaskMemory> {
  const events: OperationEvent[] = [];
  let after = memory;
  for (const [index, task] of tasks.slice(0, LIMITS.operations).entries()) {
    const at = `${path}/${index}`;
    const read = isObject(task) && isTaskId(task['taskId']) ? readOne(task, task['taskId'], at, context, after, mended) : undefined;
    if (read === undefined) addIssue(mended, at, 'type', 'must be a task with taskId and status and was left out.');
    else {
      events.push(read.event);
      after = read.memory;
    }
  }
  if (tasks.length > LIMITS.operations)
    addIssue(mended, path, 'too_long', `must be at most ${LIMITS.operations} tasks; the rest was left out.`);
  return finishAll(events, mended, after);
}

function readOne(
  task: Members,
  taskId: string,
  path: string,
  context: DecodeContext,
  memory: TaskMemory | undefined,
  mended: Issue[],
): ReadTask | undefined {
  const { status } = task;
  if (typeof status !== 'string') return undefined;
  const frame = { dialect: NAME, task, taskId, path, context, memory, mended };
  const whole = slotTask(frame, wordOf);
  if (whole !== undefined) return whole;
  return readTask({
    ...frame,
    kept: KEPT,
    more(words) {
      if (status === 'input_required') return { blockedOn: { kind: 'question', ...(words === undefined ? undefined : { prompt: words }) } };
      return status === 'failed' && words !== undefined ? { error: { message: words } } : {};
    },
  });
}

/** The answer to tasks/result: the tool's own result, and so the end of the task. */
function ended(result: Members, taskId: string, context: DecodeContext): OperationEvent {
  return { ...placed(context, taskId), ...resultEnd(result), native: nativeOf(NAME, undefined, { taskId }) };
}

/** What a server asks in the course of a task is answered under the task's name too, and that ends nothing. */
function isToolResult({ content, structuredContent, role, action }: Members): boolean {
  return (Array.isArray(content) || isObject(structuredContent)) && role === undefined && action === undefined;
}

function relatedTask(result: Members): string | undefined {
  const meta = result['_meta'];
  const related = isObject(meta) ? meta[RELATED] : undefined;
  return isObject(related) && isTaskId(related['taskId']) ? related['taskId'] : undefined;
}

function wordOf(event: OperationEvent): string {
  return nativeState(event, NAME, meaning) ?? wordFor(event.state ?? 'pending');
}

function encodeOperation(event: OperationEvent, before: SessionView | undefined): McpTaskFrame {
  const whole = wholeTask(event, before);
  const { ttl, pollInterval } = whole.kept;
  const bare: McpTaskParams = {
    ...taskFields(NAME, whole),
    status: wordOf({ ...event, state: whole.state }),
    ttl: typeof ttl === 'number' ? ttl : null,
    ...(typeof pollInterval === 'number' ? { pollInterval } : undefined),
  };
  const { session, at } = event;
  const read = readOne(bare as unknown as Members, bare.taskId, '', { session, at }, undefined, []);
  return { jsonrpc: '2.0', method: METHOD, params: withSlot(bare, event, read?.event) };
}

function isTask(value: unknown): boolean {
  return (
    isObject(value) &&
    isTaskId(value['taskId']) &&
    typeof value['status'] === 'string' &&
    typeof value['createdAt'] === 'string' &&
    value['ttl'] !== undefined &&
    value['ttlMs'] === undefined &&
    value['resultType'] === undefined
  );
}

function detect(frame: unknown): boolean {
  const body = bodyOf(frame);
  if (body === undefined) return false;
  const { value, path, method } = body;
  if (method !== undefined) return method === METHOD && isTaskId(value['taskId']);
  if (Array.isArray(value['tasks'])) return value['tasks'].length > 0 && value['tasks'].every(isTask);
  return isTask(value['task'] ?? value) || (path === '/result' && relatedTask(value) !== undefined);
}

/** The dialect of MCP tasks, revision 2025-11-25. */
export const mcpTasks: Dialect<McpTaskFrame, DecodeContext, TaskMemory> = guarded({
  name: NAME,
  whole: ['operation'],
  detect,
  decode,
  encode: (event, before) => (event.type === 'operation' ? [encodeOperation(event, before)] : []),
});
