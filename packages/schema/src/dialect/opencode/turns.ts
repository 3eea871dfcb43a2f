import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { begun, operationEvent, over, runEvent, shortText, turnEnd } from '../agent-stream.ts';
import { present } from '../finish.ts';
import { timeOfMs } from '../foreign-time.ts';
import { nativeOf } from '../native.ts';
import { childChanged } from './children.ts';
import { NAME, runOf } from './memory.ts';
import type { OpenCodeMemory, Reading } from './memory.ts';

/** `session.status`: busy, retry, idle. */
export function statusChanged(reading: Reading, properties: Record<string, unknown>): OpenCodeMemory | undefined {
  const { status, sessionID } = properties;
  if (!isObject(status)) return undefined;
  const isMain = sessionID === reading.memory.main;
  switch (status['type']) {
    case 'busy':
      return isMain ? busy(reading) : childChanged(reading, sessionID as string, 'running', {});
    case 'retry':
      return isMain ? retrying(started(reading), reading, status) : childChanged(reading, sessionID as string, 'waiting', waitOf(status));
    case 'idle':
      return idle(reading, properties);
    default:
      return undefined;
  }
}

/** Work goes on: a turn has begun, or a wait is over. */
function busy(reading: Reading): OpenCodeMemory | undefined {
  if (reading.memory.run !== undefined) return reading.memory.retry?.open === true ? retried(reading, 'completed') : undefined;
  return started(reading);
}

function started({ context, memory, events }: Reading): OpenCodeMemory {
  if (memory.run !== undefined) return memory;
  const run = memory.next ?? `${memory.main}/${context.at}`;
  events.push(runEvent(context, context.run ?? run, 'running'));
  return { ...memory, run };
}

function retrying(memory: OpenCodeMemory, { context, events }: Reading, status: Record<string, unknown>): OpenCodeMemory {
  const retry = begun(memory.retry);
  events.push(
    operationEvent(context, context.run ?? memory.run, `${memory.main}/retry`, {
      ...(retry.attempt === 1 ? undefined : { attempt: retry.attempt }),
      kind: 'retry',
      ...waitOf(status),
      state: 'waiting',
      native: nativeOf(NAME, 'retry', { sessionID: memory.main, attempt: status['attempt'] }),
    }),
  );
  return { ...memory, retry };
}

function waitOf({ message, next }: Record<string, unknown>): Pick<OperationEvent, 'waitingOn' | 'reason'> {
  return { reason: 'retry', waitingOn: present({ text: shortText(message, LIMITS.message), until: timeOfMs(next) }) };
}

function retried(reading: Reading, state: 'completed' | 'cancelled'): OpenCodeMemory {
  const { context, memory, events } = reading;
  const { retry } = memory;
  if (retry?.open !== true) return memory;
  events.push(
    operationEvent(context, runOf(reading), `${memory.main}/retry`, {
      ...(retry.attempt === 1 ? undefined : { attempt: retry.attempt }),
      state,
    }),
  );
  return { ...memory, retry: over(retry) };
}

/** `session.idle`, also as a status: the turn is over, if one was under way. */
export function idle(reading: Reading, { sessionID }: Record<string, unknown>): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  if (sessionID !== memory.main) return childChanged(reading, sessionID as string, 'completed', {});
  if (memory.run === undefined) return undefined;
  const after = retried(reading, 'completed');
  events.push(runEvent(context, context.run ?? memory.run, 'completed'));
  return ended(after);
}

function ended(memory: OpenCodeMemory): OpenCodeMemory {
  const { run, next } = memory;
  const last = run !== undefined && next !== undefined && next > run ? next : run;
  return { ...memory, run: undefined, next: undefined, last };
}

/** `session.error`: an aborted turn is cancelled, any other has failed and says why. */
export function failed(reading: Reading, properties: Record<string, unknown>): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  const { sessionID, error } = properties;
  const code = isObject(error) ? shortText(error['name'], LIMITS.word) : undefined;
  const data = isObject(error) && isObject(error['data']) ? error['data'] : {};
  const message = shortText(data['message'], LIMITS.message) ?? code;
  const state = code === 'MessageAbortedError' ? 'cancelled' : 'failed';
  if (typeof sessionID === 'string' && sessionID !== memory.main)
    return childChanged(reading, sessionID, state, {
      error: state === 'failed' && message !== undefined ? { message, ...present({ code }) } : undefined,
    });
  if (memory.run === undefined) return undefined;
  const after = retried(reading, 'cancelled');
  events.push(...turnEnd(context, context.run ?? memory.run, state, { message, code, reason: code }));
  return ended(after);
}
