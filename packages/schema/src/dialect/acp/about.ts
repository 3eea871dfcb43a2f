import { isNumber, isObject, isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Usage } from '../../wire/parts.ts';
import type { SessionEvent } from '../../wire/session.ts';
import type { Decoded } from '../dialect.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { lastLine } from '../agent-stream.ts';
import { nativeOf } from '../native.ts';
import { readId, readText } from '../reading.ts';
import { callOf, withCall } from './memory.ts';
import type { AcpMemory } from './memory.ts';
import { callAfter, passOver, placeOf, remembered, wholeEvent } from './read-update.ts';
import type { Reading } from './read-update.ts';

/** What both versions say of the session itself, in the same words. */

/** The session's title; also where whole events travel that ACP has no words for. */
export function readSessionInfo({ body, path, context, memory }: Reading): Decoded<AcpMemory> {
  const mended: Issue[] = [];
  const { title } = body;
  const whole = wholeEvent({ body, path, context }, mended, (event) => title === (event.type === 'session' ? event.title : undefined));
  if (whole !== undefined) return finishAll([whole], mended, remembered(memory, whole));
  if (title === undefined) return passOver(mended);
  const text = title === null ? null : readText(title, LIMITS.title, `${path}/title`, mended);
  if (text === undefined) return passOver(mended);
  return finishAll([{ type: 'session', session: context.session, at: context.at, title: text }], mended);
}

/** How much of the window is used, and the cost so far. The window's size says nothing about progress. */
export function readUsage({ body, context }: Reading): Decoded<AcpMemory> {
  const { used, cost } = body;
  const usage: Usage = present({ tokens: isNumber(used, 0, Number.MAX_VALUE) ? used : undefined, cost: readCost(cost) });
  if (Object.keys(usage).length === 0) return passOver();
  const event: SessionEvent = { type: 'session', session: context.session, at: context.at, usage };
  return finishAll([event], []);
}

function readCost(cost: unknown): Usage['cost'] | undefined {
  if (!isObject(cost)) return undefined;
  const { amount, currency } = cost;
  return isNumber(amount, -Number.MAX_VALUE, Number.MAX_VALUE) && isText(currency, 1, 16) ? { amount, currency } : undefined;
}

/** A compaction of the context: work of the agent's own, which takes time and ends. */
export function readCompaction(reading: Reading): Decoded<AcpMemory> {
  const { body, path, sessionId, context, memory, words } = reading;
  const id = readId(body['compactionId']);
  if (typeof id !== 'string')
    return refuse(`${path}/compactionId`, 'required', 'must be text that names the compaction.') as Decoded<AcpMemory>;
  const mended: Issue[] = [];
  const { status, error } = body;
  const known = typeof status === 'string' && status !== 'pending' ? words.states[status] : undefined;
  const state = known ?? (status === 'cancelled' ? 'cancelled' : 'pending');
  const message = lastLine(error);
  const held = callOf(memory, id);
  const place = placeOf(context, held, id);
  const event: OperationEvent = {
    type: 'operation',
    ...place,
    state,
    kind: 'compaction',
    ...(message === undefined ? undefined : { error: { message } }),
    native: nativeOf(words.name, status, { sessionId, compactionId: id }),
  };
  return finishAll([event], mended, withCall(memory, callAfter(memory, held, place, id, event)));
}
