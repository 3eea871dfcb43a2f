/** Tool calls, as chunks and as parts of a stored message. */
import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Failure } from '../../wire/parts.ts';
import { isFinal } from '../../wire/states.ts';
import { entryOf, withEntry } from '../entries.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { readText } from '../reading.ts';
import { wordTable } from '../word-table.ts';
import { callIdOf, KEPT, operationOf, runOf } from './chunks.ts';
import type { AiSdkMemory, Chunk, KnownCall, Reader, Reading } from './chunks.ts';

type Said = { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] | undefined } & Pick<OperationEvent, 'state'>;

const NO_ID = `must be text of 1 to ${LIMITS.id} characters that names the call.`;

/** What a chunk says of its call; undefined for what it says nothing of. */
type Says = (chunk: Chunk, reading: Reading) => Said | undefined;

function failure(chunk: Chunk, { mended }: Reading): Failure {
  const text = readText(chunk['errorText'], LIMITS.message, '/errorText', mended);
  return { message: text === undefined || text === '' ? 'Failed without a message.' : text };
}

/** The name of the tool and its title, where the chunk or part tells them. */
export function naming(toolName: unknown, title: unknown, path: string, { mended }: Reading): Said {
  const name = readText(toolName, LIMITS.word, `${path}/toolName`, mended);
  return {
    kind: 'tool',
    ...present({ title: readText(title, LIMITS.title, `${path}/title`, mended) }),
    ...(name === undefined || name === '' ? undefined : { tool: { name, origin: 'ai-sdk' } }),
  };
}

const announced: (state: 'pending' | 'running') => Says = (state) => (chunk, reading) => ({
  state,
  ...naming(chunk['toolName'], chunk['title'], '', reading),
});

/** What each chunk about a call says. */
const SAYS = wordTable<Says>({
  'tool-input-start': announced('pending'),
  'tool-input-available': announced('running'),
  'tool-input-error': (chunk, reading) => ({
    state: 'failed',
    ...naming(chunk['toolName'], chunk['title'], '', reading),
    error: failure(chunk, reading),
  }),
  'tool-approval-request': ({ approvalId }) => ({
    state: 'blocked',
    blockedOn: { kind: 'permission', ...(isText(approvalId, 1, LIMITS.id) ? { requestId: approvalId } : undefined) },
  }),
  'tool-approval-response': ({ approved }) => ({ state: approved === true ? 'running' : 'denied' }),
  'tool-output-available': ({ preliminary }) => ({ state: preliminary === true ? 'running' : 'completed' }),
  'tool-output-error': (chunk, reading) => ({ state: 'failed', error: failure(chunk, reading) }),
  'tool-output-denied': () => ({ state: 'denied' }),
});

/** True for a chunk that brings its call into being. */
function announces(type: unknown): boolean {
  return type === 'tool-input-start' || type === 'tool-input-available' || type === 'tool-input-error';
}

export function isCallChunk(type: unknown): boolean {
  return typeof type === 'string' && (SAYS[type] !== undefined || type === 'tool-input-delta');
}

/** The call of a chunk, by its own id or by that of the approval it answers. */
function callOf(chunk: Chunk, { memory }: Reading): string | undefined {
  const { approvalId } = chunk;
  return callIdOf(chunk) ?? memory.calls?.find(([, call]) => call.approval !== undefined && call.approval === approvalId)?.[0];
}

export const readCall: Reader = (chunk, reading) => {
  const { type } = chunk;
  const id = callOf(chunk, reading);
  if (id === undefined) return refuse('/toolCallId', 'required', NO_ID);
  const { memory } = reading;
  const known = entryOf(memory.calls, id);
  if (known === undefined && memory.isAnnounced === true && !announces(type))
    return refuse('/toolCallId', 'conflict', 'names a call that was never announced here; nothing is made up for it.');
  const says = SAYS[String(type)];
  // More of the arguments: no progress.
  if (says === undefined) return finishAll([], reading.mended);
  const said = says(chunk, reading);
  const run = known === undefined ? runOf(reading) : known.run;
  const word = type === 'tool-output-available' && chunk['preliminary'] === true ? 'tool-output-available preliminary' : type;
  const event = operationOf(reading, { id, run }, said ?? {}, word, { toolCallId: id, approvalId: chunk['approvalId'] });
  return finishAll([event], reading.mended, withCall(memory, id, event, known));
};

/** The memory with the call as the event leaves it. A call that is over stays so. */
export function withCall(memory: AiSdkMemory, id: string, { state, run, blockedOn }: OperationEvent, known?: KnownCall): AiSdkMemory {
  const isOpen = known?.isOpen !== false && state !== undefined && !isFinal(state);
  const call = { isOpen, isOfStep: known?.isOfStep ?? true, ...present({ run, approval: isOpen ? blockedOn?.requestId : undefined }) };
  return { ...memory, calls: withEntry(memory.calls, id, call, KEPT.calls) };
}

/** What each state of a tool part says. */
const PARTS = wordTable<Says>({
  'input-streaming': () => ({ state: 'pending' }),
  'input-available': () => ({ state: 'running' }),
  'approval-requested': ({ approval }) => ({
    state: 'blocked',
    blockedOn: {
      kind: 'permission',
      ...(isObject(approval) && isText(approval['id'], 1, LIMITS.id) ? { requestId: approval['id'] } : undefined),
    },
  }),
  'approval-responded': ({ approval }) => ({ state: isObject(approval) && approval['approved'] === false ? 'denied' : 'running' }),
  'output-available': ({ preliminary }) => ({ state: preliminary === true ? 'running' : 'completed' }),
  'output-error': (part, reading) => ({ state: 'failed', error: failure(part, reading) }),
  'output-denied': () => ({ state: 'denied' }),
});

/** True for a tool part of a message: it has a call and a state. */
export function isToolPart(part: Chunk): boolean {
  const { type } = part;
  return (type === 'dynamic-tool' || (typeof type === 'string' && type.startsWith('tool-'))) && typeof part['state'] === 'string';
}

/** A tool part: the call as it stands. */
export function readToolPart(
  part: Chunk,
  reading: Reading,
  path: string,
): { readonly events: readonly ProgressEvent[]; readonly memory: AiSdkMemory } {
  const { type, state, toolName, title } = part;
  const { memory, mended } = reading;
  const id = callIdOf(part);
  if (id === undefined) {
    addIssue(mended, `${path}/toolCallId`, 'required', `${NO_ID} The part was left out.`);
    return { events: [], memory };
  }
  const says = PARTS[String(state)];
  if (says === undefined) addIssue(mended, `${path}/state`, 'enum', 'is a state nobody knows here and was read as pending.');
  const known = entryOf(memory.calls, id);
  const run = known === undefined ? runOf(reading) : known.run;
  const name = type === 'dynamic-tool' ? toolName : String(type).slice('tool-'.length);
  const said = { ...naming(name, title, path, reading), ...(says?.(part, reading) ?? { state: 'pending' as const }) };
  const event = operationOf(reading, { id, run }, said, state, { toolCallId: id });
  return { events: [event], memory: withCall(memory, id, event, known) };
}
