/** Tool calls. END says that the arguments are complete, which is when the tool begins; only RESULT ends it. */
import { LIMITS } from '../../wire/limits.ts';
import type { Tool } from '../../wire/parts.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { present, refuse } from '../finish.ts';
import { readId, readText } from '../reading.ts';
import { KEPT, remember } from './memory.ts';
import type { AgUiMemory, KnownCall } from './memory.ts';
import { answer, operationOf, runOf } from './reading-frame.ts';
import type { Frame, Reader, Reading } from './reading-frame.ts';

const IDS = ['toolCallId', 'parentMessageId', 'subagentRunId'];

/** The tool by the name the model called it. */
export function toolOf(name: unknown, path: string, reading: Reading): Tool | undefined {
  const text = readText(name, LIMITS.word, path, reading.mended);
  return text === undefined || text === '' ? undefined : { name: text, origin: 'ag-ui' };
}

export function withCall(memory: AgUiMemory, call: KnownCall): AgUiMemory {
  return { ...memory, calls: remember(memory.calls, call, (known) => known.id === call.id, KEPT.calls) };
}

/** Where a call is known to belong; an unknown one is nobody's as soon as everything announces itself. */
export function placeOf(reading: Reading, id: string): KnownCall | undefined {
  const known = reading.memory.calls.find((call) => call.id === id);
  return known ?? (reading.memory.isAnnounced ? undefined : { id, run: runOf(reading) });
}

function callId(frame: Frame): string | undefined {
  const id = readId(frame['toolCallId']);
  return typeof id === 'string' ? id : undefined;
}

const NO_ID = `must be text of 1 to ${LIMITS.id} characters that names the call.`;
const UNHEARD = 'names a call that never started here; nothing is made up for it.';

export const readToolStart: Reader = (frame, reading) => {
  const id = callId(frame);
  if (id === undefined) return refuse('/toolCallId', 'required', NO_ID);
  const tool = toolOf(frame['toolCallName'], '/toolCallName', reading);
  const event = operationOf(frame, reading, id, { state: 'pending', kind: 'tool', ...present({ tool }) }, IDS);
  return answer(reading, [event], withCall(reading.memory, { id, run: runOf(reading) }));
};

/** Arguments are not progress; but they must belong to something. */
export const readToolArgs: Reader = (frame, reading) => {
  const id = callId(frame);
  if (id === undefined) return refuse('/toolCallId', 'required', NO_ID);
  return placeOf(reading, id) === undefined ? refuse('/toolCallId', 'conflict', UNHEARD) : answer(reading, []);
};

export const readToolEnd: Reader = (frame, reading) => moved(frame, reading, { state: 'running' }, IDS);

export const readToolResult: Reader = (frame, reading) => moved(frame, reading, { state: 'completed' }, [...IDS, 'messageId']);

function moved(
  frame: Frame,
  reading: Reading,
  said: { readonly state: 'running' | 'completed' },
  ids: readonly string[],
): ReturnType<Reader> {
  const id = callId(frame);
  if (id === undefined) return refuse('/toolCallId', 'required', NO_ID);
  const place = placeOf(reading, id);
  if (place === undefined) return refuse('/toolCallId', 'conflict', UNHEARD);
  const event = inRun(operationOf(frame, reading, id, said, ids), place);
  return answer(reading, [event], said.state === 'completed' ? withCall(reading.memory, { ...place, isOver: true }) : undefined);
}

/** A result may come in a later run than its call; it still ends the call where that stands. */
function inRun(event: OperationEvent, { run }: KnownCall): OperationEvent {
  if (run !== undefined) return { ...event, run };
  const { run: _, ...rest } = event;
  return rest;
}

/** The first chunk of a call starts it; those after it only bring more arguments and need not even name it. */
export const readToolChunk: Reader = (frame, reading) => {
  const id = callId(frame) ?? reading.memory.chunk;
  if (id === undefined) return refuse('/toolCallId', 'required', 'must name the call in its first chunk.');
  if (reading.memory.chunk === id) return answer(reading, []);
  const started = readToolStart({ ...frame, type: 'TOOL_CALL_START', toolCallId: id }, reading);
  return started.ok ? { ...started, memory: { ...(started.memory ?? reading.memory), chunk: id } } : started;
};

/** The end of a call told in chunks: nobody says it, the next frame of another kind implies it. */
export function chunkEnd(frame: Frame, reading: Reading): OperationEvent | undefined {
  const { chunk } = reading.memory;
  if (chunk === undefined || !endsChunk(frame, chunk)) return undefined;
  const place = placeOf(reading, chunk) ?? { id: chunk };
  return inRun(
    operationOf({ type: 'TOOL_CALL_END', timestamp: frame['timestamp'], toolCallId: chunk }, reading, chunk, { state: 'running' }, [
      'toolCallId',
    ]),
    place,
  );
}

/** Frames that stand beside a call without ending it. */
const BESIDE: ReadonlySet<unknown> = new Set(['RAW', 'ACTIVITY_SNAPSHOT', 'ACTIVITY_DELTA', 'REASONING_ENCRYPTED_VALUE']);

function endsChunk(frame: Frame, chunk: string): boolean {
  if (frame['type'] === 'TOOL_CALL_CHUNK') return frame['toolCallId'] !== undefined && frame['toolCallId'] !== chunk;
  return !BESIDE.has(frame['type']);
}
