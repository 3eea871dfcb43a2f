/** A conversation as a whole: the only place where the protocol says that a tool failed. */
import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import { present, refuse } from '../finish.ts';
import { readId, readText } from '../reading.ts';
import { isOwnActivity } from './frames.ts';
import { readActivity } from './read-activity.ts';
import { answer, operationOf, runOf } from './reading-frame.ts';
import type { Frame, Reader, Reading } from './reading-frame.ts';
import { toolOf, withCall } from './read-tool.ts';
import type { AgUiMemory } from './memory.ts';

/** The newest messages that are looked at. */
const MAX_MESSAGES = 2000;

export const readMessagesSnapshot: Reader = (frame, reading) => {
  const { messages } = frame;
  if (!Array.isArray(messages)) return refuse('/messages', 'type', 'must be a list of messages.');
  const from = Math.max(0, messages.length - MAX_MESSAGES);
  if (from > 0) addIssue(reading.mended, '/messages', 'too_many', `must have at most ${MAX_MESSAGES} messages; the newest were read.`);
  let { memory } = reading;
  const events: ProgressEvent[] = [];
  for (const [index, message] of messages.slice(from).entries()) {
    if (!isObject(message)) continue;
    const path = `/messages/${from + index}`;
    const found = readMessage(message, frame, { ...reading, memory }, path);
    events.push(...found.events);
    memory = found.memory;
  }
  return answer(reading, events, memory);
};

/** Results of tools alone, for the echo of what a run was started with. */
export function readResults(messages: unknown, frame: Frame, reading: Reading, path: string): ProgressEvent[] {
  if (!Array.isArray(messages)) return [];
  return messages
    .slice(-MAX_MESSAGES)
    .filter((message) => isObject(message) && message['role'] === 'tool' && isKnown(reading, message['toolCallId']))
    .flatMap((message: Frame) => readMessage(message, frame, reading, path).events);
}

function isKnown({ memory }: Reading, id: unknown): boolean {
  return memory.calls.some((call) => call.id === id);
}

interface Found {
  readonly events: readonly ProgressEvent[];
  readonly memory: AgUiMemory;
}

function readMessage(message: Frame, frame: Frame, reading: Reading, path: string): Found {
  const nothing = { events: [], memory: reading.memory };
  switch (message['role']) {
    case 'assistant':
      return Array.isArray(message['toolCalls']) ? readCalls(message, message['toolCalls'], frame, reading, path) : nothing;
    case 'tool':
      return readResult(message, frame, reading, path);
    case 'activity': {
      const activity = readActivity(
        { ...message, type: 'ACTIVITY_SNAPSHOT', timestamp: frame['timestamp'], messageId: message['id'] },
        reading,
      );
      if (activity.ok) return { events: activity.events, memory: activity.memory ?? reading.memory };
      if (isOwnActivity(message['activityType']))
        reading.mended.push(...activity.issues.map((issue) => ({ ...issue, path: path + issue.path })));
      return nothing;
    }
    default:
      return nothing;
  }
}

function readCalls(message: Frame, calls: readonly unknown[], frame: Frame, reading: Reading, path: string): Found {
  let { memory } = reading;
  const events: ProgressEvent[] = [];
  for (const [index, call] of calls.slice(0, LIMITS.operations).entries()) {
    const id = isObject(call) ? readId(call['id']) : undefined;
    // A call that is known is where its own frames left it.
    if (!isObject(call) || typeof id !== 'string' || memory.calls.some((known) => known.id === id)) continue;
    const name = isObject(call['function']) ? call['function']['name'] : undefined;
    const told = { ...frame, toolCallId: id, parentMessageId: message['id'], subagentRunId: message['subagentRunId'] };
    const tool = toolOf(name, `${path}/toolCalls/${index}/function/name`, reading);
    // What stands in a conversation has its arguments.
    events.push(
      operationOf(told, reading, id, { state: 'running', kind: 'tool', ...present({ tool }) }, [
        'toolCallId',
        'parentMessageId',
        'subagentRunId',
      ]),
    );
    memory = withCall(memory, { id, run: runOf(reading) });
  }
  return { events, memory };
}

function readResult(message: Frame, frame: Frame, reading: Reading, path: string): Found {
  const id = readId(message['toolCallId']);
  if (typeof id !== 'string') return { events: [], memory: reading.memory };
  const failed = typeof message['error'] === 'string';
  const text = readText(message['error'], LIMITS.message, `${path}/error`, reading.mended);
  const told = { ...frame, toolCallId: id, messageId: message['id'], subagentRunId: message['subagentRunId'] };
  const known = reading.memory.calls.find((call) => call.id === id);
  const event = operationOf(
    told,
    known === undefined ? reading : { ...reading, context: { ...reading.context, run: known.run } },
    id,
    failed
      ? { state: 'failed', error: { message: text === undefined || text === '' ? 'Failed without a message.' : text } }
      : { state: 'completed' },
    ['toolCallId', 'messageId', 'subagentRunId'],
  );
  return { events: [event], memory: known === undefined ? reading.memory : withCall(reading.memory, { ...known, isOver: true }) };
}
