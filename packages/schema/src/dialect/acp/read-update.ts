import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { readId } from '../reading.ts';
import { eventInSlot } from '../slot.ts';
import { callOf, currentTurn, withAnswered, withCall, withoutTurn, withTurn } from './memory.ts';
import type { AcpMemory, Call } from './memory.ts';
import { readCall } from './read-call.ts';
import type { CallPlace } from './read-call.ts';
import { ACP_EVENT_KEY } from './words.ts';
import type { AcpWords } from './words.ts';
import { callIdOf, statusOf } from './write-call.ts';

/** What every part of the reading is given. */
export interface Reading {
  readonly body: Record<string, unknown>;
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly context: DecodeContext;
  readonly memory: AcpMemory;
  readonly words: AcpWords;
}

/** A frame that says nothing of progress, or only something that could not be used. */
export function passOver(mended: readonly Issue[] = []): Decoded<AcpMemory> {
  return finishAll([], mended);
}

/** The frame is passed over, with the reason. */
export function dropped(path: string, rule: string): Decoded<AcpMemory> {
  const mended: Issue[] = [];
  addIssue(mended, path, 'required', rule);
  return passOver(mended);
}

/** A tool call, announced or changed. */
export function readCallUpdate({ body, path, sessionId, context, memory, words }: Reading): Decoded<AcpMemory> {
  const id = readId(body['toolCallId']);
  if (typeof id !== 'string') return refuse(`${path}/toolCallId`, 'required', 'must be text that names the call.') as Decoded<AcpMemory>;
  const mended: Issue[] = [];
  const whole = wholeEvent({ body, path, context }, mended, (event) => agrees(body, event, words));
  if (whole !== undefined) return finishAll([whole], mended, remembered(memory, whole, id));
  const isAnnounced = body['sessionUpdate'] === 'tool_call';
  const held = isAnnounced ? againIn(memory, callOf(memory, id)) : callOf(memory, id);
  if (held === undefined && words.announces && !isAnnounced)
    return dropped(`${path}/toolCallId`, 'names a call that nobody announced; the update was dropped.');
  const place = placeOf(context, held, id);
  const event = readCall(
    { update: body, path, sessionId: sessionId ?? held?.sessionId, isFirst: held === undefined, word: held?.word },
    place,
    words,
    mended,
  );
  const goesOn = event.state !== undefined && event.state !== 'pending';
  return finishAll([event], mended, withCall(goesOn ? withAnswered(memory, id) : memory, callAfter(memory, held, place, id, event)));
}

/** A name that was used up in an earlier turn, and is announced in another, is tried again. */
function againIn(memory: AcpMemory, held: Call | undefined): Call | undefined {
  const now = currentTurn(memory)?.run;
  if (held?.over !== true || now === undefined || now === held.turn) return held;
  const { toolCallId, id, run, sessionId, attempt = 1 } = held;
  return { toolCallId, id, ...present({ run, sessionId }), attempt: attempt + 1, turn: now };
}

/**
 * Where an event about this call belongs. Not in its turn: that has a name of ours only, which a replay of the same call
 * would not find again. What the turn leaves open is closed call by call.
 */
export function placeOf({ session, run, parent, at }: DecodeContext, held: Call | undefined, id: string): CallPlace {
  return { session, id: held?.id ?? id, ...present({ run: held === undefined ? run : held.run, attempt: held?.attempt, parent }), at };
}

/** The call as it stands after an event. */
export function callAfter(
  memory: AcpMemory,
  held: Call | undefined,
  place: CallPlace,
  toolCallId: string,
  { state, native }: OperationEvent,
): Call {
  const over = held?.over === true || (state !== undefined && isFinal(state));
  const turn = held === undefined ? currentTurn(memory)?.run : held.turn;
  const { id, run, attempt } = place;
  const told = native?.ids?.['sessionId'];
  const sessionId = typeof told === 'string' ? told : held?.sessionId;
  const replayed = memory.loading === undefined ? undefined : true;
  const word = native?.state;
  return { toolCallId, id, ...present({ run, attempt, sessionId, turn, replayed, word, own: held?.own, over: over || undefined }) };
}

/** Our own event, if it travels in this `_meta` and says what the words beside it say. */
export function wholeEvent(
  { body, path, context }: Pick<Reading, 'body' | 'path' | 'context'>,
  mended: Issue[],
  fits: (event: ProgressEvent) => boolean,
): ProgressEvent | undefined {
  return eventInSlot({ holder: body['_meta'], key: ACP_EVENT_KEY, path: `${path}/_meta` }, context, mended, fits);
}

function agrees(body: Record<string, unknown>, event: ProgressEvent, words: AcpWords): boolean {
  if (event.type !== 'operation' || body['toolCallId'] !== callIdOf(event, words)) return false;
  return (body['status'] ?? undefined) === statusOf(event, words);
}

/** The event without the words of another peer, which are not those a patch of this one leaves standing. */
function ofThisPeer(event: OperationEvent): OperationEvent {
  const { native, ...rest } = event;
  return native?.protocol === 'acp' || native?.protocol === 'acp-v2' ? event : rest;
}

/** What a whole event leaves to be remembered. */
export function remembered(memory: AcpMemory, event: ProgressEvent, toolCallId?: string): AcpMemory {
  switch (event.type) {
    case 'operation': {
      if (toolCallId === undefined) return memory;
      const held = callOf(memory, toolCallId);
      const after = callAfter(memory, held, event, toolCallId, ofThisPeer(event));
      const over = event.state === undefined ? held?.over : isFinal(event.state) || undefined;
      return withCall(memory, { ...after, over, own: event.run === undefined ? undefined : true });
    }
    case 'card':
      return event.revision > (memory.revision ?? 0) ? { ...memory, revision: event.revision } : memory;
    case 'run':
      if (isFinal(event.state)) return withoutTurn(memory, event.run);
      // A turn that began with its request ends with the answer to that.
      return currentTurn(memory) === undefined ? withTurn(memory, { run: event.run, rpc: undefined }) : memory;
    default:
      return memory;
  }
}
