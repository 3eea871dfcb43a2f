import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import { inputTitle, operationEvent, shortText } from '../agent-stream.ts';
import { entryOf, withEntry, withoutEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { heldOperation } from '../held.ts';
import { callEnded } from './calls.ts';
import { MAX_REMEMBERED, NAME, runOf, stretchEnds } from './memory.ts';
import type { Reading } from './memory.ts';

/** `control_request` for the use of a tool blocks its call until the `control_response`, or until it is taken back. */
export function controlAsked(reading: Reading, frame: Record<string, unknown>): void {
  const { request_id: requestId, request } = frame;
  if (!isObject(request) || request['subtype'] !== 'can_use_tool' || typeof requestId !== 'string') return;
  const { tool_use_id: id, tool_name: name, input } = request;
  if (typeof id !== 'string') return;
  const { context, memory, events } = reading;
  const run = (entryOf(memory.calls, id) ?? heldOperation(context, NAME, id))?.run ?? runOf(reading);
  const prompt = shortText([name, inputTitle(input)].filter((each) => typeof each === 'string').join(': '), LIMITS.message);
  stretchEnds(reading, 'requires_action');
  events.push(operationEvent(context, run, id, { state: 'blocked', blockedOn: { kind: 'permission', requestId, ...present({ prompt }) } }));
  reading.memory = { ...reading.memory, requests: withEntry(memory.requests, requestId, { call: id, run }, MAX_REMEMBERED) };
}

/** The answer, or the end of the question. */
export function controlAnswered(reading: Reading, frame: Record<string, unknown>): void {
  const response = isObject(frame['response']) ? frame['response'] : frame;
  const requestId = response['request_id'];
  const request = typeof requestId === 'string' ? entryOf(reading.memory.requests, requestId) : undefined;
  if (request === undefined || typeof requestId !== 'string') return;
  reading.memory = { ...reading.memory, requests: withoutEntry(reading.memory.requests, requestId) };
  const answer = isObject(response['response']) ? response['response'] : {};
  if (answer['behavior'] === 'deny')
    callEnded(reading, request.call, { state: 'denied', text: shortText(answer['message'], LIMITS.message) ?? 'denied' });
  else reading.events.push(operationEvent(reading.context, request.run, request.call, { state: 'running' }));
}
