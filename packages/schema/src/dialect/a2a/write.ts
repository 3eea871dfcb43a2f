import { truncate } from '../../check/text/truncate.ts';
import type { CardEvent } from '../../wire/card.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { SessionView } from '../dialect.ts';
import { present } from '../finish.ts';
import { mergedOperation } from '../merged-operation.ts';
import { nativeId } from '../native.ts';
import { sayingOf } from '../saying.ts';
import { shortHash } from '../short-hash.ts';
import { titleText } from '../text-out.ts';
import { cardText } from './card-text.ts';
import { A2A_EVENT_KEY, CARD_ARTIFACT } from './frames.ts';
import type { A2aArtifactUpdate, A2aMessage, A2aStatusUpdate } from './frames.ts';
import { KNOWN, NAME, stateWord } from './states.ts';

/** How many parents are looked for. */
const DEEPEST = 64;

/** The peer's name for an operation. It knows no runs, and no numbers beside texts. */
export function taskIdOf(event: OperationEvent): string {
  return String(nativeId(event, NAME, 'taskId') ?? event.id);
}

/** An event of a task in the peer's words alone, from nothing but the event. */
export function writeStatus(event: OperationEvent): A2aStatusUpdate {
  return statusUpdate(event, event, sayingOf(event, KNOWN));
}

/** An event with what is known beside it: of the task it is, or within the task it is part of. Our event travels along. */
export function writeWhole(event: OperationEvent, before: SessionView | undefined): A2aStatusUpdate {
  const held = before?.find(event.id, event.run);
  const merged = mergedOf(event, held, before);
  const task = rootOf(event, held, before);
  // The state of what is within a task stands nowhere but in the text.
  const said = sayingOf(merged, task === undefined ? KNOWN : ['pending', 'running', 'waiting']);
  const title = titleText({ ...held, ...event });
  const text = task === undefined ? said || title : truncate(said === '' ? title : `${title}: ${said}`, LIMITS.message);
  return { ...statusUpdate(event, task ?? merged, text), metadata: { [A2A_EVENT_KEY]: event } };
}

/** What was said in an earlier state is not said again. */
function mergedOf(event: OperationEvent, held: Operation | undefined, before: SessionView | undefined): OperationEvent {
  const merged = mergedOperation(event, before);
  if (held === undefined || typeof event.message === 'string' || merged.state === held.state) return merged;
  return { ...merged, message: null };
}

/** The outermost operation this one is part of, if it is another one, and one the peer can tell from it. */
function rootOf(event: OperationEvent, held: Operation | undefined, before: SessionView | undefined): OperationEvent | undefined {
  let parent = event.parent === undefined ? held?.parent : (event.parent ?? undefined);
  let root: Operation | undefined;
  for (let depth = 0; parent !== undefined && depth < DEEPEST; depth += 1) {
    const next: Operation | undefined = before?.find(parent, event.run) ?? before?.find(parent);
    if (next === undefined) break;
    root = next;
    parent = next.parent;
  }
  if (root === undefined) return undefined;
  const task: OperationEvent = { type: 'operation', session: event.session, at: event.at, ...root };
  return taskIdOf(task) === taskIdOf(event) ? undefined : task;
}

function statusUpdate(event: OperationEvent, task: OperationEvent, text: string): A2aStatusUpdate {
  const taskId = taskIdOf(task);
  const contextId = contextIdOf(task);
  const messageId = String(nativeId(event, NAME, 'messageId') ?? messageIdOf(event, text));
  const message: A2aMessage | undefined = text === '' ? undefined : { messageId, contextId, taskId, role: 'ROLE_AGENT', parts: [{ text }] };
  const status = { state: stateWord(task), ...present({ message }), timestamp: new Date(event.at).toISOString() };
  return { taskId, contextId, status };
}

/**
 * A name for what is said. Peers keep one message of a name, so that what is said at the same instant, in another run or at
 * another attempt needs another one.
 */
function messageIdOf({ id, run, attempt = 1, seq, at }: OperationEvent, text: string): string {
  const place = [...(run === undefined ? [] : [run]), id, ...(attempt > 1 ? [attempt] : [])].join('-');
  return `${place}-${seq ?? `${at}-${shortHash(text)}`}`;
}

function contextIdOf(event: OperationEvent): string {
  return String(nativeId(event, NAME, 'contextId') ?? event.session);
}

/** A card as something the task at work has made: it is replaced whole, and stays with the task. */
export function writeCard(event: CardEvent, before: SessionView | undefined): A2aArtifactUpdate {
  const { run, session } = event;
  const task = taskAtWork(before, run);
  const place = task === undefined ? undefined : ({ type: 'operation', session, at: event.at, ...task } satisfies OperationEvent);
  return {
    taskId: place === undefined ? (run ?? session) : taskIdOf(place),
    contextId: place === undefined ? session : contextIdOf(place),
    artifact: {
      artifactId: CARD_ARTIFACT,
      name: 'Progress',
      parts: [{ text: cardText(event), mediaType: 'text/markdown' }],
      metadata: { [A2A_EVENT_KEY]: event },
    },
    lastChunk: true,
  };
}

/** The newest outermost operation that is not over, of this run if the card names one; else the newest of all. */
function taskAtWork(before: SessionView | undefined, run: string | undefined): Operation | undefined {
  let newest: Operation | undefined;
  let live: Operation | undefined;
  for (const operation of before?.operations.values() ?? []) {
    if (operation.parent !== undefined || (run !== undefined && operation.run !== undefined && operation.run !== run)) continue;
    newest = operation;
    if (!isFinal(operation.state)) live = operation;
  }
  return live ?? newest;
}
