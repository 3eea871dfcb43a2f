import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { inputTitle, operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { hasEntry, withEntry, withoutEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { wordTable } from '../word-table.ts';
import { MAX_CALLS } from './memory.ts';
import type { Reading } from './memory.ts';

const NAME = 'openai-responses';

type Item = Record<string, unknown>;
type Described = Pick<OperationEvent, 'kind' | 'title' | 'tool'>;

const STATES = wordTable<OperationState>({
  in_progress: 'running',
  searching: 'running',
  interpreting: 'running',
  generating: 'running',
  calling: 'running',
  compacting: 'running',
  partial_image: 'running',
  completed: 'completed',
  incomplete: 'failed',
  failed: 'failed',
});

/** What the service runs itself. */
const HOSTED = wordTable<(item: Item) => Described>({
  web_search_call: ({ action }) => ({ kind: 'search', ...present({ title: inputTitle(action) }) }),
  file_search_call: ({ queries }) => ({
    kind: 'search',
    ...present({ title: shortText(Array.isArray(queries) ? queries[0] : undefined) }),
  }),
  code_interpreter_call: ({ code }) => ({ kind: 'code', ...present({ title: shortText(code) }) }),
  image_generation_call: ({ revised_prompt: prompt }) => ({ kind: 'image', ...present({ title: shortText(prompt) }) }),
  mcp_call: ({ name, server_label: server }) => toolOf(name, 'mcp', server),
  mcp_list_tools: ({ server_label: server }) => ({ kind: 'list_tools', ...present({ title: shortText(server) }) }),
  compaction: () => ({ kind: 'compaction' }),
  program: ({ code }) => ({ kind: 'code', ...present({ title: shortText(code) }) }),
});

/** What the client runs. */
const CLIENT = wordTable<(item: Item) => Described>({
  function_call: ({ name }) => toolOf(name, 'function'),
  custom_tool_call: ({ name }) => toolOf(name, 'custom'),
  local_shell_call: ({ action }) => ({ kind: 'command', ...present({ title: commandOf(action) }) }),
  shell_call: ({ action }) => ({ kind: 'command', ...present({ title: commandOf(action) }) }),
  apply_patch_call: ({ operation }) => ({ kind: 'edit', ...present({ title: inputTitle(operation) }) }),
  computer_call: () => ({ kind: 'computer' }),
});

/** Outputs by the call they answer. */
const OUTPUT = /_call_output$|^program_output$/;

function toolOf(name: unknown, origin: string, server?: unknown): Described {
  const text = shortText(name, LIMITS.word);
  return {
    kind: 'tool',
    ...(text === undefined ? undefined : { tool: { name: text, origin, ...present({ server: shortText(server, LIMITS.word) }) } }),
  };
}

function commandOf(action: unknown): string | undefined {
  const parts = isObject(action) ? (action['command'] ?? action['commands']) : undefined;
  return shortText(Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join(' ') : parts);
}

/** An item was added, or is done. */
export function itemMoved(reading: Reading, item: unknown, isDone: boolean, path: string): void {
  if (!isObject(item) || typeof item['type'] !== 'string')
    return addIssue(reading.mended, path, 'type', 'must be an item with a type and was left out.');
  const { type } = item;
  if (type === 'mcp_approval_request') return approvalAsked(reading, item);
  if (type === 'mcp_approval_response')
    return approvalAnswered(reading, item['approval_request_id'], item['approve'] === false ? 'denied' : 'completed');
  if (OUTPUT.test(type)) return isDone ? clientCallOver(reading, item) : undefined;
  const environment = isObject(item['environment']) ? item['environment']['type'] : undefined;
  const isContainer = type === 'shell_call' && environment === 'container_reference';
  if (!isContainer && CLIENT[type] !== undefined) return clientCalled(reading, item, isDone, CLIENT[type](item));
  const describe = isContainer ? CLIENT[type] : HOSTED[type];
  return describe === undefined ? undefined : hostedMoved(reading, item, isDone, describe(item), path);
}

function hostedMoved(reading: Reading, item: Item, isDone: boolean, described: Described, path: string): void {
  const { id, status, error, approval_request_id: approval } = item;
  if (typeof id !== 'string') return;
  const isFailed = error !== undefined && error !== null;
  const word = typeof status === 'string' ? status : isDone ? (isFailed ? 'failed' : 'completed') : 'in_progress';
  const state = STATES[word];
  if (state === undefined) unknownWord(reading.mended, `${path}/status`, Object.keys(STATES));
  if (typeof approval === 'string') approvalAnswered(reading, approval, 'completed');
  moved(reading, id, state ?? 'pending', word, { ...described, error: state === 'failed' ? failureOf(error) : undefined });
}

function failureOf(error: unknown): OperationEvent['error'] | undefined {
  if (typeof error === 'string') return { message: shortText(error, LIMITS.message) ?? 'error' };
  if (!isObject(error)) return undefined;
  const content: unknown = Array.isArray(error['content']) ? error['content'][0] : undefined;
  const message = shortText(error['message'] ?? (isObject(content) ? content['text'] : undefined), LIMITS.message);
  return { message: message ?? 'error', ...present({ code: shortText(error['code'] ?? error['type'], LIMITS.word) }) };
}

/**
 * A sub-phase of what the service runs: it runs, and the phase says why it takes its time. The word that ends the last phase
 * is followed by the item itself, which also says what came of it: that ends the operation.
 */
export function itemPhase(reading: Reading, frame: Item, call: string, phase: string): void {
  const { item_id: id } = frame;
  if (typeof id !== 'string' || phase === 'completed' || phase === 'failed' || (HOSTED[call] === undefined && call !== 'compaction'))
    return;
  moved(reading, id, STATES[phase] as OperationState, phase, {});
}

function moved(
  reading: Reading,
  id: string,
  state: OperationState,
  word: string,
  members: Described & { readonly error?: OperationEvent['error'] | undefined },
): void {
  const { context, memory, events, seq } = reading;
  const reason = word === 'incomplete' ? word : isFinal(state) || word === 'in_progress' || STATES[word] === undefined ? null : word;
  events.push(
    operationEvent(context, context.run ?? memory.response, id, {
      state,
      seq,
      reason,
      ...members,
      native: nativeOf(NAME, word, { item_id: id }),
    }),
  );
}

/** The arguments of a call are the beginning of it: the client runs it after the response is over. */
function clientCalled(reading: Reading, item: Item, isDone: boolean, described: Described): void {
  const { call_id: id, status } = item;
  if (typeof id !== 'string') return;
  const { context, memory, events, seq } = reading;
  reading.memory = { ...memory, calls: withEntry(memory.calls, id, true, MAX_CALLS) };
  const isCut = status === 'incomplete';
  events.push(
    operationEvent(context, undefined, id, {
      state: isCut ? 'failed' : isDone ? 'waiting' : 'pending',
      seq,
      reason: isCut ? 'incomplete' : isDone ? 'client_call' : undefined,
      ...described,
      native: nativeOf(NAME, status, { call_id: id, item_id: item['id'] }),
    }),
  );
}

function clientCallOver(reading: Reading, { call_id: id, status }: Item): void {
  if (typeof id !== 'string' || !hasEntry(reading.memory.calls, id)) return;
  reading.memory = { ...reading.memory, calls: withoutEntry(reading.memory.calls, id) };
  const state = status === 'incomplete' ? 'failed' : 'completed';
  reading.events.push(operationEvent(reading.context, undefined, id, { state, reason: state === 'failed' ? 'incomplete' : null }));
}

/** The model goes on, so the client has answered: how, is not in this stream. */
export function clientCallsOver(reading: Reading): void {
  for (const [id] of reading.memory.calls ?? [])
    reading.events.push(operationEvent(reading.context, undefined, id, { state: 'interrupted', reason: null }));
  if (reading.memory.calls !== undefined) reading.memory = { ...reading.memory, calls: undefined };
}

function approvalAsked(reading: Reading, { id, name, server_label: server }: Item): void {
  if (typeof id !== 'string') return;
  const prompt = shortText([server, name].filter((part) => typeof part === 'string').join(': '), LIMITS.message);
  reading.events.push(
    operationEvent(reading.context, undefined, id, {
      state: 'blocked',
      seq: reading.seq,
      ...toolOf(name, 'mcp', server),
      kind: 'request',
      blockedOn: { kind: 'permission', requestId: id, ...present({ prompt }) },
      native: nativeOf(NAME, undefined, { item_id: id }),
    }),
  );
}

function approvalAnswered(reading: Reading, id: unknown, state: OperationState): void {
  if (typeof id === 'string') reading.events.push(operationEvent(reading.context, undefined, id, { state }));
}
