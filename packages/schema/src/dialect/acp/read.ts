import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, refuse } from '../finish.ts';
import { readCompaction, readSessionInfo, readUsage } from './about.ts';
import { readMessage } from './envelope.ts';
import type { AcpMessage } from './envelope.ts';
import { NOTHING_HEARD, withoutOther, withOther } from './memory.ts';
import type { AcpMemory } from './memory.ts';
import { askedBy, readOutcome, readOutcomeError, readPermission, readQuestion } from './permission.ts';
import { passOver, readCallUpdate } from './read-update.ts';
import type { Reading } from './read-update.ts';
import { isChild, isOfChild, readSubagent } from './subagent.ts';
import { readCancel, readCancelRequest, readLoad, readLoaded, readPrompt, readPromptError, readStop, turnOf } from './turn.ts';
import { ACP_EVENT_KEY } from './words.ts';
import type { AcpWords } from './words.ts';

/** What the caller of an ACP dialect may know beyond the frame. */
export interface AcpContext extends DecodeContext {
  /**
   * The peer's name of the session. A connection may carry several: frames that name another are then passed over.
   * Default: every frame is taken to be of this session.
   */
  readonly sessionId?: string | undefined;
}

/** Updates that say nothing of progress: what is said, what could be said, and how the session is set. */
const SILENT: ReadonlySet<unknown> = new Set([
  'user_message_chunk',
  'user_message',
  'agent_message_chunk',
  'agent_message',
  'agent_thought_chunk',
  'agent_thought',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'notice',
  'compaction_summary_chunk',
  'terminal_output_chunk',
  'session_message',
  'session_message_chunk',
]);

/** One frame of either version; `own` reads the updates that only this version has. */
export function readFrame(
  frame: unknown,
  context: AcpContext,
  memory: AcpMemory | undefined,
  words: AcpWords,
  own: (reading: Reading, word: string) => Decoded<AcpMemory> | undefined,
): Decoded<AcpMemory> {
  const message = readMessage(frame);
  if (message === undefined)
    return refuse('', 'type', 'must be a message of ACP, or the parameters or the update of one.') as Decoded<AcpMemory>;
  const { body, path, sessionId, rpc } = message;
  const held = memory ?? NOTHING_HEARD;
  const ofChild = isChild(held, sessionId);
  if (context.sessionId !== undefined && sessionId !== undefined && sessionId !== context.sessionId && !ofChild)
    return ofAnother(path, isRequest(message) && rpc !== undefined ? withOther(held, rpc) : undefined);
  // What a child session does is part of the child.
  const within = ofChild && context.parent === undefined ? { ...context, parent: sessionId } : context;
  return readBody(message, { body, path, sessionId: sessionId ?? context.sessionId, context: within, memory: held, words }, own);
}

function isRequest({ kind }: AcpMessage): boolean {
  return kind !== 'result' && kind !== 'error';
}

function ofAnother(path: string, memory: AcpMemory | undefined): Decoded<AcpMemory> {
  const mended: Issue[] = [];
  addIssue(mended, path, 'session', 'names another session and was passed over.');
  return finishAll([], mended, memory);
}

function readBody(
  { kind, rpc }: AcpMessage,
  reading: Reading,
  own: (reading: Reading, word: string) => Decoded<AcpMemory> | undefined,
): Decoded<AcpMemory> {
  const { body, memory, sessionId } = reading;
  const ofChild = isChild(memory, sessionId);
  switch (kind) {
    case 'update':
      return readUpdate(reading, own);
    case 'permission':
      return readPermission(reading, rpc);
    case 'question':
      return readQuestion(reading, rpc);
    case 'prompt':
      return ofChild ? passOver() : readPrompt(reading, rpc);
    case 'load':
      return readLoad(reading, rpc);
    case 'cancel':
      return readCancel(reading, (call) => (ofChild ? call.toolCallId === sessionId : isWithin(memory, call.sessionId, sessionId)));
    case 'cancel-call':
      return readCancel(reading, ({ toolCallId }) => toolCallId === body['toolCallId']);
    case 'cancel-request':
      return readCancelRequest(reading, body['requestId']);
    case 'result':
      return typeof body['stopReason'] === 'string' ? readEnd(reading, rpc) : readAnswer(reading, rpc);
    case 'error':
      return readError(reading, rpc);
    default:
      return rpc === undefined ? passOver() : finishAll([], [], withOther(memory, rpc));
  }
}

/** An answer to a request about something else, unless there was none. */
function readOther({ memory }: Reading, rpc: string | number | undefined): Decoded<AcpMemory> | undefined {
  const after = withoutOther(memory, rpc);
  return after === memory ? undefined : finishAll([], [], after);
}

function readEnd(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const ofAnotherPrompt = turnOf(reading.memory, rpc) === undefined ? readOther(reading, rpc) : undefined;
  return ofAnotherPrompt ?? readStop(reading, rpc);
}

/** Most answers are to requests that say nothing of progress. */
function readAnswer(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const { body, memory } = reading;
  const asked = askedBy(memory, rpc);
  if (asked !== undefined && body[asked.question === true ? 'action' : 'outcome'] !== undefined) return readOutcome(reading, asked);
  const other = readOther(reading, rpc);
  if (other !== undefined) return other;
  if (body['outcome'] !== undefined) return readOutcome(reading, undefined);
  return isLoaded(memory, rpc) ? readLoaded(reading) : passOver();
}

function readError(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const { memory } = reading;
  // Both sides number their requests from the beginning. Of two with one number, that of the agent is within the other.
  const asked = askedBy(memory, rpc);
  if (asked !== undefined) return readOutcomeError(reading, asked);
  const other = readOther(reading, rpc);
  if (other !== undefined) return other;
  if (isLoaded(memory, rpc)) return readLoaded(reading);
  const turn = turnOf(memory, rpc);
  return turn === undefined ? passOver() : readPromptError(reading, turn);
}

/** True for the answer to the request that had a session told once more. */
function isLoaded({ loading }: AcpMemory, rpc: string | number | undefined): boolean {
  return loading !== undefined && loading === rpc;
}

/** True where a session is this one or a child of one we hear, as far as both are named. */
function isWithin(memory: AcpMemory, one: string | undefined, session: string | undefined): boolean {
  return one === undefined || session === undefined || one === session || isChild(memory, one);
}

function readUpdate(reading: Reading, own: (reading: Reading, word: string) => Decoded<AcpMemory> | undefined): Decoded<AcpMemory> {
  const { body, path } = reading;
  const word = body['sessionUpdate'] as string;
  if (isOfChild(reading, word) && !hasSlot(body)) return passOver();
  const read = own(reading, word);
  if (read !== undefined) return read;
  switch (word) {
    case 'tool_call_update':
      return readCallUpdate(reading);
    case 'session_info_update':
      return readSessionInfo(reading);
    case 'usage_update':
      return readUsage(reading);
    case 'subagent_update':
      return readSubagent(reading);
    case 'compaction_update':
      return readCompaction(reading);
    default:
      return SILENT.has(word) ? passOver() : unheardOf(`${path}/sessionUpdate`);
  }
}

/** Our own events say themselves what they are about. */
function hasSlot({ _meta: meta }: Record<string, unknown>): boolean {
  return isObject(meta) && meta[ACP_EVENT_KEY] !== undefined;
}

function unheardOf(path: string): Decoded<AcpMemory> {
  const mended: Issue[] = [];
  addIssue(mended, path, 'unknown_type', 'is an update this version does not know; it was passed over.');
  return passOver(mended);
}
