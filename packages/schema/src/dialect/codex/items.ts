import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { lastLine, operationEvent, shortText } from '../agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from '../card-event.ts';
import { present } from '../finish.ts';
import { timeAfter, timeOfMs } from '../foreign-time.ts';
import { mendNote } from '../mend-plan.ts';
import { nativeOf } from '../native.ts';
import { agentActivity, agentsOfCall } from './agents.ts';
import { commandOf, failureOf, pathsOf, toolOf } from './describe.ts';
import { NAME, parentOf, runOf, stateOf } from './memory.ts';
import type { CodexMemory, Reading } from './memory.ts';
import { wordTable } from '../word-table.ts';

type Item = Record<string, unknown>;
type Described = Pick<OperationEvent, 'title' | 'kind' | 'tool' | 'message'>;

/** The kinds of items that take time, and how each is called. */
const DESCRIBED = wordTable<(item: Item) => Described>({
  commandExecution: ({ command, aggregatedOutput }) => ({
    kind: 'command',
    ...present({ title: commandOf(command), message: lastLine(aggregatedOutput) }),
  }),
  fileChange: ({ changes }) => ({ kind: 'edit', ...present({ title: pathsOf(changes) }) }),
  mcpToolCall: ({ tool, server }) => toolOf(tool, 'mcp', server),
  dynamicToolCall: ({ tool, namespace }) => toolOf(tool, 'dynamic', namespace),
  collabAgentToolCall: ({ tool, prompt }) => ({ ...toolOf(tool, 'native'), ...present({ title: shortText(prompt) }) }),
  webSearch: ({ query }) => ({ kind: 'search', ...present({ title: shortText(query) }) }),
  imageGeneration: ({ revisedPrompt }) => ({ kind: 'image', ...present({ title: shortText(revisedPrompt) }) }),
  contextCompaction: () => ({ kind: 'compaction' }),
  sleep: () => ({ kind: 'sleep' }),
});

/** `item/started` and `item/completed`. */
export function itemChanged(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  const { item } = params;
  if (!isObject(item) || typeof item['id'] !== 'string' || typeof item['type'] !== 'string') {
    addIssue(reading.mended, '/params/item', 'type', 'must be an item with an id and a type and was left out.');
    return undefined;
  }
  const { type } = item;
  const isEnd = params['completedAtMs'] !== undefined;
  if (type === 'plan') return isEnd ? proposed(reading, params, item) : undefined;
  if (type === 'subAgentActivity') return agentActivity(reading, item);
  const describe = DESCRIBED[type];
  if (describe === undefined) return undefined;
  reading.events.push(operationOf(reading, params, item, isEnd, describe(item)));
  return type === 'collabAgentToolCall' ? agentsOfCall(reading, item) : undefined;
}

function operationOf(reading: Reading, params: Record<string, unknown>, item: Item, isEnd: boolean, described: Described): OperationEvent {
  const { context, mended } = reading;
  const { status } = item;
  const startedAt = timeOfMs(item['startedAtMs'] ?? params['startedAtMs']);
  // Items without a status are over when they are reported as completed; those with one say themselves how it ended.
  const word = typeof status === 'string' && status !== '' ? status : isEnd ? 'completed' : 'inProgress';
  const state = item['failure'] ? 'failed' : stateOf(word === 'in_progress' ? 'inProgress' : word, '/params/item/status', mended);
  const isSleep = item['type'] === 'sleep' && !isEnd;
  return operationEvent(context, runOf(reading, params), item['id'] as string, {
    state: isSleep ? 'waiting' : state,
    ...(isSleep ? { waitingOn: present({ until: timeAfter(startedAt ?? context.at, item['durationMs']) }) } : undefined),
    ...described,
    parent: parentOf(reading, params['threadId']) ?? context.parent,
    startedAt,
    endedAt: isEnd && isFinal(state) ? timeOfMs(item['completedAtMs'] ?? params['completedAtMs']) : undefined,
    error: state === 'failed' ? failureOf(item['error'] ?? item['failure'], item['exitCode'], item['aggregatedOutput']) : undefined,
    native: nativeOf(NAME, status, { itemId: item['id'], threadId: params['threadId'], turnId: params['turnId'] }),
  });
}

/** A plan that is proposed to the person is a note: it is a text, and nobody works on it yet. */
function proposed(reading: Reading, params: Record<string, unknown>, item: Item): CodexMemory | undefined {
  const { context, memory, events, mended } = reading;
  if (params['threadId'] !== memory.main) return undefined;
  const body = bodyOf(undefined, mendNote(item['text'], '/params/item/text', mended));
  if (body === null) return undefined;
  const revision = nextRevision(context, memory);
  events.push(cardEvent({ ...context, run: runOf(reading, params) }, revision, context.at, body));
  return { ...memory, revision };
}

/** What an item wrote last: a text, and a sign that it goes on. */
export function itemOutput(reading: Reading, params: Record<string, unknown>, value: unknown): undefined {
  const { itemId } = params;
  const message = lastLine(value);
  if (typeof itemId !== 'string' || message === undefined) return;
  const state: OperationState = 'running';
  reading.events.push(operationEvent(reading.context, runOf(reading, params), itemId, { state, message }));
}
