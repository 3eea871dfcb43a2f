import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { inputTitle, lastLine, operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { entryOf, hasEntry, withEntry } from '../entries.ts';
import { timeOfMs } from '../foreign-time.ts';
import { heldOperation } from '../held.ts';
import { nativeOf } from '../native.ts';
import { wordTable } from '../word-table.ts';
import { childOfCall } from './children.ts';
import { MAX_REMEMBERED, NAME, parentOf, runOf } from './memory.ts';
import type { OpenCodeMemory, Reading } from './memory.ts';
import { isAsked } from './requests.ts';

const STATES = wordTable<OperationState>({ pending: 'pending', running: 'running', completed: 'completed', error: 'failed' });

/** Tools whose work is the card itself. */
const LIST_TOOLS = new Set<unknown>(['todowrite', 'todoread']);

/** Calls of them that are remembered. */
const MAX_LISTS = 16;

function isList({ memory }: Reading, call: string): boolean {
  return entryOf(memory.lists, call) === true;
}

/** `message.part.updated` with a tool part. */
export function toolPart(reading: Reading, { part }: Record<string, unknown>): OpenCodeMemory | undefined {
  if (!isObject(part) || part['type'] !== 'tool' || typeof part['callID'] !== 'string' || LIST_TOOLS.has(part['tool'])) return undefined;
  const { callID, tool, sessionID, messageID } = part;
  const held = isObject(part['state']) ? part['state'] : {};
  const { status, title, input, metadata, error } = held;
  const state = typeof status === 'string' ? STATES[status] : undefined;
  if (state === undefined) unknownWord(reading.mended, '/properties/part/state/status', Object.keys(STATES));
  const times = isObject(held['time']) ? held['time'] : {};
  const data = isObject(metadata) ? metadata : {};
  reading.events.push(
    called(reading, callID, sessionID, state ?? 'pending', {
      kind: 'tool',
      tool: toolOf(tool),
      title: inputTitle(isObject(input) ? { description: input['description'] } : undefined) ?? shortText(title) ?? inputTitle(input),
      message: lastLine(data['output']),
      startedAt: timeOfMs(times['start']),
      endedAt: timeOfMs(times['end']),
      error: state === 'failed' ? { message: shortText(error, LIMITS.message) ?? 'error' } : undefined,
      native: nativeOf(NAME, status, { callID, messageID, sessionID }),
    }),
  );
  const after = remembered(reading, callID);
  return childOfCall({ ...reading, memory: after }, data['sessionId'], callID) ?? after;
}

/** The event of a call. While a person is asked about it, only its end changes its state. */
function called(
  reading: Reading,
  id: string,
  session: unknown,
  state: OperationState,
  members: { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] | undefined },
): OperationEvent {
  const isHeld = !isFinal(state) && isAsked(reading.memory, id);
  const run = runOfCall(reading, id);
  return operationEvent(reading.context, run, id, {
    state: isHeld ? undefined : state,
    seq: reading.seq,
    parent: parentOf(reading, session),
    ...members,
  });
}

/** The turn a call was first seen in; else what happens now. */
function runOfCall(reading: Reading, id: string): string | undefined {
  const { calls } = reading.memory;
  if (hasEntry(calls, id)) return entryOf(calls, id);
  const held = heldOperation(reading.context, NAME, id);
  return held === undefined ? runOf(reading) : held.run;
}

/** True for a call that nobody began, as far as can be known: where the session is held, it would be there. */
function isUnheard(reading: Reading, id: string): boolean {
  if (reading.context.held === undefined || hasEntry(reading.memory.calls, id)) return false;
  if (heldOperation(reading.context, NAME, id) !== undefined) return false;
  addIssue(reading.mended, '/properties/callID', 'conflict', 'must be a call that was begun before and was left out.');
  return true;
}

function toolOf(name: unknown): OperationEvent['tool'] | undefined {
  const text = shortText(name, LIMITS.word);
  // Whether a tool is OpenCode's own or an MCP server's cannot be told from its name.
  return text === undefined ? undefined : { name: text, origin: NAME };
}

/** `session.next.tool.called` and `session.next.shell.started`. */
export function toolCalled(reading: Reading, properties: Record<string, unknown>): OpenCodeMemory | undefined {
  const { callID, tool, input, command, sessionID, timestamp } = properties;
  if (!isText(callID, 1, LIMITS.id)) return undefined;
  // What follows of this call does not name the tool again.
  if (LIST_TOOLS.has(tool)) return { ...reading.memory, lists: withEntry(reading.memory.lists, callID, true, MAX_LISTS) };
  reading.events.push(
    called(reading, callID, sessionID, 'running', {
      kind: tool === undefined ? 'command' : 'tool',
      tool: toolOf(tool),
      title: shortText(command) ?? inputTitle(input),
      startedAt: timeOfMs(timestamp),
      native: nativeOf(NAME, undefined, { callID, sessionID }),
    }),
  );
  return remembered(reading, callID);
}

function remembered(reading: Reading, call: string): OpenCodeMemory {
  const { memory } = reading;
  if (hasEntry(memory.calls, call)) return memory;
  return { ...memory, calls: withEntry(memory.calls, call, runOfCall(reading, call), MAX_REMEMBERED) };
}

/** `session.next.tool.progress`: what the tool has put out so far, never how much of it. */
export function toolOutput(reading: Reading, { callID, content, sessionID }: Record<string, unknown>): undefined {
  if (typeof callID !== 'string' || isList(reading, callID) || isUnheard(reading, callID)) return;
  const texts: unknown[] = Array.isArray(content) ? content : [];
  const last = texts.findLast((each) => isObject(each) && typeof each['text'] === 'string');
  reading.events.push(called(reading, callID, sessionID, 'running', { message: lastLine(isObject(last) ? last['text'] : undefined) }));
}

/** `session.next.tool.success`, `session.next.tool.failed` and `session.next.shell.ended`. */
export function toolEnded(reading: Reading, properties: Record<string, unknown>, state: 'completed' | 'failed'): undefined {
  const { callID, error, output, sessionID, timestamp } = properties;
  if (typeof callID !== 'string' || isList(reading, callID) || isUnheard(reading, callID)) return;
  const message = isObject(error) ? shortText(error['message'], LIMITS.message) : undefined;
  reading.events.push(
    called(reading, callID, sessionID, state, {
      message: lastLine(output),
      endedAt: timeOfMs(timestamp),
      error: state === 'failed' ? { message: message ?? 'error' } : undefined,
    }),
  );
}
