/**
 * MCP tasks as the extension `io.modelcontextprotocol/tasks` of revision 2026-07-28: `{taskId, status, statusMessage?,
 * createdAt, lastUpdatedAt, ttlMs, pollIntervalMs?}`, with `inputRequests` beside `input_required`, `result` beside
 * `completed` and `error` beside `failed`.
 *
 * In: `notifications/tasks`; the results of `tools/call` (`resultType: "task"`) and `tasks/get`; the request `tasks/cancel`.
 * With the JSON-RPC envelope or without. The task's id is the operation's id. `completed` with `result.isError` is our
 * `failed` (`tool_error`); `failed` is a fault of the protocol (`protocol_error`). What is asked decides whom it waits on: an
 * elicitation with an address to open is `auth`, one that can only be accepted or declined (nothing to fill in, or one yes or
 * no) is `permission`, any other is a `question`; requests that none but the host's machine answers (`sampling/createMessage`,
 * `roots/list`) are our `waiting`. A `statusMessage` that has not changed is not read as belonging to the new status. The
 * requests, spans and foreign spellings of times are kept in `ext` and given back; a result is no progress and is not kept.
 *
 * Out: `notifications/tasks`, the task whole each time, with our event in `params._meta` under `sitrep/event` where the frame
 * does not say it all. Progress notifications are forbidden here, so amounts travel in that place only.
 *
 * Lost on the way out to a peer that does not know the key: pending, waiting and paused (working; paused in the text); denied
 * and interrupted (failed, with the word in the text); what is asked for and by whom, unless it came from the peer (no request
 * is made up: `inputRequests` is empty); the content of a result; amounts, units, kinds, tools, parents, usage, attempts,
 * sequence, run, error codes that are no numbers, reasons. Cards, runs, sessions and clears have no notification.
 */
import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';
import type { DecodeContext, Decoded, Dialect, SessionView } from './dialect.ts';
import { finishAll } from './finish.ts';
import { guarded } from './guarded.ts';
import { askedOf, isAsked } from './mcp-tasks/asked-of.ts';
import { bodyOf, isTaskId, refused } from './mcp-tasks/body.ts';
import { resultEnd } from './mcp-tasks/result.ts';
import type { TaskMemory } from './mcp-tasks/said.ts';
import { cancelRequest, meaning, readTask, slotTask, taskFields, wholeTask, withSlot, wordFor } from './mcp-tasks/task.ts';
import type { ReadTask, TaskFields, WholeTask } from './mcp-tasks/task.ts';
import { nativeState } from './native.ts';
import { readText } from './reading.ts';

