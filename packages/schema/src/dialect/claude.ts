/**
 * Claude Code and its Agent SDK: the messages of a stream (`--output-format stream-json`, `query()`), and what its hooks are
 * given on standard input (`hook_event_name`). Tool calls become operations named by `tool_use_id`, inside a subagent part of
 * the call that started it; tasks become operations of their own that outlive the turn; the list of `TodoWrite` or of the Task
 * tools becomes the card; each turn becomes a run, named by the message or prompt that begins it.
 *
 * In: `tool_progress` is a sign of life with a time, never an amount and never a revision. The set of background tasks
 * replaces the one before: what is gone without a word is interrupted, not done. A prompt that the next one finds open,
 * because a person stopped it, is interrupted too. Several sessions may share one stream: their turns, calls and lists stay
 * apart, and the card shows the list written last. Of a task's runs the newest counts, by the order of their names as text;
 * what an older one says is left out and noted. A result without its call is left out and noted. `requires_action` blocks
 * without saying on what; a request (`control_request`, or the hook) says so, and so does a call of `AskUserQuestion`. Lists
 * of subagents, text, thinking and notices yield no event; the form `activeForm` of a step has no place in a card. What a
 * hook reports without an id (a permission, a compaction) is one operation, each time a new attempt. Hooks of Codex are
 * given the same, with a turn for the prompt, `update_plan` for the list, and a word of whether a tool failed only for those of MCP servers.
 * `native.protocol` is `claude` for them too: it names the words, by which what was begun is found again, and not the program.
 *
 * In only: a stream of Claude Code cannot be written to.
 */
import { isObject } from '../check/guards.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationState } from '../wire/states.ts';
import { operationEvent, shortText } from './agent-stream.ts';
import { answerText, callBegan, callEnded, callLives } from './claude/calls.ts';
import { decodeHook } from './claude/hooks.ts';
import { controlAnswered, controlAsked } from './claude/control.ts';
import { NAME, runOf, stretchBegins, stretchEnds } from './claude/memory.ts';
import type { Reading } from './claude/memory.ts';
import { isHook, memoryOf, recalled, sessionOf, withMemory } from './claude/sessions.ts';
import type { ClaudeStreams } from './claude/sessions.ts';
import { backgroundChanged, taskEnded, taskProgressed, taskStarted, taskUpdated } from './claude/tasks.ts';
import { turnBegins, turnInit, turnLost, turnResult } from './claude/turns.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { finishAll, present, refuse } from './finish.ts';
import { timeAfter } from './foreign-time.ts';
import { guarded } from './guarded.ts';
import { nativeOf } from './native.ts';
import { readIsoTime } from './reading.ts';
import { wordTable } from './word-table.ts';

/** A message of the stream, or the input of a hook. */
export type ClaudeFrame =
  { readonly type: string; readonly [member: string]: unknown } | { readonly hook_event_name: string; readonly [member: string]: unknown };

type Reader = (reading: Reading, frame: Record<string, unknown>) => void;

const TYPES = wordTable<Reader>({
  assistant: calls,
  user: answers,
  tool_progress: callLives,
  result: turnResult,
  auth_status: (reading, frame) =>
    frame['isAuthenticating'] === true
      ? stretchBegins(reading, 'auth', 'blocked', { kind: 'request', blockedOn: { kind: 'auth' } })
      : stretchEnds(reading, 'auth', frame['error'] === undefined ? 'completed' : 'failed'),
  control_request: controlAsked,
  control_response: controlAnswered,
  control_cancel_request: controlAnswered,
});

const SUBTYPES = wordTable<Reader>({
  init: (reading, { uuid, session_id: session }) => turnInit(reading, uuid ?? session),
  task_started: taskStarted,
  task_progress: taskProgressed,
  task_updated: taskUpdated,
  task_notification: taskEnded,
  background_tasks_changed: backgroundChanged,
  session_state_changed: stateChanged,
  permission_denied: (reading, frame) => {
    const { tool_use_id: id, message, decision_reason_type: reason } = frame;
    if (typeof id === 'string')
      callEnded(reading, id, { state: 'denied', text: shortText(message, LIMITS.message), reason: shortText(reason, LIMITS.word) });
  },
  status: statusChanged,
  api_retry: (reading, { error, retry_delay_ms: delay }) =>
    stretchBegins(reading, 'api_retry', 'waiting', {
      kind: 'retry',
      reason: 'retry',
      waitingOn: present({ text: shortText(error, LIMITS.message), until: timeAfter(reading.context.at, delay) }),
    }),
  hook_started: (reading, frame) => hookRan(reading, frame, 'running'),
  hook_progress: (reading, frame) => hookRan(reading, frame, 'running'),
  hook_response: (reading, frame) =>
    hookRan(reading, frame, frame['outcome'] === 'success' ? 'completed' : frame['outcome'] === 'cancelled' ? 'cancelled' : 'failed'),
});

