import { addIssue } from '../../check/issue-list.ts';
import { isObject, isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import type { Decoded } from '../dialect.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { shortText } from '../agent-stream.ts';
import { nativeOf } from '../native.ts';
import { readId, readText } from '../reading.ts';
import { isTakenBack } from './envelope.ts';
import { callOf, minted, withAsked, withCall, withoutAsked, withOther } from './memory.ts';
import type { AcpMemory, Asked } from './memory.ts';
import { readCall } from './read-call.ts';
import { callAfter, dropped, passOver, placeOf } from './read-update.ts';
import type { Reading } from './read-update.ts';

/** Options of one request that are remembered. */
const MOST_OPTIONS = 16;

/** What is asked about: a call, or in the second version also a command, or nothing in particular. */
interface Subject {
  readonly call: Record<string, unknown>;
  readonly path: string;
  readonly prompt: string | undefined;
  readonly alone: boolean;
}

/** An agent asks whether it may. The request also announces a call nobody heard of: somebody has to see it. */
export function readPermission(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const { body, sessionId, context, memory, words } = reading;
  const mended: Issue[] = [];
  const subject = words.version === 1 ? calledOf(reading, rpc, mended) : askedOf(reading, rpc, mended);
  const id = readId(subject?.call['toolCallId']);
  if (subject === undefined || typeof id !== 'string')
    return refuse(`${reading.path}/toolCall`, 'type', 'must be the call that is asked about.') as Decoded<AcpMemory>;
  const held = callOf(memory, id);
  const place = placeOf(context, held, id);
  const call = readCall({ update: subject.call, path: subject.path, sessionId, isFirst: held === undefined }, place, words, mended);
  const event: OperationEvent = {
    ...call,
    state: 'blocked',
    blockedOn: { kind: 'permission', ...present({ prompt: subject.prompt, requestId: requestIdOf(rpc) }) },
    native: nativeOf(words.name, undefined, { sessionId, toolCallId: id, requestId: rpc }),
  };
  const asked: Asked = {
    rpc,
    id,
    sessionId,
    ...optionsOf(body['options']),
    ...(subject.alone ? { alone: true } : undefined),
  };
  return finishAll([event], mended, withAsked(withCall(memory, callAfter(memory, held, place, id, event)), asked));
}

/**
 * An agent asks a question, about a call or by itself. One that belongs to no session, such as signing in before there is
 * any, says nothing of this one.
 */
export function readQuestion(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const { body, path, sessionId, context, memory, words } = reading;
  const called = readId(body['toolCallId']);
  if (typeof called !== 'string' && sessionId === undefined)
    return rpc === undefined ? passOver() : finishAll([], [], withOther(memory, rpc));
  const mended: Issue[] = [];
  const prompt = readText(body['message'], LIMITS.message, `${path}/message`, mended);
  const alone = typeof called !== 'string';
  const id = alone ? minted('question', context.at, rpc, memory.asked.length) : called;
  const held = callOf(memory, id);
  const place = placeOf(context, held, id);
  const event: OperationEvent = {
    type: 'operation',
    ...place,
    state: 'blocked',
    ...(alone ? { kind: 'question', ...present({ title: shortText(prompt) }) } : undefined),
    blockedOn: { kind: 'question', ...present({ prompt, requestId: requestIdOf(rpc) }) },
    native: nativeOf(words.name, undefined, { sessionId, toolCallId: id, requestId: rpc }),
  };
  const asked: Asked = { rpc, id, sessionId, allows: [], rejects: [], question: true, ...(alone ? { alone } : undefined) };
  return finishAll([event], mended, withAsked(withCall(memory, callAfter(memory, held, place, id, event)), asked));
}

function requestIdOf(rpc: string | number | undefined): string | undefined {
  return rpc !== undefined && isText(String(rpc), 1, LIMITS.id) ? String(rpc) : undefined;
}

/** The first version asks about a call. */
function calledOf(reading: Reading, rpc: string | number | undefined, mended: Issue[]): Subject | undefined {
  const { toolCall } = reading.body;
  if (!isObject(toolCall)) return undefined;
  const path = `${reading.path}/toolCall`;
  return aboutCall(reading, toolCall, path, rpc, readText(toolCall['title'], LIMITS.message, `${path}/title`, mended));
}

/** The second asks in words of its own, about a call, a command, or nothing it names. */
function askedOf(reading: Reading, rpc: string | number | undefined, mended: Issue[]): Subject {
  const { body, path } = reading;
  const title = readText(body['title'], LIMITS.message, `${path}/title`, mended);
  const description = readText(body['description'], LIMITS.message, `${path}/description`, mended);
  const prompt = readText([title, description].filter((text) => text !== undefined && text !== '').join(' '), LIMITS.message, path, mended);
  const subject = isObject(body['subject']) ? body['subject'] : {};
  const { toolCall, toolCallId, command } = subject;
  if (isObject(toolCall)) return aboutCall(reading, toolCall, `${path}/subject/toolCall`, rpc, prompt);
  const call = typeof toolCallId === 'string' ? { toolCallId } : { title: typeof command === 'string' ? command : title };
  return aboutCall(reading, call, `${path}/subject`, rpc, prompt);
}

/** A call without a name that can be used is known by the request: somebody has to see it all the same. */
function aboutCall(
  { context, memory }: Reading,
  call: Record<string, unknown>,
  path: string,
  rpc: string | number | undefined,
  prompt: string | undefined,
): Subject {
  const alone = !isText(call['toolCallId'], 1, LIMITS.id);
  const named = alone ? { ...call, toolCallId: minted('permission', context.at, rpc, memory.asked.length) } : call;
  return { call: named, path, prompt, alone };
}

function optionsOf(value: unknown): Pick<Asked, 'allows' | 'rejects'> {
  const options = Array.isArray(value) ? value.slice(0, MOST_OPTIONS).filter(isObject) : [];
  const those = (start: string) =>
    options.flatMap(({ kind, optionId }) =>
      typeof kind === 'string' && kind.startsWith(start) && isText(optionId, 0, LIMITS.id) ? [optionId] : [],
    );
  return { allows: those('allow'), rejects: those('reject') };
}

/** The request an answer belongs to: that of its number, or the only one that came without. */
export function askedBy({ asked }: AcpMemory, rpc: string | number | undefined): Asked | undefined {
  const those = asked.filter((each) => each.rpc === rpc);
  return rpc === undefined && those.length > 1 ? undefined : those.at(-1);
}

/** The person answered. */
export function readOutcome(reading: Reading, asked: Asked | undefined): Decoded<AcpMemory> {
  const { body, path } = reading;
  if (asked === undefined) return dropped(`${path}/outcome`, 'answers a request that nobody made; it was dropped.');
  const mended: Issue[] = [];
  const state =
    asked.question === true ? stateAnswered(body['action'], asked) : stateAfter(body['outcome'], asked, `${path}/outcome`, mended);
  return answered(reading, asked, state, mended);
}

/** Nobody could be asked: what the call does now it says itself. */
export function readOutcomeError(reading: Reading, asked: Asked): Decoded<AcpMemory> {
  const state = asked.alone !== true ? 'pending' : isTakenBack(reading.body) ? 'cancelled' : 'interrupted';
  return answered(reading, asked, state, []);
}

/** A call goes on whatever was answered, and says itself how; a question by itself ends with its answer. */
function stateAnswered(action: unknown, { alone }: Asked): OperationState {
  if (alone !== true) return 'running';
  if (action === 'accept') return 'completed';
  if (action === 'decline') return 'denied';
  return action === 'cancel' ? 'cancelled' : 'interrupted';
}

function stateAfter(outcome: unknown, asked: Asked, path: string, mended: Issue[]): OperationState {
  const word = isObject(outcome) ? outcome['outcome'] : undefined;
  if (word === 'cancelled') return 'cancelled';
  const chosen = word === 'selected' && isObject(outcome) ? outcome['optionId'] : undefined;
  if (typeof chosen === 'string' && asked.rejects.includes(chosen)) return 'denied';
  if (typeof chosen === 'string' && asked.allows.includes(chosen)) return asked.alone === true ? 'completed' : 'running';
  addIssue(mended, path, 'enum', 'must be cancelled, or select an option that allows or rejects, and was read as answered somehow.');
  return asked.alone === true ? 'interrupted' : 'pending';
}

function answered({ context, memory, words }: Reading, asked: Asked, state: OperationState, mended: Issue[]): Decoded<AcpMemory> {
  const { session, at } = context;
  const { id: toolCallId, sessionId } = asked;
  const held = callOf(memory, toolCallId);
  const event: OperationEvent = {
    type: 'operation',
    session,
    id: held?.id ?? toolCallId,
    ...present({ run: held?.run ?? context.run, attempt: held?.attempt }),
    at,
    state,
    blockedOn: null,
    native: nativeOf(words.name, undefined, { sessionId, toolCallId, requestId: asked.rpc }),
  };
  const after = withoutAsked(memory, asked);
  // Asked about more than once, it goes on waiting for the other answer.
  if (!isFinal(state) && after.asked.some(({ id }) => id === toolCallId)) return finishAll([], mended, after);
  const call = held === undefined ? undefined : { ...held, ...(isFinal(state) ? { over: true } : undefined) };
  return finishAll([event], mended, call === undefined ? after : withCall(after, call));
}
