import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import { inputTitle, lastLine, operationEvent, shortText } from '../agent-stream.ts';
import { entryOf, withEntry, withoutEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { timeAfter } from '../foreign-time.ts';
import { heldOperation } from '../held.ts';
import { nativeOf } from '../native.ts';
import { isListTool, keptInput, listCalled } from './list.ts';
import { MAX_LISTS, MAX_REMEMBERED, NAME, runOf } from './memory.ts';
import type { Reading } from './memory.ts';

/** Calls of tools, in messages and in hooks alike: named by their own id, part of the call or agent they happen in. */

/** A tool by the name the model knows it by; those of MCP servers are written `mcp__server__tool`. */
export function toolOf(name: unknown): OperationEvent['tool'] | undefined {
  const text = shortText(name, LIMITS.word);
  if (text === undefined) return undefined;
  const mcp = /^mcp__(.+?)__(.+)$/.exec(text);
  return mcp === null ? { name: text, origin: 'native' } : { name: mcp[2] as string, origin: 'mcp', server: mcp[1] as string };
}

/** A call begins. `parent` is the call or agent it is made in. */
export function callBegan(reading: Reading, id: string, name: unknown, input: unknown, parent: unknown, startedAt?: number): void {
  const { context, memory, events } = reading;
  if (isListTool(name)) return listBegan(reading, id, name, input, parent);
  const run = runOf(reading);
  reading.memory = { ...memory, calls: withEntry(memory.calls, id, { run }, MAX_REMEMBERED) };
  events.push(
    operationEvent(context, run, id, {
      ...(asks(name)
        ? { state: 'blocked', blockedOn: { kind: 'question', ...present({ prompt: questionOf(input) }) } }
        : { state: 'running' }),
      kind: 'tool',
      tool: toolOf(name),
      title: inputTitle(input),
      parent: typeof parent === 'string' ? parent : context.parent,
      startedAt,
      native: nativeOf(NAME, undefined, { tool_use_id: id }),
    }),
  );
  return undefined;
}

/** True for the tool whose work is a person's answer. */
export function asks(name: unknown): boolean {
  return name === 'AskUserQuestion';
}

/** What that tool asks. */
export function questionOf(input: unknown): string | undefined {
  const questions = isObject(input) ? input['questions'] : undefined;
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return isObject(first) ? shortText(first['question'], LIMITS.message) : undefined;
}

/** A list written by a subagent is its own, and not the session's. */
function listBegan(reading: Reading, id: string, name: string, input: unknown, parent: unknown): void {
  if (!isText(id, 1, LIMITS.id)) return addIssue(reading.mended, '/id', 'too_long', `must be text of 1 to ${LIMITS.id} characters.`);
  const { memory } = reading;
  const call = typeof parent === 'string' ? { name: '', input: {} } : { name, input: keptInput(input) };
  reading.memory = { ...memory, calls: memory.calls ?? [], lists: withEntry(memory.lists, id, call, MAX_LISTS) };
  return undefined;
}

/** How a call ended. */
export interface CallEnd {
  readonly state: OperationState;
  readonly text?: string | undefined;
  readonly reason?: string | undefined;
  /** The structured answer. */
  readonly result?: unknown;
}

/** A call ends. One that nobody began in this stream is dropped and noted, unless nothing is known of the stream. */
export function callEnded(reading: Reading, id: string, { state, text, reason, result }: CallEnd): void {
  const { context, memory } = reading;
  const list = entryOf(memory.lists, id);
  if (list !== undefined) {
    // Once: what is said of it again is said of nothing.
    reading.memory = { ...memory, lists: withoutEntry(memory.lists, id) };
    if (state === 'completed') listCalled(reading, list.name, list.input, result, text);
    return undefined;
  }
  const call = entryOf(memory.calls, id);
  const held = call === undefined ? heldOperation(context, NAME, id) : undefined;
  if (call === undefined && held === undefined && (memory.calls !== undefined || context.held !== undefined))
    return addIssue(reading.mended, '/tool_use_id', 'conflict', 'must be a call that was begun before and was left out.');
  reading.events.push(
    operationEvent(context, call === undefined ? (held === undefined ? runOf(reading) : held.run) : call.run, id, {
      state,
      reason,
      error: state === 'failed' || state === 'denied' ? { message: shortText(text, LIMITS.message) ?? 'error' } : undefined,
    }),
  );
  return undefined;
}

/** `tool_progress`: a sign of life, the time it has taken, and what a subagent waits for. Never an amount. */
export function callLives(reading: Reading, frame: Record<string, unknown>): void {
  const { tool_use_id: id, tool_name: name, elapsed_time_seconds: elapsed, parent_tool_use_id: parent, subagent_retry: retry } = frame;
  const { context, memory, events } = reading;
  if (typeof id !== 'string' || isListTool(name)) return;
  const call = entryOf(memory.calls, id) ?? heldOperation(context, NAME, id);
  const isRetry = isObject(retry);
  events.push(
    operationEvent(context, call === undefined ? runOf(reading) : call.run, id, {
      // A sign of life of a question is no answer.
      state: isRetry ? 'waiting' : asks(name) ? 'blocked' : 'running',
      reason: isRetry ? 'retry' : undefined,
      waitingOn: isRetry ? { ...textOf(retry['error_category']), ...untilOf(timeAfter(context.at, retry['retry_delay_ms'])) } : undefined,
      tool: toolOf(name),
      parent: typeof parent === 'string' ? parent : context.parent,
      // When the call began is known better from the call itself.
      startedAt: call === undefined && typeof elapsed === 'number' ? timeAfter(context.at, -elapsed * 1000) : undefined,
    }),
  );
}

function textOf(value: unknown): { text?: string } {
  const text = shortText(value, LIMITS.message);
  return text === undefined ? {} : { text };
}

function untilOf(until: number | undefined): { until?: number } {
  return until === undefined ? {} : { until };
}

/** The text of an answer: its first block of text, in one line. */
export function answerText(content: unknown): string | undefined {
  if (typeof content === 'string') return lastLine(content);
  const block: unknown = Array.isArray(content) ? content.find((each) => isObject(each) && typeof each['text'] === 'string') : undefined;
  return isObject(block) ? lastLine(block['text']) : undefined;
}
