import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import type { CardEvent } from '../../wire/card.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, placed, present, refuse } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { readId, readIsoTime, readText } from '../reading.ts';
import { firstOf } from '../agent-stream.ts';
import { eventInSlot } from '../slot.ts';
import { cardText } from './card-text.ts';
import { A2A_EVENT_KEY, CARD_ARTIFACT, MOST_TEXT, partsText, readContent } from './frames.ts';
import type { A2aContent } from './frames.ts';
import { isKnown, meaning, NAME, stateWord, wordOf } from './states.ts';
import { taskIdOf } from './write.ts';

/** The tasks a stream told of, so that what one of them makes is no start of another; and the newest card. Bounded. */
export interface A2aMemory extends CardMemory {
  readonly tasks: readonly string[];
}

const NOTHING_HEARD: A2aMemory = Object.freeze({ tasks: [] });

/** Tasks of one list, or cards of one task, that are read. */
const MOST_ITEMS = 100;

/** Reads one frame of a stream, or the answer to a request for tasks. */
export function decode(frame: unknown, context: DecodeContext, memory: A2aMemory = NOTHING_HEARD): Decoded<A2aMemory> {
  const content = readContent(frame);
  if (content === undefined)
    return refuse('', 'type', 'must be a task, message, statusUpdate or artifactUpdate of A2A 1.0.') as Decoded<A2aMemory>;
  switch (content.kind) {
    case 'statusUpdate':
      return readUpdate(content, context, memory);
    case 'task':
      return readTask(content, context, memory);
    case 'tasks':
      return readTasks(content, context, memory);
    case 'artifactUpdate':
      return readArtifactUpdate(content, context, memory);
    case 'error':
      return failedRequest(content);
    default:
      // A message outside a task is an answer, and no work.
      return finishAll([], []);
  }
}

/** A request that was refused says nothing of the task it was about: it may run on, or have ended long ago. */
function failedRequest({ path }: A2aContent): Decoded<A2aMemory> {
  const mended: Issue[] = [];
  addIssue(mended, path, 'conflict', 'refuses a request; it says nothing of a task and was passed over.');
  return finishAll([], mended);
}

function readUpdate({ value, path }: A2aContent, context: DecodeContext, memory: A2aMemory): Decoded<A2aMemory> {
  const id = readId(value['taskId']);
  if (typeof id !== 'string') return refuse(`${path}/taskId`, 'required', 'must be text that names the task.') as Decoded<A2aMemory>;
  const mended: Issue[] = [];
  const whole = wholeOperation(value, id, path, context, mended);
  const event = whole ?? statusEvent(value, id, path, context, mended);
  return finishAll([event], mended, withTask(memory, id));
}

/** What a task says of itself, and what is to be remembered of it. */
interface Told {
  readonly events: readonly ProgressEvent[];
  readonly memory: A2aMemory;
}

function readTask(content: A2aContent, context: DecodeContext, memory: A2aMemory): Decoded<A2aMemory> {
  const mended: Issue[] = [];
  const told = taskEvents(content, context, memory, mended);
  if (told === undefined) return refuse(`${content.path}/id`, 'required', 'must be text that names the task.') as Decoded<A2aMemory>;
  return finishAll(told.events, mended, told.memory);
}

/** A list of tasks: one that cannot be read does not keep the others from being read. */
function readTasks({ value, path }: A2aContent, context: DecodeContext, memory: A2aMemory): Decoded<A2aMemory> {
  const mended: Issue[] = [];
  const events: ProgressEvent[] = [];
  let after = memory;
  for (const [index, task] of firstOf(value['tasks'] as unknown[], MOST_ITEMS, `${path}/tasks`, mended).entries()) {
    const at = `${path}/tasks/${index}`;
    const told = isObject(task) ? taskEvents({ kind: 'task', value: task, path: at }, context, after, mended) : undefined;
    if (told === undefined) addIssue(mended, at, 'type', 'must be a task with an id and was left out.');
    else {
      events.push(...told.events);
      after = told.memory;
    }
  }
  return finishAll(events, mended, after);
}

/** A task as it stands: what its status says, then the newest that was said through the slot, then its card. */
function taskEvents({ value, path }: A2aContent, context: DecodeContext, memory: A2aMemory, mended: Issue[]): Told | undefined {
  const id = readId(value['id']);
  if (typeof id !== 'string') return undefined;
  const whole = wholeOperation(value, id, path, context, mended);
  const cards = cardsOf(value['artifacts'], `${path}/artifacts`, context, mended);
  return {
    events: [statusEvent(value, id, path, context, mended), ...(whole === undefined ? [] : [whole]), ...cards],
    memory: cards.reduce(withCard, withTask(memory, id)),
  };
}

function statusEvent(
  value: Readonly<Record<string, unknown>>,
  taskId: string,
  path: string,
  context: DecodeContext,
  mended: Issue[],
): OperationEvent {
  const status = isObject(value['status']) ? value['status'] : undefined;
  // What is stored of a task may be all but its status, and that says nothing of a state.
  if (status === undefined) return silentEvent(value, taskId, path, context, mended);
  const word = wordOf(status['state']);
  if (!isKnown(word)) addIssue(mended, `${path}/status/state`, 'enum', 'must be a state of a task and was read as pending.');
  const message = isObject(status['message']) ? status['message'] : {};
  const { messageId } = message;
  const text = readText(partsText(message['parts']), LIMITS.message, `${path}/status/message/parts`, mended);
  return {
    ...placed(context, taskId),
    at: readIsoTime(status['timestamp'], `${path}/status/timestamp`, mended) ?? context.at,
    ...saying(word, text),
    native: nativeOf(NAME, word, { taskId, contextId: value['contextId'], messageId }),
  };
}

