import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { BlockedKind } from '../../wire/states.ts';
import { begun, operationEvent, shortText } from '../agent-stream.ts';
import { entryOf, withEntry, withoutEntry } from '../entries.ts';
import { nativeOf } from '../native.ts';
import { MAX_REMEMBERED, NAME, parentOf, runOf } from './memory.ts';
import type { CodexMemory, Reading } from './memory.ts';
import { wordTable } from '../word-table.ts';

/** What the app-server asks of a person, by method. */
const ASKING = wordTable<BlockedKind>({
  'item/commandExecution/requestApproval': 'permission',
  'item/fileChange/requestApproval': 'permission',
  'item/permissions/requestApproval': 'permission',
  'item/tool/requestUserInput': 'question',
  'mcpServer/elicitation/request': 'question',
});

/** True for a request that a person answers. */
export function isAsking(method: string): boolean {
  return ASKING[method] !== undefined;
}

/** A request blocks the item it names; one about no item is an operation of its own, named by the request. */
export function askedOf(
  reading: Reading,
  frame: Record<string, unknown>,
  method: string,
  params: Record<string, unknown>,
): CodexMemory | undefined {
  const { id } = frame;
  const kind = ASKING[method];
  if ((typeof id !== 'string' && typeof id !== 'number') || kind === undefined) return undefined;
  const requestId = String(id);
  const item = typeof params['itemId'] === 'string' ? params['itemId'] : undefined;
  const run = runOf(reading, params);
  const operation = item ?? `request/${requestId}`;
  const { context, memory, events } = reading;
  events.push(
    operationEvent(context, run, operation, {
      state: 'blocked',
      blockedOn: { kind, ...promptOf(params), requestId },
      ...(item === undefined ? { kind: 'request', title: shortText(params['serverName']) } : undefined),
      parent: parentOf(reading, params['threadId']) ?? context.parent,
      native: nativeOf(NAME, undefined, { requestId: id, itemId: item }),
    }),
  );
  const requests = withEntry(memory.requests, JSON.stringify(id), { item: operation, run, own: item === undefined }, MAX_REMEMBERED);
  // The flag of the thread comes before the request: now it is known what is waited for.
  return { ...memory, requests, wait: answered(reading) };
}

function promptOf({ reason, command, message, questions }: Record<string, unknown>): { prompt?: string } {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  const prompt = [reason, command, message, isObject(first) ? first['question'] : undefined]
    .map((text) => shortText(text, LIMITS.message))
    .find((text) => text !== undefined);
  return prompt === undefined ? {} : { prompt };
}

/** `serverRequest/resolved`: the item goes on, whatever was answered; how it went on is said by the item itself. */
export function resolved({ context, memory, events }: Reading, { requestId }: Record<string, unknown>): CodexMemory | undefined {
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return undefined;
  const key = JSON.stringify(requestId);
  const request = entryOf(memory.requests, key);
  if (request === undefined) return undefined;
  events.push(operationEvent(context, request.run, request.item, { state: request.own ? 'completed' : 'running' }));
  return { ...memory, requests: withoutEntry(memory.requests, key) };
}

/**
 * `thread/status/changed`. Its flags say that a person is waited for without saying what for: that wait is an operation of
 * its own, named by the thread, unless the request itself is in the stream.
 */
export function flagsChanged(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  const { context, memory, events } = reading;
  const { status, threadId } = params;
  if (!isObject(status) || typeof threadId !== 'string') return undefined;
  const flags = Array.isArray(status['activeFlags']) ? status['activeFlags'] : [];
  const flag = ['waitingOnApproval', 'waitingOnUserInput'].find((each) => flags.includes(each));
  const { wait } = memory;
  if (flag === undefined) return wait?.open === true ? { ...memory, wait: answered(reading) } : undefined;
  if (memory.requests !== undefined && memory.requests.length > 0) return undefined;
  const run = wait?.open === true ? wait.run : (context.run ?? memory.turn);
  // A wait in another turn is another operation, which begins with its first attempt.
  const next = begun(wait?.run === run ? wait : undefined);
  events.push(
    operationEvent(context, run, threadId, {
      ...attempt(next.attempt),
      state: 'blocked',
      kind: 'request',
      blockedOn: { kind: flag === 'waitingOnApproval' ? 'permission' : 'question' },
      native: nativeOf(NAME, flag, { threadId }),
    }),
  );
  return { ...memory, wait: { ...next, run, thread: threadId } };
}

/** Ends the wait that flags announced, if it is open. */
function answered({ context, memory: { wait }, events }: Reading): CodexMemory['wait'] {
  if (wait?.open !== true) return wait;
  events.push(operationEvent(context, wait.run, wait.thread, { ...attempt(wait.attempt), state: 'completed' }));
  return { ...wait, open: false };
}

function attempt(number: number): { attempt?: number } {
  return number === 1 ? {} : { attempt: number };
}