/** The parameters of the notification. */
export interface McpTask2026Params extends TaskFields {
  readonly status: string;
  /** Milliseconds the task is kept after it was created; null for ever. */
  readonly ttlMs: number | null;
  /** Milliseconds between two polls. */
  readonly pollIntervalMs?: number;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The notification. */
export interface McpTask2026Frame {
  readonly jsonrpc: '2.0';
  readonly method: 'notifications/tasks';
  readonly params: McpTask2026Params;
}

const NAME = 'mcp-tasks-2026';
const METHOD = 'notifications/tasks';
const KEPT = ['ttlMs', 'pollIntervalMs', 'inputRequests'];
/** JSON-RPC's word for a fault nobody named. */
const INTERNAL_ERROR = -32_603;

type Members = Readonly<Record<string, unknown>>;

function decode(frame: unknown, context: DecodeContext, memory?: TaskMemory): Decoded<TaskMemory> {
  const body = bodyOf(frame);
  if (body === undefined) return refused('', 'must be a notification, a request or a result of MCP tasks.');
  const { value, path, method } = body;
  if (!isTaskId(value['taskId'])) return refused(`${path}/taskId`, `must be text of 1 to ${LIMITS.id} characters.`);
  if (method === 'tasks/cancel') return finishAll([cancelRequest(NAME, value['taskId'], context)], []);
  if (method !== undefined && method !== METHOD) return refused(path, `must be the parameters of ${METHOD}.`);
  const mended: Issue[] = [];
  const whole = slotTask({ dialect: NAME, task: value, taskId: value['taskId'], path, context, memory, mended }, wordOf);
  if (whole !== undefined) return finishAll([whole.event], mended, whole.memory);
  if (typeof value['status'] !== 'string') return refused(`${path}/status`, 'must be the status of a task, as text.');
  const { event, memory: after } = readOne(value, value['taskId'], path, context, memory, mended);
  return finishAll([event], mended, after);
}

function readOne(
  task: Members,
  taskId: string,
  path: string,
  context: DecodeContext,
  memory: TaskMemory | undefined,
  mended: Issue[],
): ReadTask {
  const { result, error } = task;
  return readTask({
    dialect: NAME,
    task,
    taskId,
    path,
    context,
    memory,
    mended,
    kept: KEPT,
    more(words) {
      switch (task['status']) {
        case 'input_required':
          return askedOf(task['inputRequests'], words, `${path}/inputRequests`, mended);
        case 'completed':
          return isObject(result) ? resultEnd(result) : {};
        case 'failed':
          return { reason: 'protocol_error', ...faultOf(error, words, `${path}/error`, mended) };
        default:
          return {};
      }
    },
  });
}

function faultOf(error: unknown, words: string | undefined, path: string, mended: Issue[]): Pick<OperationEvent, 'error' | 'message'> {
  const { message, code } = isObject(error) ? error : {};
  const text = readText(message, LIMITS.message, `${path}/message`, mended) ?? words;
  if (text === undefined) return {};
  return {
    ...(words === undefined ? undefined : { message: words }),
    error: { message: text, ...(Number.isSafeInteger(code) ? { code: String(code) } : undefined) },
  };
}

function isToolError({ state, reason }: Pick<OperationEvent, 'state' | 'reason'>): boolean {
  return state === 'failed' && reason === 'tool_error';
}

/** The peer's words mean more than one of our states: a request may be for a machine, and a result may be an error. */
function wordOf(event: OperationEvent): string {
  const { state = 'pending', native } = event;
  if (isToolError(event)) return 'completed';
  if (state === 'waiting' && native?.protocol === NAME && native.state === 'input_required') return native.state;
  const word = nativeState(event, NAME, meaning);
  return word ?? wordFor(state);
}

/** What must stand beside the word. */
function besideWord(word: string, { event, state, record, kept }: WholeTask): Partial<McpTask2026Params> {
  const error = event.error === undefined && record?.state === state ? record.error : event.error;
  switch (word) {
    case 'input_required':
      return { inputRequests: isObject(kept['inputRequests']) ? kept['inputRequests'] : {} };
    case 'completed':
      if (state !== 'failed') return { result: { content: [] } };
      return { result: { content: error?.message === undefined ? [] : [{ type: 'text', text: error.message }], isError: true } };
    case 'failed':
      return { error: { code: codeOf(error?.code), message: error?.message ?? wordsFor(state) } };
    default:
      return {};
  }
}

function codeOf(code: string | undefined): number {
  const number = code !== undefined && /^-?\d{1,15}$/.test(code) ? Number(code) : Number.NaN;
  return Number.isSafeInteger(number) ? number : INTERNAL_ERROR;
}

function wordsFor(state: OperationState): string {
  return `The task ended as ${state}.`;
}

function encodeOperation(event: OperationEvent, before: SessionView | undefined): McpTask2026Frame {
  const whole = wholeTask(event, before);
  const { ttlMs, pollIntervalMs } = whole.kept;
  const reason = event.reason === undefined && event.state === undefined ? whole.record?.reason : event.reason;
  const word = wordOf({ ...event, state: whole.state, reason: reason ?? null });
  const bare: McpTask2026Params = {
    ...taskFields(NAME, whole, (text) => whole.state === 'failed' || isAsked(whole.kept['inputRequests'], text)),
    status: word,
    ttlMs: typeof ttlMs === 'number' ? ttlMs : null,
    ...(typeof pollIntervalMs === 'number' ? { pollIntervalMs } : undefined),
    ...besideWord(word, whole),
  };
  const { session, at } = event;
  const read = readOne(bare as unknown as Members, bare.taskId, '', { session, at }, undefined, []);
  return { jsonrpc: '2.0', method: METHOD, params: withSlot(bare, event, read.event) };
}

function detect(frame: unknown): boolean {
  const body = bodyOf(frame);
  if (body === undefined || !isTaskId(body.value['taskId']) || typeof body.value['status'] !== 'string') return false;
  if (body.method !== undefined) return body.method === METHOD;
  return body.value['resultType'] === 'task' || (body.value['ttlMs'] !== undefined && typeof body.value['createdAt'] === 'string');
}

/** The dialect of the MCP tasks extension, revision 2026-07-28. */
export const mcpTasks2026: Dialect<McpTask2026Frame, DecodeContext, TaskMemory> = guarded({
  name: NAME,
  whole: ['operation'],
  detect,
  decode,
  encode: (event, before) => (event.type === 'operation' ? [encodeOperation(event, before)] : []),
});
