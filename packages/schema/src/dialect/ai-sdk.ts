/**
 * The UI message stream of the Vercel AI SDK, version 1, as its packages 6 and 7 write it: chunks of a stream, and messages
 * and tool parts as they are stored.
 *
 * In: one decoder for one chat. A message is a run, by its id. A call is pending while its input comes, running from
 * `tool-input-available` on and while its results are preliminary, blocked on a permission while it waits for approval; only
 * a result, an error or a denial ends it, and what comes after is for the ordering rules to drop. A message that ends with
 * calls nobody answered is not over: its run stays running with the reason `tool-calls` and ends with the message that goes
 * on from it. An abort cancels what is under way; a step that is tried again takes its calls back. Once a message was seen to
 * start, a result of a call that was never announced is refused: a reader that continues an older message reads that first.
 * Data parts with a list of steps become the card; others with an id that say where they stand become operations.
 *
 * Out: a data part `data-sitrep`, always the same `id` for the same record, so that it replaces itself in the message. Its
 * data is an event of ours that holds the whole record; `changed` names the fields that are new, those among them that are
 * missing were cleared, and none are where a run only left it open. What was a chunk about a call of no run goes back as it
 * came while it says all there is, and only after the call was announced: the peer's reader throws otherwise. A message's
 * start and end are the host's own chunks and not written.
 *
 * Lost on the way out to a client that does not know the part: all of it. Not read, so not given back: inputs and outputs,
 * texts, reasoning, sources, files, metadata.
 */
import { isObject } from '../check/guards.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { RunEvent } from '../wire/run.ts';
import { isFinal } from '../wire/states.ts';
import type { DecodeContext, Decoded, Dialect, Encoded, SessionView } from './dialect.ts';
import { isBeyondWords } from './beyond-words.ts';
import { finishAll, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { leftOpen, mergedOperation } from './merged-operation.ts';
import { nativeId } from './native.ts';
import { recordKey } from './record-key.ts';
import { sameEvent } from './same-event.ts';
import { wordTable } from './word-table.ts';
import { AI_SDK_PART, NAME } from './ai-sdk/chunks.ts';
import type { AiSdkChunk, AiSdkMemory, Reader } from './ai-sdk/chunks.ts';
import { isCallChunk, isToolPart, readCall, readToolPart } from './ai-sdk/read-call.ts';
import { readData } from './ai-sdk/read-data.ts';
import { readAbort, readError, readFinish, readMessage, readResetStep, readStart, readStartStep } from './ai-sdk/read-message.ts';

export { AI_SDK_PART } from './ai-sdk/chunks.ts';
export type { AiSdkChunk, AiSdkMemory } from './ai-sdk/chunks.ts';

const silent: Reader = (_, { mended }) => finishAll([], mended);

/** Every type of chunk that is not about a call and no data. Those without progress in them are known and say nothing. */
const READERS = wordTable<Reader>({
  start: readStart,
  finish: readFinish,
  abort: readAbort,
  error: readError,
  'start-step': readStartStep,
  'reset-step': readResetStep,
  ...Object.fromEntries(
    [
      'finish-step',
      'message-metadata',
      'text-start',
      'text-delta',
      'text-end',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'source-url',
      'source-document',
      'file',
      'steering-message',
    ].map((type) => [type, silent]),
  ),
});

const readPart: Reader = (part, reading) => {
  const { events, memory } = readToolPart(part, reading, '');
  return finishAll(events, reading.mended, memory);
};

const readDataChunk: Reader = (chunk, reading) => {
  const read = readData(chunk, reading, '', true);
  return read.ok ? finishAll(read.events, reading.mended, read.memory) : read;
};

function readerOf(frame: Record<string, unknown>): Reader | undefined {
  const { type } = frame;
  if (type === undefined) return Array.isArray(frame['parts']) ? readMessage : undefined;
  if (typeof type !== 'string') return undefined;
  if (type.startsWith('data-')) return readDataChunk;
  if (isCallChunk(type)) return readCall;
  return isToolPart(frame) ? readPart : READERS[type];
}

function decode(frame: unknown, context: DecodeContext, memory: AiSdkMemory = {}): Decoded<AiSdkMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be a chunk of a UI message stream, or a message.');
  const reader = readerOf(frame);
  if (reader !== undefined) return reader(frame, { context, memory, mended: [] });
  return refuse(
    '/type',
    frame['type'] === undefined ? 'required' : 'unknown_type',
    'must be one of the chunk types of a UI message stream.',
  );
}

/** Our event as a part that replaces itself: the whole record, and which of its fields are new. */
function carried(event: ProgressEvent, before: SessionView | undefined): AiSdkChunk {
  return { type: AI_SDK_PART, id: recordKey(event), data: wholeOf(event, before) };
}

function wholeOf(event: ProgressEvent, before: SessionView | undefined): object {
  const held = heldOf(event, before);
  if (held === undefined) return event;
  const said = event as Readonly<Record<string, unknown>>;
  const whole = event.type === 'operation' ? wholeOperation(event, before) : withoutNull({ ...held, ...event });
  return { ...whole, changed: Object.keys(event).filter((name) => said[name] !== undefined && !PLACE.has(name)) };
}

const PLACE: ReadonlySet<string> = new Set(['type', 'session', 'id', 'run', 'at']);

