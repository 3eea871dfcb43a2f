import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BlockedKind } from '../../wire/states.ts';
import { inputTitle, operationEvent, shortText } from '../agent-stream.ts';
import { entryOf, withEntry, withoutEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { heldOperation } from '../held.ts';
import { asks, callBegan, callEnded, questionOf } from './calls.ts';
import { isListTool } from './list.ts';
import { MAX_REMEMBERED, NAME, runOf, stretchEnds } from './memory.ts';
import type { Reading, Request } from './memory.ts';

/**
 * `control_request` for the use of a tool blocks its call until the `control_response`, or until it is taken back. One for a
 * tool that writes the list, which is no operation, and one that an MCP server asks for are operations of their own.
 */
export function controlAsked(reading: Reading, frame: Record<string, unknown>): void {
  const { request_id: requestId, request } = frame;
  if (!isObject(request) || typeof requestId !== 'string') return;
  const { subtype, tool_use_id: id, tool_name: name, input, message, mcp_server_name: server } = request;
  const run = runOf(reading);
  if (subtype === 'elicitation') {
    const prompt = shortText(message, LIMITS.message);
    asked(reading, requestId, { call: requestId, run, own: true }, { kind: 'question', prompt, title: shortText(server) });
  } else if (subtype === 'can_use_tool' && typeof id === 'string') {
    const isQuestion = asks(name);
    const about = [name, inputTitle(input)].filter((each) => typeof each === 'string').join(': ');
    const prompt = isQuestion ? questionOf(input) : shortText(about, LIMITS.message);
    if (isListTool(name)) return asked(reading, requestId, { call: requestId, run, own: true }, { kind: 'permission', prompt });
    const { context, memory } = reading;
    const call = entryOf(memory.calls, id) ?? heldOperation(context, NAME, id);
    // Calls inside of subagents are not always in the stream.
    if (call === undefined) callBegan(reading, id, name, input, undefined);
    const kind = isQuestion ? 'question' : 'permission';
    asked(reading, requestId, { call: id, run: call === undefined ? run : call.run, own: false }, { kind, prompt });
  }
}

function asked(
  reading: Reading,
  requestId: string,
  request: Request,
  { kind, prompt, title }: { readonly kind: BlockedKind; readonly prompt: string | undefined; readonly title?: string | undefined },
): void {
  stretchEnds(reading, 'requires_action');
  const { context, events } = reading;
  const own = request.own ? { kind: 'request', title } : undefined;
  const blockedOn = { kind, requestId, ...present({ prompt }) };
  events.push(operationEvent(context, request.run, request.call, { state: 'blocked', ...own, blockedOn }));
  reading.memory = { ...reading.memory, requests: withEntry(reading.memory.requests, requestId, request, MAX_REMEMBERED) };
}

/** The answer, or the end of the question. */
export function controlAnswered(reading: Reading, frame: Record<string, unknown>): void {
  const response = isObject(frame['response']) ? frame['response'] : frame;
  const requestId = response['request_id'];
  const request = typeof requestId === 'string' ? entryOf(reading.memory.requests, requestId) : undefined;
  if (request === undefined || typeof requestId !== 'string') return;
  reading.memory = { ...reading.memory, requests: withoutEntry(reading.memory.requests, requestId) };
  const isAnswer = frame['type'] === 'control_response' && response['subtype'] !== 'error';
  const { behavior, action, message } = isObject(response['response']) ? response['response'] : ({} as Record<string, unknown>);
  const isRefused = behavior === 'deny' || action === 'decline';
  if (request.own) {
    const state = isRefused ? 'denied' : !isAnswer || action === 'cancel' ? 'cancelled' : 'completed';
    reading.events.push(operationEvent(reading.context, request.run, request.call, { state }));
  } else if (isRefused) callEnded(reading, request.call, { state: 'denied', text: shortText(message, LIMITS.message) ?? 'denied' });
  else reading.events.push(operationEvent(reading.context, request.run, request.call, { state: 'running' }));
}
