/**
 * `codex exec --json`: one JSON object a line, `{type, …}`. A stream is one process; its items are numbered from 0 again in
 * each, so every turn becomes a run of a name of its own: the thread, the time it was first seen and its number.
 *
 * In: `todo_list` has no step in progress, only done or not, so nothing is marked as being worked on; the list that is sent
 * again at the end unchanged is no new revision. Commands, file changes, calls of MCP tools, web searches and agents become
 * operations. A token count is that of the whole thread up to then; those of several threads are added up for the session.
 * `error` lines report what the program gets over by itself (a lost connection, a model it does not know): they mark the run
 * with the reason `error`, and their text is not kept; a turn that fails says why in `turn.failed`. Messages, reasoning and
 * items of type `error` yield no event. A turn that the next one finds under way has ended unseen, and is interrupted.
 *
 * In only: the stream cannot be written to.
 */
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { RunEvent } from '../wire/run.ts';
import type { OperationState } from '../wire/states.ts';
import { lastLine, operationEvent, runEvent, sessionEvent, shortText, sumOf, turnEnd, unknownWord } from './agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from './card-event.ts';
import type { CardMemory } from './card-event.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { withEntry } from './entries.ts';
import type { Entries } from './entries.ts';
import { finishAll, present, refuse } from './finish.ts';
import { commandOf, failureOf, pathsOf, toolOf } from './codex/describe.ts';
import { guarded } from './guarded.ts';
import { heldRun } from './held.ts';
import { mendPlan, planWords } from './mend-plan.ts';
import { nativeOf } from './native.ts';
import { wordTable } from './word-table.ts';

/** One line of the stream. */
export interface CodexExecFrame {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface ExecMemory extends CardMemory {
  readonly thread?: string | undefined;
  /** The run of the turn under way, or of the last one. */
  readonly run?: string | undefined;
  /** True while that turn is under way. */
  readonly open?: boolean | undefined;
  readonly turns?: number | undefined;
  /** The newest count of each thread. */
  readonly counted?: Entries<number> | undefined;
  /** What the session had used when this reader began: less is never told of. */
  readonly tokens?: number | undefined;
  /** The newest list as it was read, to know it again. */
  readonly list?: string | undefined;
}

const NAME = 'codex-exec';

/** Threads whose tokens are remembered. */
const MAX_THREADS = 64;

const STATES = wordTable<OperationState>({
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
  declined: 'denied',
});

const LIST = { text: 'text', status: planWords({ pending: 'pending', completed: 'completed' }) };

const TYPES = [
  'thread.started',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'item.started',
  'item.updated',
  'item.completed',
  'error',
];

/** What is known of the stream at its first frame: the turn under way, and the tokens counted before. */
function recalled(context: DecodeContext): ExecMemory {
  const run = heldRun(context, NAME);
  return present({ run, open: run === undefined ? undefined : true, tokens: context.held?.usage?.tokens });
}

function decode(frame: unknown, context: DecodeContext, memory: ExecMemory = recalled(context)): Decoded<ExecMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be an object with a type.');
  switch (frame['type']) {
    case 'thread.started':
      return finishAll<ExecMemory>(turnLost(context, memory), [], {
        ...memory,
        open: false,
        thread: shortText(frame['thread_id'], LIMITS.word),
      });
    case 'turn.started':
      return turnStarted(context, memory);
    case 'turn.completed':
      return turnCompleted(frame, context, memory);
    case 'turn.failed':
      return turnFailed(frame, context, memory);
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return decodeItem(frame, frame['type'] === 'item.completed', context, memory);
    case 'error': {
      const run = context.run ?? memory.run;
      return finishAll(run === undefined ? [] : [runEvent(context, run, 'running', { reason: 'error' })], []);
    }
    default:
      return refuse('/type', frame['type'] === undefined ? 'required' : 'unknown_type', `must be one of ${TYPES.join(', ')}.`);
  }
}

function turnStarted(context: DecodeContext, memory: ExecMemory): Decoded<ExecMemory> {
  const turns = (memory.turns ?? 0) + 1;
  const run = context.run ?? `${memory.thread ?? 'turn'}/${context.at}-${turns}`;
  return finishAll<ExecMemory>([...turnLost(context, memory), runEvent(context, run, 'running')], [], {
    ...memory,
    run,
    open: true,
    turns,
  });
}

/** A process has one turn at a time: one that another finds under way has ended unseen, as it does when the process is killed. */
function turnLost(context: DecodeContext, { run, open }: ExecMemory): RunEvent[] {
  return run === undefined || open !== true || context.run !== undefined ? [] : [runEvent(context, run, 'interrupted')];
}