/** What a run leaves open ends with it: readers of ours know, so nothing in it is news, but a stored message must say so. */
function settled(event: RunEvent, before: SessionView | undefined): AiSdkChunk[] {
  if (!isFinal(event.state)) return [];
  const isOurs = (held: Operation | undefined): boolean => held?.native?.protocol !== NAME || isBeyondWords(held);
  return leftOpen(event, before)
    .filter(({ id, run }) => isOurs(before?.find(id, run)))
    .map((each) => shownOnly(each, before));
}

/** What the peer holds in the part already. */
function heldOf(event: ProgressEvent, before: SessionView | undefined): object | undefined {
  // Another attempt keeps what names the work, so there is something to hold as well.
  if (event.type === 'operation') return before?.find(event.id, event.run);
  if (event.type === 'run') {
    const { updatedAt: _, ...held } = before?.runs.get(event.run) ?? { updatedAt: 0 };
    return Object.keys(held).length === 0 ? undefined : held;
  }
  if (event.type !== 'session' || before === undefined || (before.title === undefined && before.usage === undefined)) return undefined;
  return { title: before.title, usage: before.usage };
}

function wholeOperation(event: OperationEvent, before: SessionView | undefined): object {
  const whole = mergedOperation(event, before);
  if (event.seq !== undefined && event.attempt !== undefined) return whole;
  // A position is the event's own: the record's would make the same event look old.
  const { seq: _, attempt: __, ...rest } = whole;
  return { ...rest, ...present({ seq: event.seq, attempt: event.attempt }) };
}

function withoutNull(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
}

/** The chunk an event was, where the event is from one. */
function chunkOf(event: OperationEvent, before: SessionView | undefined): AiSdkChunk | undefined {
  const { native, tool, title, error } = event;
  const toolCallId = nativeId(event, NAME, 'toolCallId');
  if (toolCallId === undefined || native?.state === undefined) return undefined;
  const isKnown = before === undefined || before.find(event.id, event.run)?.native?.protocol === NAME;
  const head = { type: native.state, toolCallId };
  const named = { toolName: tool?.name ?? '', ...(typeof title === 'string' ? { title } : undefined) };
  switch (native.state) {
    case 'tool-input-start':
      return { ...head, ...named };
    case 'tool-input-available':
      return { ...head, ...named, input: {} };
    case 'tool-input-error':
      return { ...head, ...named, input: {}, errorText: error?.message ?? '' };
    default:
      return isKnown ? resultChunk(event, head) : undefined;
  }
}

function resultChunk(event: OperationEvent, head: { readonly type: string; readonly toolCallId: string | number }): AiSdkChunk | undefined {
  const approvalId = nativeId(event, NAME, 'approvalId');
  switch (head.type) {
    case 'tool-approval-request':
      return { ...head, approvalId };
    case 'tool-approval-response':
      return { ...head, approvalId, approved: event.state === 'running' };
    case 'tool-output-available preliminary':
      return { ...head, type: 'tool-output-available', output: null, preliminary: true };
    case 'tool-output-available':
      return { ...head, output: null };
    case 'tool-output-error':
      return { ...head, errorText: event.error?.message ?? '' };
    case 'tool-output-denied':
      return head;
    default:
      return undefined;
  }
}

/** True when the chunk, read alone, is this very event: no chunk says which run it belongs to. */
function says(chunk: AiSdkChunk, event: OperationEvent): boolean {
  const { session, at } = event;
  const read = decode(chunk, { session, at });
  const [first, ...others] = read.ok && read.mended === undefined ? read.events : [];
  return first !== undefined && others.length === 0 && sameEvent(first, event);
}

function encode(event: ProgressEvent, before?: SessionView): Encoded<AiSdkChunk> {
  if (event.type === 'run') return [...settled(event, before), carried(event, before)];
  const chunk = event.type === 'operation' ? chunkOf(event, before) : undefined;
  if (event.type !== 'operation' || chunk === undefined || !says(chunk, event)) return [carried(event, before)];
  const held = before?.find(event.id, event.run);
  return held !== undefined && isBeyondWords(held) ? [chunk, shownOnly(event, before)] : [chunk];
}

/** A part that only shows how the record stands, where something else says what is new. */
function shownOnly(event: OperationEvent, before: SessionView | undefined): AiSdkChunk {
  return { type: AI_SDK_PART, id: recordKey(event), data: { ...wholeOperation(event, before), changed: [] } };
}

function isCertain(frame: Record<string, unknown>): boolean {
  const { type } = frame;
  if (type === undefined) return isMessage(frame);
  if (typeof type !== 'string') return false;
  if (type.startsWith('data-')) return Object.hasOwn(frame, 'data');
  if (isCallChunk(type) || isToolPart(frame)) return typeof frame['toolCallId'] === 'string';
  if (type === 'start') return typeof frame['messageId'] === 'string';
  if (type === 'finish') return typeof frame['finishReason'] === 'string';
  return type === 'start-step' || type === 'finish-step' || type === 'reset-step';
}

/** A stored message: an id, a role, and parts that each have a type. */
function isMessage({ id, role, parts }: Record<string, unknown>): boolean {
  if (typeof id !== 'string' || (role !== 'assistant' && role !== 'user' && role !== 'system') || !Array.isArray(parts)) return false;
  return parts.length > 0 && parts.every((part) => isObject(part) && typeof part['type'] === 'string');
}

/** The dialect of the AI SDK's UI message stream. */
export const aiSdk: Dialect<AiSdkChunk, DecodeContext, AiSdkMemory> = guarded({
  name: NAME,
  whole: ['operation', 'operation.clear', 'card', 'run', 'session'],
  detect: (frame) => isObject(frame) && isCertain(frame),
  decode,
  encode,
});
