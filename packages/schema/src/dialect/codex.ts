/**
 * The Codex app-server: JSON-RPC notifications `{method, params}` with or without `jsonrpc`, and the requests it sends for an
 * answer of a person. `turn/*` become runs named by the turn; items that take time (commands, file changes, calls of MCP and
 * other tools, agents, web searches, images, compactions, sleeps, hooks) become operations named by the item;
 * `turn/plan/updated` becomes the card, its explanation the note; goals become operations that outlive turns; names and token
 * counts become the session's.
 *
 * In: `declined` is denied and an interrupted turn cancelled. `item/mcpToolCall/progress` carries a text and no number, so the
 * call stays indeterminate. A request for approval blocks the item it names until it is resolved; the flags of a thread do the
 * same where the requests are not in the stream. Agents' threads are nested under the call that started them and never write
 * the session's card, title or usage; one that begins another turn is a new attempt. A usage or budget limit is `waiting`:
 * nobody is asked. Messages, reasoning and what is only output say nothing about progress and yield no event.
 *
 * In only: Codex has no way to be told of progress.
 */
import { isObject, isText } from '../check/guards.ts';
import { sessionEvent, shortText } from './agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from './card-event.ts';
import type { Decoded, Dialect } from './dialect.ts';
import { hasEntry, withEntry } from './entries.ts';
import { finishAll, refuse } from './finish.ts';
import { timeOfMs } from './foreign-time.ts';
import { guarded } from './guarded.ts';
import { mendNote, mendPlan } from './mend-plan.ts';
import { agentBegan } from './codex/agents.ts';
import { goalChanged, goalCleared } from './codex/goal.ts';
import { hookChanged } from './codex/hook.ts';
import { itemChanged, itemOutput } from './codex/items.ts';
import { MAX_REMEMBERED, recalled } from './codex/memory.ts';
import type { CodexContext, CodexMemory, Reading } from './codex/memory.ts';
import { askedOf, flagsChanged, isAsking, resolved } from './codex/requests.ts';
import { turnChanged, turnRetried } from './codex/turns.ts';
import { LIMITS } from '../wire/limits.ts';
import { wordTable } from './word-table.ts';

export type { CodexContext } from './codex/memory.ts';

/** A notification of the app-server. */
export interface CodexFrame {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const NAME = 'codex';

type Reader = (reading: Reading, params: Record<string, unknown>) => CodexMemory | undefined;

/** What is read, by method. Each answers the memory as it is afterwards, or nothing when it is the same. */
const READERS = wordTable<Reader>({
  'thread/started': threadStarted,
  'thread/name/updated': (reading, params) => named(reading, params['threadName']),
  'thread/tokenUsage/updated': tokensCounted,
  'thread/status/changed': flagsChanged,
  'thread/goal/updated': goalChanged,
  'thread/goal/cleared': goalCleared,
  'turn/started': turnChanged,
  'turn/completed': turnChanged,
  'turn/plan/updated': planned,
  error: turnRetried,
  'item/started': itemChanged,
  'item/completed': itemChanged,
  'item/mcpToolCall/progress': (reading, params) => itemOutput(reading, params, params['message']),
  'item/commandExecution/outputDelta': (reading, params) => itemOutput(reading, params, params['delta']),
  'hook/started': hookChanged,
  'hook/completed': hookChanged,
  'serverRequest/resolved': resolved,
});

function decode(frame: unknown, context: CodexContext, memory: CodexMemory = recalled(context)): Decoded<CodexMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be a notification with method and params.');
  const { method, params } = frame;
  if (typeof method !== 'string') return refuse('/method', method === undefined ? 'required' : 'type', 'must be text.');
  if (!isObject(params)) return refuse('/params', 'type', 'must be an object.');
  const at = timeOfMs(frame['emittedAtMs'] ?? (isAsking(method) ? params['startedAtMs'] : undefined));
  const reading: Reading = {
    context: at === undefined ? context : { ...context, at },
    stamped: at !== undefined,
    memory: withMain(memory, context, params),
    events: [],
    mended: [],
  };
  if (isForeign(reading, params)) return finishAll([], []);
  const read = READERS[method];
  const after = read?.(reading, params) ?? (isAsking(method) ? askedOf(reading, frame, method, params) : undefined) ?? reading.memory;
  return finishAll<CodexMemory>(reading.events, reading.mended, after === memory ? undefined : after);
}

