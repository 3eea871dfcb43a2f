import { isObject } from '../../check/guards.ts';
import type { OperationState, RunState } from '../../wire/states.ts';
import { isFinal } from '../../wire/states.ts';
import { LIMITS } from '../../wire/limits.ts';
import { begun, firstOf, operationEvent, over, shortText, unknownWord } from '../agent-stream.ts';
import { entryOf, withEntry } from '../entries.ts';
import { nativeOf } from '../native.ts';
import { MAX_REMEMBERED, NAME } from './memory.ts';
import type { CodexMemory, Reading } from './memory.ts';
import { wordTable } from '../word-table.ts';

/** Agents have threads of their own. Each is one operation, named by its thread, that may outlive the turn it was started in. */

const STATES = wordTable<OperationState>({
  pendingInit: 'pending',
  running: 'running',
  interrupted: 'cancelled',
  completed: 'completed',
  errored: 'failed',
  shutdown: 'cancelled',
  notFound: 'interrupted',
});

interface AgentMembers {
  readonly title?: string | undefined;
  readonly message?: string | undefined;
  readonly parent?: string | undefined;
  readonly word?: string | undefined;
}

function agentChanged(reading: Reading, memory: CodexMemory, thread: string, state: OperationState, members: AgentMembers): CodexMemory {
  const held = entryOf(memory.agents, thread);
  // An end that is said twice, by its turn and by the call that waits for it, is one end.
  if (isFinal(state) && held?.open === false) return memory;
  const stretch = begun(held);
  const { word, message, ...rest } = members;
  reading.events.push(
    operationEvent(reading.context, undefined, thread, {
      state,
      kind: 'subagent',
      ...(stretch.attempt === 1 ? undefined : { attempt: stretch.attempt }),
      ...rest,
      ...(state === 'failed' ? { error: message === undefined ? undefined : { message } } : { message }),
      native: nativeOf(NAME, word, { threadId: thread }),
    }),
  );
  return { ...memory, agents: withEntry(memory.agents, thread, isFinal(state) ? over(stretch) : stretch, MAX_REMEMBERED) };
}

/** `thread/started` of an agent's thread. */
export function agentBegan(reading: Reading, thread: Record<string, unknown>): CodexMemory | undefined {
  const { id, agentNickname, agentRole, parentThreadId } = thread;
  if (typeof id !== 'string') return undefined;
  const { memory } = reading;
  const parent = typeof parentThreadId === 'string' && parentThreadId !== memory.main ? parentThreadId : undefined;
  return agentChanged(reading, memory, id, 'pending', { title: shortText(agentNickname) ?? shortText(agentRole), parent });
}

/** A turn of an agent's thread began or ended. */
export function agentTurn(reading: Reading, thread: string, state: RunState): CodexMemory {
  return agentChanged(reading, reading.memory, thread, state, {});
}

/** `collabAgentToolCall`: what it says of each agent it is about. */
export function agentsOfCall(reading: Reading, item: Record<string, unknown>): CodexMemory {
  const { id, tool, receiverThreadIds, agentsStates, prompt } = item;
  const parent = tool === 'spawnAgent' && typeof id === 'string' ? id : undefined;
  let { memory } = reading;
  if (!Array.isArray(receiverThreadIds) || !isObject(agentsStates)) return memory;
  for (const thread of firstOf(receiverThreadIds, MAX_REMEMBERED, '/params/item/receiverThreadIds', reading.mended)) {
    const known = typeof thread === 'string' && Object.hasOwn(agentsStates, thread) ? agentsStates[thread] : undefined;
    if (typeof thread !== 'string' || !isObject(known)) continue;
    const word = known['status'];
    const state = typeof word === 'string' ? STATES[word] : undefined;
    if (state === undefined) unknownWord(reading.mended, '/params/item/agentsStates', Object.keys(STATES));
    memory = agentChanged(reading, memory, thread, state ?? 'pending', {
      ...(parent === undefined ? undefined : { parent, title: shortText(prompt) }),
      message: shortText(known['message'], LIMITS.message),
      word: typeof word === 'string' ? word : undefined,
    });
  }
  return memory;
}

/** `subAgentActivity`: started, interacted, interrupted, completed. */
export function agentActivity(reading: Reading, item: Record<string, unknown>): CodexMemory | undefined {
  const { agentThreadId, agentPath, kind } = item;
  if (typeof agentThreadId !== 'string') return undefined;
  const state = kind === 'interrupted' ? 'cancelled' : kind === 'completed' ? 'completed' : 'running';
  return agentChanged(reading, reading.memory, agentThreadId, state, {
    title: shortText(agentPath),
    word: typeof kind === 'string' ? kind : undefined,
  });
}
