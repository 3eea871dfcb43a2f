/**
 * ACP, the Agent Client Protocol, draft of the second version. Read as the first version (`acp`), with what is new in it:
 * `tool_call_update` creates and patches a call alike, has the states `paused` and `cancelled`, and any word with a leading
 * underscore; `tool_call_content_chunk`; `plan_update` and `plan_removed` by the name of a plan, entries or Markdown;
 * `state_update` for the session as a whole; `terminal_update`; permissions for a call, a command or nothing named;
 * `tool_call/cancel`.
 *
 * In: `null` clears what was said before, the state too. An underscored or unknown state is pending, with the word kept;
 * `_denied` is denied. `running` begins a run and `idle` ends it; the answer to a prompt says nothing. Calls belong to no
 * run, because they may outlive it: at `idle` those that are not listed in `background` are cancelled or interrupted. A terminal is an
 * operation that ends with its exit.
 *
 * Out: as in the first version, with the words of the second; runs become the state of the session. Beside our event the
 * `_meta` also holds `sitrep/acp: 2`, since an update of a call alone does not say its version.
 *
 * Lost on the way out to a peer that does not know the key: interrupted (failed) and denied (`_denied`, which it may show as
 * anything); waiting and blocked (in_progress; blocked on a permission is pending); steps that failed (cancelled); a note
 * beside steps; which run a state speaks of; and as in the first version priorities, amounts as numbers, parents, units,
 * times, usage, attempts, sequence, origins of tools and unlisted kinds.
 */
