import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { RunState } from '../../wire/states.ts';
import { begun, inputTitle, operationEvent, over, runEvent, sessionEvent, shortText, turnEnd } from '../agent-stream.ts';
import { entryOf, withEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { heldStretch } from '../held.ts';
import { nativeOf } from '../native.ts';
import { wordTable } from '../word-table.ts';
import { callBegan, callEnded } from './calls.ts';
import type { CallEnd } from './calls.ts';
import { isListTool, keptInput, listCalled, taskCreated } from './list.ts';
import { MAX_REMEMBERED, NAME, runOf, stretchBegins, stretchEnds, stretchesEnd } from './memory.ts';
import type { Reading } from './memory.ts';
import { tasksOver } from './tasks.ts';

/** The inputs of hooks. Each is a process of its own and says which prompt it belongs to: that is the run. */

type Input = Record<string, unknown>;
type Reader = (reading: Reading, input: Input) => void;

const READERS = wordTable<Reader>({
  SessionStart: sessionBegins,
  SessionEnd: sessionOver,
  UserPromptSubmit: promptSubmitted,
  PreToolUse: (reading, { tool_use_id: id, tool_name: name, tool_input: given, agent_id: agent }) => {
    if (typeof id === 'string') callBegan(reading, id, name, given, agent);
  },
  PostToolUse: (reading, input) => {
    const { tool_response: result } = input;
    // Of Codex, which has no hook of its own for what failed: an MCP server's answer says so itself.
    const isError = isObject(result) && result['isError'] === true;
    toolOver(reading, input, { state: isError ? 'failed' : 'completed', result });
  },
  PostToolUseFailure: (reading, input) =>
    toolOver(reading, input, {
      state: input['is_interrupt'] === true ? 'cancelled' : 'failed',
      text: shortText(input['error'], LIMITS.message),
    }),
  PermissionDenied: (reading, input) => toolOver(reading, input, { state: 'denied', text: shortText(input['reason'], LIMITS.message) }),
  PermissionRequest: permissionAsked,
  Notification: notified,
  Elicitation: (reading, input) => {
    const { elicitation_id: id, message, mcp_server_name: server } = input;
    const asked = {
      kind: 'request',
      title: shortText(server),
      blockedOn: { kind: 'question' as const, ...present({ prompt: shortText(message, LIMITS.message) }) },
    };
    stretchBegins(reading, typeof id === 'string' ? id : 'elicitation', 'blocked', asked);
  },
  ElicitationResult: (reading, { elicitation_id: id, action }) =>
    stretchEnds(
      reading,
      typeof id === 'string' ? id : 'elicitation',
      action === 'accept' ? 'completed' : action === 'decline' ? 'denied' : 'cancelled',
    ),
  PreCompact: (reading) => stretchBegins(reading, 'compacting', 'running', { kind: 'compaction' }),
  PostCompact: (reading) => stretchEnds(reading, 'compacting'),
  SubagentStart: (reading, input) => agentMoved(reading, input, 'running'),
  SubagentStop: (reading, input) => agentMoved(reading, input, 'completed'),
  TaskCreated: (reading, { task_id: id, task_subject: subject }) => taskCreated(reading, id, subject),
  TaskCompleted: (reading, { task_id: id, task_subject: subject }) => taskCreated(reading, id, subject, 'completed'),
  Stop: (reading) => turnOver(reading, 'completed', {}),
  // Of Codex: a person stopped the turn.
  Interrupt: (reading) => turnOver(reading, 'cancelled', {}),
  StopFailure: (reading, { error, error_details: details }) => {
    const reason = shortText(error, LIMITS.word);
    turnOver(reading, 'failed', { message: shortText(details, LIMITS.message) ?? reason, code: reason, reason });
  },
});

/** Reads the input of one hook. */
export function decodeHook(reading: Reading, input: Input): void {
  // The prompt is the turn, also for what was started by an earlier process. Codex, whose hooks are given the same, says turn.
  const prompt = input['prompt_id'] ?? input['turn_id'];
  if (isText(prompt, 1, LIMITS.id) && prompt !== reading.memory.run) reading.memory = { ...reading.memory, run: prompt };
  READERS[input['hook_event_name'] as string]?.(reading, input);
}

/**
 * A program begins, or takes a session up again: agents of an earlier one have ended unseen. Its prompt is ended by the next
 * one alone, since a hook that nobody waits for may be told of later than the prompt that came after it.
 */
function sessionBegins(reading: Reading, input: Input): void {
  const { source } = input;
  if (source === 'startup' || source === 'resume') tasksOver(reading, input['session_id']);
  titled(reading, input);
}

function titled({ context, events }: Reading, input: Input): void {
  const title = shortText(input['session_title']);
  if (title !== undefined) events.push(sessionEvent(context, { title }));
}

function promptSubmitted(reading: Reading, input: Input): void {
  titled(reading, input);
  const { context, events } = reading;
  if (typeof (input['prompt_id'] ?? input['turn_id']) !== 'string')
    reading.memory = { ...reading.memory, run: `${shortText(input['session_id'], LIMITS.word) ?? ''}/${context.at}` };
  const { run } = reading.memory;
  promptLost(reading, run);
  events.push(runEvent(context, context.run ?? (run as string), 'running'));
  reading.memory = { ...reading.memory, prompt: run };
}

/** What comes after a prompt belongs to it, so the one before is over. Stopped by a person, it had no hook that says so. */
function promptLost(reading: Reading, next?: string, reason?: string): void {
  const { prompt } = reading.memory;
  if (prompt === undefined || prompt === next) return;
  stretchesEnd(reading, 'interrupted', prompt);
  if (reading.context.run === undefined) reading.events.push(runEvent(reading.context, prompt, 'interrupted', { reason }));
  reading.memory = { ...reading.memory, prompt: undefined };
}

function turnOver(reading: Reading, state: RunState, more: Parameters<typeof turnEnd>[3]): void {
  const run = runOf(reading);
  // What a person was asked is over with the turn, and how it was answered nobody said.
  stretchesEnd(reading, 'interrupted');
  if (run !== undefined) reading.events.push(...turnEnd(reading.context, run, state, more));
  const { run: turn, prompt } = reading.memory;
  reading.memory = { ...reading.memory, run: undefined, prompt: prompt === turn ? undefined : prompt };
}

/** The program is gone, and all that was its own with it. */
function sessionOver(reading: Reading, input: Input): void {
  const reason = shortText(input['reason'], LIMITS.word);
  turnOver(reading, 'interrupted', { reason });
  promptLost(reading, undefined, reason);
  tasksOver(reading, input['session_id']);
}

/** The tool is over: so is a wait for the permission to use it just so. */
function toolOver(reading: Reading, input: Input, end: CallEnd): void {
  const { tool_use_id: id, tool_name: name, tool_input: given, agent_id: agent } = input;
  permissionsOver(reading, aboutOf(input), typeof agent === 'string' ? agent : undefined);
  if (typeof id !== 'string') return;
  if (isListTool(name)) {
    // All that is needed is in this one input, also where nothing is remembered of the call.
    if (end.state === 'completed' && typeof agent !== 'string') listCalled(reading, name, keptInput(given), end.result);
    return;
  }
  // Each hook says all there is to say of its call, also where the hook before it was not heard.
  if (entryOf(reading.memory.calls, id) === undefined) callBegan(reading, id, name, given, agent);
  callEnded(reading, id, end);
}

const PERMISSION = 'permission/';

/** What a permission is asked for: the tool and all the texts it is given. Deeper members are not needed to tell two apart. */
function aboutOf({ tool_name: name, tool_input: given }: Input): string {
  const texts = isObject(given) ? Object.values(given).filter((each) => typeof each === 'string') : [];
  return JSON.stringify([typeof name === 'string' ? name : '', ...texts.slice(0, 20)]).slice(0, 1000);
}

/** `PermissionRequest` does not name the call: the wait is an operation of its own, one for each agent at a time. */
function permissionAsked(reading: Reading, input: Input): void {
  const { tool_name: name, tool_input: given, agent_id: agent } = input;
  const prompt = shortText([name, inputTitle(given)].filter((each) => typeof each === 'string').join(': '), LIMITS.message);
  blockedOnPermission(reading, agent, prompt, aboutOf(input));
}

function blockedOnPermission(reading: Reading, agent: unknown, prompt: string | undefined, about: string | undefined): void {
  const owner = typeof agent === 'string' ? agent : undefined;
  const members = { kind: 'request', parent: owner, blockedOn: { kind: 'permission' as const, ...present({ prompt }) } };
  stretchBegins(reading, `${PERMISSION}${owner ?? 'session'}`, 'blocked', members, about);
}

/** Ends the waits for just this permission. One that does not say what for ends with any. */
function permissionsOver(reading: Reading, about: string, owner: string | undefined): void {
  for (const [name, stretch] of reading.memory.stretches ?? []) {
    if (!name.startsWith(PERMISSION) || !stretch.open) continue;
    if (stretch.about === undefined || stretch.about === about) stretchEnds(reading, name);
  }
  // One that was asked before this reader began: what for is not known, so it ends with any.
  const own = `${PERMISSION}${owner ?? 'session'}`;
  if (entryOf(reading.memory.stretches, own) === undefined) stretchEnds(reading, own);
}

/** `Notification`: of those only a prompt for a permission says that something waits, and only if the request did not. */
function notified(reading: Reading, { notification_type: type, message, agent_id: agent }: Input): void {
  if (type !== 'permission_prompt') return;
  const isKnown = (reading.memory.stretches ?? []).some(([name, { open }]) => open && name.startsWith(PERMISSION));
  if (!isKnown) blockedOnPermission(reading, agent, shortText(message, LIMITS.message), undefined);
}

/** An agent that is started again is a new attempt. It may outlive the prompt it was started by. */
function agentMoved(reading: Reading, input: Input, state: 'running' | 'completed'): void {
  const { agent_id: id, agent_type: type } = input;
  if (typeof id !== 'string') return;
  const held = entryOf(reading.memory.tasks, id) ?? heldStretch(reading.context, id, undefined);
  const next = state === 'running' ? begun(held) : { attempt: held?.attempt ?? 1, open: true };
  reading.events.push(
    operationEvent(reading.context, undefined, id, {
      ...(next.attempt === 1 ? undefined : { attempt: next.attempt }),
      state,
      kind: 'subagent',
      title: shortText(type),
      native: nativeOf(NAME, undefined, { agent_id: id }),
    }),
  );
  const task = { ...(state === 'running' ? next : over(next)), background: true };
  reading.memory = { ...reading.memory, tasks: withEntry(reading.memory.tasks, id, task, MAX_REMEMBERED) };
}
