import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { readId } from '../reading.ts';
import { eventInSlot } from '../slot.ts';
import { callOf, currentTurn, withCall, withoutTurn } from './memory.ts';
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
  readonly sessionId: unknown;
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
  const held = heardCall(memory, id, body['sessionUpdate'] === 'tool_call', context);
  if (held === undefined && words.announces && body['sessionUpdate'] !== 'tool_call')
    return dropped(`${path}/toolCallId`, 'names a call that nobody announced; the update was dropped.');
  const place = placeOf(context, memory, held, id, words);
  const event = readCall({ update: body, path, sessionId, isFirst: held === undefined, word: held?.word }, place, words, mended);
  return finishAll([event], mended, withCall(memory, callAfter(held, place, id, event)));
}

/** A name that was used up in an earlier turn, and is announced in another, is another call. */
function heardCall(memory: AcpMemory, toolCallId: string, announces: boolean, { run }: DecodeContext): Call | undefined {
  const held = callOf(memory, toolCallId);
  const now = run ?? currentTurn(memory)?.run;
  return announces && held?.over === true && now !== undefined && now !== held.run ? undefined : held;
}

/** Where an event about this call belongs: with the call, or in the turn that is under way. */
export function placeOf(context: DecodeContext, memory: AcpMemory, held: Call | undefined, id: string, words: AcpWords): CallPlace {
  const { session, run, parent, at } = context;
  // In the second version work may outlive its turn, and a turn's end would close it.
  const turn = words.version === 1 ? currentTurn(memory)?.run : undefined;
  return { session, id: held?.id ?? id, ...present({ run: held === undefined ? (run ?? turn) : held.run, parent }), at };
}

/** The call as it stands after an event. */
export function callAfter(held: Call | undefined, place: CallPlace, toolCallId: string, { state, native }: OperationEvent): Call {
  const over = held?.over === true || (state !== undefined && isFinal(state));
  return {
    id: place.id,
    toolCallId,
    ...present({ run: place.run, own: held?.own, word: native?.state }),
    ...(over ? { over } : undefined),
  };
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

/** What a whole event leaves to be remembered. */
export function remembered(memory: AcpMemory, event: ProgressEvent, toolCallId?: string): AcpMemory {
  switch (event.type) {
    case 'operation': {
      if (toolCallId === undefined) return memory;
      const held = callOf(memory, toolCallId);
      const over = event.state !== undefined ? isFinal(event.state) : held?.over === true;
      return withCall(memory, { id: event.id, toolCallId, own: true, ...present({ run: event.run }), ...(over ? { over } : undefined) });
    }
    case 'card':
      return event.revision > (memory.revision ?? 0) ? { ...memory, revision: event.revision } : memory;
    case 'run':
      return isFinal(event.state) ? withoutTurn(memory, event.run) : memory;
    default:
      return memory;
  }
}
