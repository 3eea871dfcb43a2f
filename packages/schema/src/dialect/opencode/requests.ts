import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationState } from '../../wire/states.ts';
import { operationEvent, shortText } from '../agent-stream.ts';
import { entryOf, hasEntry, withEntry, withoutEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { MAX_REMEMBERED, NAME, parentOf, runOf } from './memory.ts';
import type { OpenCodeMemory, Reading } from './memory.ts';

/** True while a person is asked about this call. */
export function isAsked({ requests }: OpenCodeMemory, operation: string): boolean {
  return requests?.some(([, request]) => request.operation === operation) === true;
}

/** A request blocks the call it is about; one about no call is an operation of its own, named by the request. */
export function asked(reading: Reading, properties: Record<string, unknown>, kind: 'permission' | 'question'): OpenCodeMemory | undefined {
  const { id, sessionID, tool, source } = properties;
  if (typeof id !== 'string') return undefined;
  const cause = isObject(tool) ? tool : isObject(source) ? source : {};
  const call = typeof cause['callID'] === 'string' ? cause['callID'] : undefined;
  const operation = call ?? id;
  const { context, memory, events } = reading;
  const run = hasEntry(memory.calls, operation) ? entryOf(memory.calls, operation) : runOf(reading);
  events.push(
    operationEvent(context, run, operation, {
      state: 'blocked',
      blockedOn: { kind, requestId: id, ...present({ prompt: promptOf(properties) }) },
      kind: call === undefined ? 'request' : undefined,
      parent: parentOf(reading, sessionID),
      native: nativeOf(NAME, undefined, { requestID: id, callID: call, sessionID }),
    }),
  );
  return { ...memory, requests: withEntry(memory.requests, id, { operation, run, own: call === undefined }, MAX_REMEMBERED) };
}

/** What is asked: the question, or what is to be allowed and for what. */
function promptOf({ questions, permission, patterns, action, resources }: Record<string, unknown>): string | undefined {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  if (isObject(first)) return shortText(first['question'], LIMITS.message);
  const what = shortText(permission ?? action, LIMITS.word);
  const scope: unknown = Array.isArray(patterns) ? patterns : resources;
  const list = Array.isArray(scope) ? scope.slice(0, 20).filter((each) => typeof each === 'string') : [];
  return shortText(list.length === 0 ? what : `${what ?? ''}: ${list.join(', ')}`, LIMITS.message);
}

/** The answer. Allowed or answered, the call goes on; a request that was an operation of its own is over. */
export function answered(reading: Reading, { requestID }: Record<string, unknown>, state: OperationState): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  const request = typeof requestID === 'string' ? entryOf(memory.requests, requestID) : undefined;
  if (request === undefined || typeof requestID !== 'string') return undefined;
  events.push(operationEvent(context, request.run, request.operation, { state: request.own && state === 'running' ? 'completed' : state }));
  return { ...memory, requests: withoutEntry(memory.requests, requestID) };
}