/** The thread that speaks for the session: the one the caller names, else the first that is nobody's agent. */
function withMain(memory: CodexMemory, context: CodexContext, params: Record<string, unknown>): CodexMemory {
  const main = context.thread ?? memory.main;
  if (main !== undefined) return memory.main === main ? memory : { ...memory, main };
  const { thread, threadId } = params;
  if (isObject(thread)) return isText(thread['id'], 1, LIMITS.id) && !isChild(thread) ? { ...memory, main: thread['id'] } : memory;
  return isText(threadId, 1, LIMITS.id) && !hasEntry(memory.agents, threadId) ? { ...memory, main: threadId } : memory;
}

function isChild(thread: Record<string, unknown>): boolean {
  return typeof thread['parentThreadId'] === 'string';
}

/**
 * What happens in a thread that began beside ours is somebody else's. With a thread named by the caller, so is all that
 * belongs to neither it nor one of its agents.
 */
function isForeign({ context, memory }: Reading, params: Record<string, unknown>): boolean {
  const { thread, threadId } = params;
  const id = isObject(thread) ? thread['id'] : threadId;
  if (context.thread === undefined) return typeof id === 'string' && hasEntry(memory.others, id);
  if (id === context.thread || (typeof id === 'string' && hasEntry(memory.agents, id))) return false;
  if (!isObject(thread)) return true;
  const { parentThreadId } = thread;
  return parentThreadId !== context.thread && !(typeof parentThreadId === 'string' && hasEntry(memory.agents, parentThreadId));
}

function threadStarted(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  const { thread } = params;
  if (!isObject(thread)) return undefined;
  const { memory } = reading;
  const { id, parentThreadId } = thread;
  const isOther = isChild(thread) ? hasEntry(memory.others, parentThreadId as string) : id !== memory.main;
  if (isOther) return isText(id, 1, LIMITS.id) ? { ...memory, others: withEntry(memory.others, id, true, MAX_REMEMBERED) } : undefined;
  if (isChild(thread)) return agentBegan(reading, thread);
  return named(reading, thread['name'] ?? thread['preview']);
}

function named(reading: Reading, value: unknown): undefined {
  const title = shortText(value);
  if (title !== undefined) reading.events.push(sessionEvent(reading.context, { title }));
}

function isMain({ memory }: Reading, params: Record<string, unknown>): boolean {
  return params['threadId'] === memory.main;
}

function tokensCounted(reading: Reading, params: Record<string, unknown>): undefined {
  const usage = isObject(params['tokenUsage']) ? params['tokenUsage']['total'] : undefined;
  const tokens = isObject(usage) ? usage['totalTokens'] : undefined;
  if (isMain(reading, params) && typeof tokens === 'number' && tokens >= 0)
    reading.events.push(sessionEvent(reading.context, { usage: { tokens } }));
}

function planned(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  if (!isMain(reading, params)) return undefined;
  const { context, memory, events, mended } = reading;
  const plan = mendPlan(params['plan'], '/params/plan', mended);
  if (plan === undefined) return undefined;
  const revision = nextRevision(context, memory);
  const turn = typeof params['turnId'] === 'string' ? params['turnId'] : undefined;
  const body = bodyOf(plan, mendNote(params['explanation'], '/params/explanation', mended));
  events.push(cardEvent({ ...context, run: context.run ?? turn }, revision, context.at, body));
  return { ...memory, revision };
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame) || typeof frame['method'] !== 'string' || !isObject(frame['params'])) return false;
  const { method, params } = frame;
  if (READERS[method] === undefined && !isAsking(method)) return false;
  return typeof params['threadId'] === 'string' || (method === 'thread/started' && isObject(params['thread']));
}

/** The dialect of the Codex app-server. */
export const codex: Dialect<CodexFrame, CodexContext> = guarded({
  name: NAME,
  whole: [],
  only: 'in',
  detect: isOwn,
  decode,
  encode: () => [],
});
