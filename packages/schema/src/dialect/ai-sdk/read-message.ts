/** The life of a message, which is a turn, and messages as they are stored. */
import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { RunState } from '../../wire/states.ts';
import { runEvent, turnEnd } from '../agent-stream.ts';
import { finishAll, refuse } from '../finish.ts';
import { readText } from '../reading.ts';
import { wordTable } from '../word-table.ts';
import { HANDED_OVER, KEPT, operationOf, runOf } from './chunks.ts';
import type { AiSdkMemory, KnownCall, Reader, Reading } from './chunks.ts';
import { isToolPart, readToolPart } from './read-call.ts';
import { readData } from './read-data.ts';

/** The newest parts of a stored message that are looked at. */
const MAX_PARTS = 2000;

export const readStart: Reader = (chunk, reading) => {
  const { memory, context, mended } = reading;
  const { messageId } = chunk;
  const run = context.run ?? (isText(messageId, 1, LIMITS.id) ? messageId : undefined);
  const next: AiSdkMemory = { ...memory, run, isAnnounced: true, handed: memory.handed?.filter((each) => each !== run) };
  if (run === undefined) return finishAll([], mended, next);
  const goesOn = memory.handed?.includes(run) === true;
  return finishAll([runEvent(context, run, 'running', goesOn ? { reason: null } : {})], mended, next);
};

/** Why a message ended. A length or a filter is no success: what was asked for was not written. */
const FINISHES = wordTable<RunState>({
  stop: 'completed',
  'tool-calls': 'completed',
  length: 'failed',
  'content-filter': 'failed',
  error: 'failed',
  other: 'interrupted',
});

export const readFinish: Reader = (chunk, reading) => {
  const { mended } = reading;
  const { finishReason } = chunk;
  const word = finishReason === undefined ? 'stop' : finishReason;
  const state = typeof word === 'string' ? FINISHES[word] : undefined;
  if (state === undefined)
    addIssue(mended, '/finishReason', 'enum', 'is a reason nobody knows here and was read as an end without outcome.');
  // Calls without a result are the client's to approve or to make; the turn goes on with its next request.
  if ((word === 'tool-calls' || finishReason === undefined) && openCalls(reading).length > 0) return handedOver(reading);
  const reason = state === 'completed' ? undefined : readText(word, LIMITS.word, '/finishReason', mended);
  return over(reading, state ?? 'interrupted', reason);
};

export const readAbort: Reader = (chunk, reading) => {
  const reason = readText(chunk['reason'], LIMITS.word, '/reason', reading.mended);
  // Whoever stopped the turn stopped what was under way in it; nobody else will say so.
  const stopped = openCalls(reading).map(([id, call]) =>
    operationOf(reading, { id, run: call.run }, { state: 'cancelled' }, 'abort', { toolCallId: id }),
  );
  return over(reading, 'cancelled', reason, stopped);
};

export const readError: Reader = (chunk, reading) => {
  if (typeof chunk['errorText'] !== 'string') return refuse('/errorText', 'required', 'must be text that says what went wrong.');
  const { context, mended } = reading;
  const run = runOf(reading);
  const text = readText(chunk['errorText'], LIMITS.message, '/errorText', mended);
  const message = text === undefined || text === '' ? 'Failed without a message.' : text;
  // A run carries no text; an operation by its name says why it failed, for a person to read.
  const why = run === undefined ? [] : turnEnd(context, run, 'failed', { message }).filter(({ type }) => type === 'operation');
  return over(reading, 'failed', 'error', why);
};

function openCalls(reading: Reading): (readonly [string, KnownCall])[] {
  const run = runOf(reading);
  const handed = reading.memory.handed ?? [];
  return (reading.memory.calls ?? []).filter(
    ([, call]) => call.isOpen && (call.run === run || (call.run !== undefined && handed.includes(call.run))),
  );
}

function handedOver(reading: Reading): ReturnType<Reader> {
  const { memory, context, mended } = reading;
  const run = runOf(reading);
  if (run === undefined) return finishAll([], mended);
  const handed = [...(memory.handed ?? []).filter((each) => each !== run), run].slice(-KEPT.handed);
  return finishAll([runEvent(context, run, 'running', { reason: HANDED_OVER })], mended, { ...memory, run: undefined, handed });
}

/** The end of a turn, and with it of the responses it went on from. */
function over(reading: Reading, state: RunState, reason: string | undefined, before: readonly ProgressEvent[] = []): ReturnType<Reader> {
  const { memory, context, mended } = reading;
  const run = runOf(reading);
  const why = reason === undefined || reason === '' ? undefined : reason;
  const handed = (memory.handed ?? []).filter((each) => each !== run);
  const events = [
    ...before,
    ...(run === undefined ? [] : [runEvent(context, run, state, { reason: why })]),
    ...handed.map((each) => runEvent(context, each, state, { reason: why ?? null })),
  ];
  const calls = memory.calls?.map(([id, call]) => [id, { ...call, isOpen: false }] as const);
  return finishAll(events, mended, { ...memory, run: undefined, handed: [], calls });
}

/** A new step: what was called before it can no longer be taken back. */
export const readStartStep: Reader = (_, { memory, mended }) => {
  const calls = memory.calls?.map(([id, call]) => [id, { ...call, isOfStep: false }] as const);
  return finishAll([], mended, { ...memory, calls });
};

/** A step that is tried again: its calls were never made. */
export const readResetStep: Reader = (_, reading) => {
  const { memory, context, mended } = reading;
  const { session, at } = context;
  const taken = (memory.calls ?? []).filter(([, call]) => call.isOfStep);
  const events = taken.map(([id, { run }]) => ({
    type: 'operation.clear' as const,
    session,
    id,
    at,
    ...(run === undefined ? undefined : { run }),
  }));
  return finishAll(events, mended, { ...memory, calls: memory.calls?.filter(([, call]) => !call.isOfStep) });
};

/** A stored message: how everything in it stands. It does not say whether its turn is over. */
export const readMessage: Reader = (message, reading) => {
  const { context, mended } = reading;
  const parts = message['parts'] as readonly unknown[];
  const run = context.run ?? (isText(message['id'], 1, LIMITS.id) ? message['id'] : undefined);
  let memory: AiSdkMemory = { ...reading.memory, run };
  const events: ProgressEvent[] = [];
  const from = Math.max(0, parts.length - MAX_PARTS);
  if (from > 0) addIssue(mended, '/parts', 'too_many', `must have at most ${MAX_PARTS} parts; the newest were read.`);
  for (const [index, part] of parts.slice(from).entries()) {
    if (!isObject(part)) continue;
    const path = `/parts/${from + index}`;
    const found = readPart(part, { ...reading, memory }, path);
    events.push(...found.events);
    memory = found.memory;
  }
  return finishAll(events, mended, { ...memory, run: reading.memory.run });
};

function readPart(
  part: Record<string, unknown>,
  reading: Reading,
  path: string,
): { readonly events: readonly ProgressEvent[]; readonly memory: AiSdkMemory } {
  if (isToolPart(part)) return readToolPart(part, reading, path);
  if (typeof part['type'] !== 'string' || !part['type'].startsWith('data-')) return { events: [], memory: reading.memory };
  const read = readData(part, reading, path, false);
  if (read.ok) return read;
  for (const issue of read.issues) if (reading.mended.length < 16) reading.mended.push(issue);
  return { events: [], memory: reading.memory };
}