import { isObject, isText } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState, StepState } from '../wire/states.ts';
import type { Decoded, Dialect } from './dialect.ts';
import { opens, readMessage } from './acp/envelope.ts';
import { callOf, withCall } from './acp/memory.ts';
import type { AcpMemory } from './acp/memory.ts';
import { readPlanRemoved, readPlanUpdate, writePlan } from './acp/plan-v2.ts';
import type { AcpPlanContentUpdate } from './acp/plan-v2.ts';
import { readFrame } from './acp/read.ts';
import type { AcpContext } from './acp/read.ts';
import { textOf } from './acp/read-call.ts';
import { callAfter, dropped, passOver, placeOf } from './acp/read-update.ts';
import type { Reading } from './acp/read-update.ts';
import { readState, writeRun } from './acp/state-v2.ts';
import type { AcpStateUpdate } from './acp/state-v2.ts';
import { ACP_EVENT_KEY, ACP_VERSION_KEY } from './acp/words.ts';
import type { AcpWords } from './acp/words.ts';
import { notified, writeUpdate } from './acp/write.ts';
import type { AcpSessionInfoUpdate, AcpUpdateFrame } from './acp/write.ts';
import type { AcpCallUpdate } from './acp/write-call.ts';
import { lastLine } from './agent-stream.ts';
import { finishAll, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { planWords } from './mend-plan.ts';
import { nativeOf } from './native.ts';
import { readId, readText } from './reading.ts';
import { wordTable } from './word-table.ts';

/** A notification as it is written for a peer of the second version. */
export type AcpV2Frame = AcpUpdateFrame<AcpCallUpdate | AcpPlanContentUpdate | AcpStateUpdate | AcpSessionInfoUpdate>;

const OUT: Readonly<Record<OperationState, string>> = {
  pending: 'pending',
  running: 'in_progress',
  waiting: 'in_progress',
  blocked: 'in_progress',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  denied: '_denied',
  interrupted: 'failed',
};

const WORDS: AcpWords = {
  name: 'acp-v2',
  version: 2,
  states: wordTable({
    pending: 'pending',
    in_progress: 'running',
    paused: 'paused',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
    _denied: 'denied',
  }),
  out: (state, forPermission) => (forPermission ? 'pending' : OUT[state]),
  known: ['pending', 'running', 'waiting', 'paused', 'completed', 'failed', 'cancelled'],
  steps: planWords({ pending: 'pending', in_progress: 'in_progress', completed: 'completed', cancelled: 'cancelled' }),
  step: (state: StepState) => (state === 'failed' ? 'cancelled' : state),
  announces: false,
  nullClears: true,
};

/** Updates that only the second version has. */
const OWN: ReadonlySet<unknown> = new Set([
  'state_update',
  'tool_call_content_chunk',
  'plan_update',
  'plan_removed',
  'terminal_update',
  'terminal_output_chunk',
  'agent_message',
  'agent_thought',
  'user_message',
]);

function readOwn(reading: Reading, word: string): Decoded<AcpMemory> | undefined {
  switch (word) {
    case 'state_update':
      return readState(reading);
    case 'tool_call_content_chunk':
      return readChunk(reading);
    case 'plan_update':
      return readPlanUpdate(reading);
    case 'plan_removed':
      return readPlanRemoved(reading);
    case 'terminal_update':
      return readTerminal(reading);
    default:
      return undefined;
  }
}

/** A piece of a call's output: its last line is what the call says now. */
function readChunk({ body, path, sessionId, context, memory }: Reading): Decoded<AcpMemory> {
  const { toolCallId } = body;
  const held = callOf(memory, toolCallId);
  if (held === undefined) return dropped(`${path}/toolCallId`, 'names a call that nobody heard of; the chunk was dropped.');
  const message = lastLine(textOf(body['content']));
  if (message === undefined) return passOver();
  const place = placeOf(context, held, held.toolCallId);
  return finishAll([{ type: 'operation', ...place, message, native: nativeOf(WORDS.name, undefined, { sessionId, toolCallId }) }], []);
}

/** A command in a terminal of the agent's. */
function readTerminal({ body, path, sessionId, context, memory }: Reading): Decoded<AcpMemory> {
  const { terminalId, command, exitStatus } = body;
  const id = readId(terminalId);
  if (typeof id !== 'string')
    return refuse(`${path}/terminalId`, 'required', 'must be text that names the terminal.') as Decoded<AcpMemory>;
  const mended: Issue[] = [];
  const held = callOf(memory, id);
  const place = placeOf(context, held, id);
  const exit = isObject(exitStatus) ? exitOf(exitStatus) : undefined;
  const event: OperationEvent = {
    type: 'operation',
    ...place,
    ...(held === undefined ? { state: 'running' as const, kind: 'terminal' } : undefined),
    ...exit,
    ...present({ title: readText(command, LIMITS.title, `${path}/command`, mended) }),
    native: nativeOf(WORDS.name, undefined, { sessionId, terminalId: id }),
  };
  return finishAll([event], mended, withCall(memory, callAfter(memory, held, place, id, event)));
}

/** How a command ended: that it did is known even where neither a code nor a signal is. */
function exitOf({ exitCode, signal }: Record<string, unknown>): Pick<OperationEvent, 'state' | 'reason' | 'error'> {
  if (isText(signal, 1, LIMITS.word)) return { state: 'failed', reason: 'signal', error: { message: signal } };
  if (exitCode === 0) return { state: 'completed' };
  if (!Number.isSafeInteger(exitCode)) return { state: 'interrupted' };
  return { state: 'failed', reason: 'exit', error: { message: `exit code ${String(exitCode)}`, code: String(exitCode) } };
}

function detects(frame: unknown): boolean {
  const message = readMessage(frame);
  if (message === undefined) return false;
  if (opens(frame, 2)) return true;
  const { kind, body } = message;
  if (kind === 'permission') return body['toolCall'] === undefined && typeof body['title'] === 'string' && Array.isArray(body['options']);
  if (kind === 'cancel-call') return typeof body['toolCallId'] === 'string';
  if (kind !== 'update') return false;
  const { _meta: meta, sessionUpdate, status } = body;
  if (isObject(meta) && meta[ACP_EVENT_KEY] !== undefined) return meta[ACP_VERSION_KEY] === 2;
  if (OWN.has(sessionUpdate)) return true;
  if (sessionUpdate !== 'tool_call_update') return false;
  return status === 'paused' || status === 'cancelled' || (typeof status === 'string' && status.startsWith('_')) || 'capabilities' in body;
}

function updateOf(event: ProgressEvent, before: Parameters<Dialect<AcpV2Frame>['encode']>[1]): AcpV2Frame['params']['update'] {
  if (event.type === 'card') return writePlan(event, WORDS);
  return event.type === 'run' ? writeRun(event, WORDS) : writeUpdate(event, before, WORDS);
}

/** The dialect of ACP, second version. */
export const acpV2: Dialect<AcpV2Frame, AcpContext, AcpMemory> = guarded({
  name: WORDS.name,
  whole: ['operation', 'operation.clear', 'card', 'run', 'session'],
  detect: detects,
  decode: (frame, context, memory) => readFrame(frame, context, memory, WORDS, readOwn),
  encode: (event, before) => [notified(event, updateOf(event, before), WORDS)],
});

export type { AcpPlanContentUpdate } from './acp/plan-v2.ts';
export type { AcpStateUpdate } from './acp/state-v2.ts';