function silentEvent(
  { contextId }: Readonly<Record<string, unknown>>,
  taskId: string,
  path: string,
  context: DecodeContext,
  mended: Issue[],
): OperationEvent {
  addIssue(mended, `${path}/status`, 'required', 'must be the status of the task; nothing is said of its state.');
  return { ...placed(context, taskId), native: nativeOf(NAME, undefined, { taskId, contextId }) };
}

/** The text beside a state is the question it asks, the reason it failed for, or what goes on. */
function saying(word: string | undefined, text: string | undefined): Pick<OperationEvent, 'state' | 'message' | 'blockedOn' | 'error'> {
  const state = word === undefined ? 'pending' : meaning(word);
  if (state === 'blocked') {
    const kind = word === 'TASK_STATE_AUTH_REQUIRED' ? 'auth' : 'question';
    return { state, blockedOn: { kind, ...present({ prompt: text }) } };
  }
  if (state === 'failed' && text !== undefined) return { state, error: { message: text } };
  return { state, ...present({ message: text }) };
}

/** Our event beside a status: of the task itself if it is in that state, or of something within the task. */
function wholeOperation(
  value: Readonly<Record<string, unknown>>,
  taskId: string,
  path: string,
  context: DecodeContext,
  mended: Issue[],
): OperationEvent | undefined {
  const status = isObject(value['status']) ? value['status'] : {};
  const word = wordOf(status['state']);
  const slot = { holder: value['metadata'], key: A2A_EVENT_KEY, path: `${path}/metadata` };
  const event = eventInSlot(
    slot,
    context,
    mended,
    (each) => each.type === 'operation' && (taskIdOf(each) !== taskId || each.state === undefined || sameMeaning(stateWord(each), word)),
  );
  return event?.type === 'operation' ? event : undefined;
}

/** Which of two words for one state was written depends on what was known beside the event, and that is not at hand here. */
function sameMeaning(written: string, word: string | undefined): boolean {
  return word !== undefined && meaning(written) === meaning(word);
}

function readArtifactUpdate({ value, path }: A2aContent, context: DecodeContext, memory: A2aMemory): Decoded<A2aMemory> {
  const { taskId, artifact } = value;
  const id = readId(taskId);
  if (typeof id !== 'string') return refuse(`${path}/taskId`, 'required', 'must be text that names the task.') as Decoded<A2aMemory>;
  const mended: Issue[] = [];
  if (isCardArtifact(artifact)) {
    const card = cardOf(artifact, `${path}/artifact`, context, mended);
    return card === undefined ? finishAll([], mended) : finishAll([card], mended, withCard(memory, card));
  }
  if (!memory.tasks.includes(id)) {
    addIssue(mended, `${path}/taskId`, 'required', 'names a task nobody heard of; what it made was dropped.');
    return finishAll([], mended);
  }
  const { artifactId, name } = isObject(artifact) ? artifact : {};
  // A further piece of the same thing only says that the task is alive.
  const message = value['append'] === true ? undefined : readText(name || undefined, LIMITS.message, `${path}/artifact/name`, mended);
  const native = nativeOf(NAME, undefined, { taskId: id, contextId: value['contextId'], artifactId });
  return finishAll([{ ...placed(context, id), ...present({ message }), native }], mended);
}

/** Our cards among what a task made. */
function cardsOf(artifacts: unknown, path: string, context: DecodeContext, mended: Issue[]): CardEvent[] {
  if (!Array.isArray(artifacts)) return [];
  // Found before they are counted: a task may have made a lot else.
  const ours = artifacts.flatMap((artifact: unknown, index) => (isCardArtifact(artifact) ? [{ artifact, index }] : []));
  return firstOf(ours, MOST_ITEMS, path, mended).flatMap(
    ({ artifact, index }) => cardOf(artifact, `${path}/${index}`, context, mended) ?? [],
  );
}

/** The card in an artifact of that name, as long as nobody changed its text. */
function cardOf(artifact: unknown, path: string, context: DecodeContext, mended: Issue[]): CardEvent | undefined {
  if (!isCardArtifact(artifact)) return undefined;
  const text = partsText(artifact['parts']) ?? '';
  const slot = { holder: artifact['metadata'], key: A2A_EVENT_KEY, path: `${path}/metadata` };
  const event = eventInSlot(slot, context, mended, (each) => each.type === 'card' && cardText(each).slice(0, MOST_TEXT) === text);
  return event?.type === 'card' ? event : undefined;
}

function isCardArtifact(artifact: unknown): artifact is Record<string, unknown> {
  return isObject(artifact) && artifact['artifactId'] === CARD_ARTIFACT;
}

function withTask(memory: A2aMemory, id: string): A2aMemory {
  return memory.tasks.includes(id) ? memory : { ...memory, tasks: [...memory.tasks, id].slice(-LIMITS.operations) };
}

function withCard(memory: A2aMemory, { revision }: CardEvent): A2aMemory {
  return revision > (memory.revision ?? 0) ? { ...memory, revision } : memory;
}