function turnCompleted(frame: Record<string, unknown>, context: DecodeContext, memory: ExecMemory): Decoded<ExecMemory> {
  const run = context.run ?? memory.run;
  const count = tokensOf(frame['usage']);
  const counted = count === 0 ? memory.counted : withEntry(memory.counted, memory.thread ?? '', count, MAX_THREADS);
  const sum = sumOf((counted ?? []).map(([, each]) => each));
  const tokens = sum === 0 ? 0 : Math.max(sum, memory.tokens ?? 0);
  const events = [
    ...(tokens > 0 ? [sessionEvent(context, { usage: { tokens } })] : []),
    ...(run === undefined ? [] : [runEvent(context, run, 'completed', { reason: null })]),
  ];
  return finishAll<ExecMemory>(events, [], { ...memory, open: false, counted });
}

function tokensOf(usage: unknown): number {
  if (!isObject(usage)) return 0;
  return sumOf([usage['input_tokens'], usage['output_tokens']]);
}

function turnFailed(frame: Record<string, unknown>, context: DecodeContext, memory: ExecMemory): Decoded<ExecMemory> {
  const run = context.run ?? memory.run;
  const { error } = frame;
  const message = isObject(error) ? shortText(error['message'], LIMITS.message) : undefined;
  return finishAll(run === undefined ? [] : turnEnd(context, run, 'failed', { message, reason: 'error' }), [], { ...memory, open: false });
}

function decodeItem(frame: Record<string, unknown>, isEnd: boolean, context: DecodeContext, memory: ExecMemory): Decoded<ExecMemory> {
  const { item } = frame;
  if (!isObject(item) || typeof item['id'] !== 'string' || typeof item['type'] !== 'string')
    return refuse('/item', item === undefined ? 'required' : 'type', 'must be an item with an id and a type.');
  const mended: Issue[] = [];
  if (item['type'] === 'todo_list') return decodeList(item, context, memory, mended);
  const described = describe(item, item['type']);
  if (described === undefined) return finishAll([], []);
  const { status } = item;
  const word = typeof status === 'string' ? status : isEnd ? 'completed' : 'in_progress';
  const state = STATES[word];
  if (state === undefined) unknownWord(mended, '/item/status', Object.keys(STATES));
  const event = operationEvent(context, context.run ?? memory.run, item['id'], {
    state: state ?? 'pending',
    ...described,
    error: state === 'failed' ? failureOf(item['error'], item['exit_code'], item['aggregated_output']) : undefined,
    native: nativeOf(NAME, status, { id: item['id'] }),
  });
  return finishAll([event], mended);
}

function describe(item: Record<string, unknown>, type: string): Pick<OperationEvent, 'kind' | 'title' | 'message' | 'tool'> | undefined {
  switch (type) {
    case 'command_execution':
      return { kind: 'command', ...present({ title: commandOf(item['command']), message: lastLine(item['aggregated_output']) }) };
    case 'file_change':
      return { kind: 'edit', ...present({ title: pathsOf(item['changes']) }) };
    case 'mcp_tool_call':
      return toolOf(item['tool'], 'mcp', item['server']);
    case 'collab_tool_call':
      return { ...toolOf(item['tool'], 'native'), ...present({ title: shortText(item['prompt']) }) };
    case 'web_search':
      return { kind: 'search', ...present({ title: shortText(item['query']) }) };
    default:
      return undefined;
  }
}

function decodeList(item: Record<string, unknown>, context: DecodeContext, memory: ExecMemory, mended: Issue[]): Decoded<ExecMemory> {
  const { items } = item;
  if (!Array.isArray(items)) return refuse('/item/items', items === undefined ? 'required' : 'type', 'must be a list of steps.');
  const steps = items.slice(0, LIMITS.planSteps + 1).map((step: unknown) => {
    if (!isObject(step)) return undefined;
    if (typeof step['completed'] !== 'boolean') addIssue(mended, '/item/items', 'type', 'must say of each step whether it is completed.');
    return { text: step['text'], status: step['completed'] === true ? 'completed' : 'pending' };
  });
  const plan = mendPlan(steps, '/item/items', mended, LIST);
  const list = JSON.stringify(plan);
  if (list === memory.list) return finishAll([], mended);
  const revision = nextRevision(context, memory);
  const event = cardEvent({ ...context, run: context.run ?? memory.run }, revision, context.at, bodyOf(plan, undefined));
  return finishAll<ExecMemory>([event], mended, { ...memory, revision, list });
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame)) return false;
  const { type, item } = frame;
  switch (type) {
    case 'thread.started':
      return typeof frame['thread_id'] === 'string';
    case 'turn.started':
      return Object.keys(frame).length === 1;
    case 'turn.completed':
      return isObject(frame['usage']);
    case 'turn.failed':
      return isObject(frame['error']);
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return isObject(item) && typeof item['id'] === 'string' && typeof item['type'] === 'string';
    case 'error':
      return typeof frame['message'] === 'string' && Object.keys(frame).length === 2;
    default:
      return false;
  }
}

/** The dialect of `codex exec --json`. */
export const codexExec: Dialect<CodexExecFrame> = guarded({
  name: NAME,
  whole: [],
  only: 'in',
  detect: isOwn,
  decode,
  encode: () => [],
});