function decode(frame: unknown, context: DecodeContext, given?: ClaudeStreams): Decoded<ClaudeStreams> {
  if (!isObject(frame)) return refuse('', 'type', 'must be a message with a type, or the input of a hook.');
  const streams = given ?? recalled(context, frame);
  const session = sessionOf(frame, streams);
  const memory = memoryOf(streams, session);
  const mended: Reading['mended'] = [];
  const at = readIsoTime(frame['timestamp'] ?? undefined, '/timestamp', mended);
  const reading: Reading = { context: at === undefined ? context : { ...context, at }, memory, events: [], mended };
  const { type, subtype } = frame;
  if (isHook(frame)) decodeHook(reading, frame);
  else if (typeof type !== 'string') return refuse('/type', type === undefined ? 'required' : 'type', 'must be text.');
  else if (type === 'system') (typeof subtype === 'string' ? SUBTYPES[subtype] : undefined)?.(reading, frame);
  else TYPES[type]?.(reading, frame);
  return finishAll<ClaudeStreams>(
    reading.events,
    mended,
    reading.memory === memory ? undefined : withMemory(streams, session, reading.memory),
  );
}

function blocksOf(frame: Record<string, unknown>): readonly Record<string, unknown>[] {
  const content = isObject(frame['message']) ? frame['message']['content'] : undefined;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** `assistant`: the calls in it. Whatever it says, a wait for the provider is over. */
function calls(reading: Reading, frame: Record<string, unknown>): void {
  const parent = frame['parent_tool_use_id'];
  if (typeof parent !== 'string') turnBegins(reading, frame['uuid']);
  stretchEnds(reading, 'api_retry');
  for (const block of blocksOf(frame)) {
    const { type, id, name, input } = block;
    if (typeof id === 'string' && (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use'))
      callBegan(reading, id, name, input, parent);
  }
}

/** `user`: the results of calls. */
function answers(reading: Reading, frame: Record<string, unknown>): void {
  for (const block of blocksOf(frame)) {
    const { type, tool_use_id: id, is_error: isError, content } = block;
    if (typeof id !== 'string' || typeof type !== 'string' || !type.endsWith('tool_result')) continue;
    callEnded(reading, id, {
      state: isError === true ? 'failed' : 'completed',
      text: answerText(content),
      result: frame['tool_use_result'],
    });
  }
}

/** `status`: a compaction, and how it ended. That a request is under way says nothing of it. */
function statusChanged(reading: Reading, { status, compact_result: result, compact_error: error }: Record<string, unknown>): void {
  if (status === 'compacting') return stretchBegins(reading, 'compacting', 'running', { kind: 'compaction' });
  if (result === 'failed') return stretchEnds(reading, 'compacting', 'failed', { message: shortText(error, LIMITS.message) ?? 'error' });
  if (status !== 'requesting' || result !== undefined) stretchEnds(reading, 'compacting');
}

function stateChanged(reading: Reading, { state, uuid }: Record<string, unknown>): void {
  if (state === 'requires_action') {
    // The request itself says more, where it is in the stream.
    if (reading.memory.requests === undefined || reading.memory.requests.length === 0)
      stretchBegins(reading, 'requires_action', 'blocked', { kind: 'request', blockedOn: { kind: 'other' } });
    return;
  }
  stretchEnds(reading, 'requires_action');
  if (state === 'running') turnBegins(reading, uuid);
  if (state === 'idle') turnLost(reading);
}

function hookRan(reading: Reading, frame: Record<string, unknown>, state: OperationState): void {
  const { hook_id: id, hook_name: name, outcome, stderr } = frame;
  if (typeof id !== 'string') return;
  const message = shortText(stderr, LIMITS.message);
  reading.events.push(
    operationEvent(reading.context, runOf(reading), id, {
      state,
      kind: 'hook',
      title: shortText(name),
      error: state === 'failed' ? { message: message ?? 'error' } : undefined,
      native: nativeOf(NAME, outcome, { hook_id: id }),
    }),
  );
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame)) return false;
  if (isHook(frame)) return true;
  const { type, subtype, session_id: session } = frame;
  if (type === 'control_request' || type === 'control_response') return isObject(frame['request']) || isObject(frame['response']);
  if (typeof session !== 'string' || typeof type !== 'string') return false;
  if (type !== 'system') return TYPES[type] !== undefined;
  return typeof subtype === 'string' && SUBTYPES[subtype] !== undefined;
}

/** The dialect of Claude Code and its Agent SDK. */
export const claude: Dialect<ClaudeFrame> = guarded({
  name: NAME,
  whole: [],
  only: 'in',
  detect: isOwn,
  decode,
  encode: () => [],
});
