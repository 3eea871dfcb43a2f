import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { unknownWord } from '../agent-stream.ts';
import type { Stretch } from '../agent-stream.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext } from '../dialect.ts';
import type { Entries } from '../entries.ts';
import { present } from '../finish.ts';
import { heldOperations, heldRun, stretchOf } from '../held.ts';
import { wordTable } from '../word-table.ts';

/** What the caller knows beyond the frame. */
export interface CodexContext extends DecodeContext {
  /**
   * The thread the session is about, where one connection carries several: frames of others, but for its agents', are then
   * passed over. Default: the first thread of the stream that is nobody's agent.
   */
  readonly thread?: string | undefined;
}

/** Which item of which turn a request to a person blocks; `own` where that is the request itself. */
export interface Request {
  readonly item: string;
  readonly run: string | undefined;
  readonly own: boolean;
}

/** What the stream said before. */
export interface CodexMemory extends CardMemory {
  /** The thread that speaks for the session. */
  readonly main?: string | undefined;
  /** The turn of that thread that is under way. */
  readonly turn?: string | undefined;
  /** Turns of that thread that are over: what begins one of them again is a frame that came twice. */
  readonly ended?: Entries<true> | undefined;
  /** Threads of agents, with the attempt each is in. */
  readonly agents?: Entries<Stretch> | undefined;
  /** Threads that are nobody's agents beside that one, and their agents: what happens there is somebody else's. */
  readonly others?: Entries<true> | undefined;
  /** Requests to a person that are open. */
  readonly requests?: Entries<Request> | undefined;
  /** The wait that a thread's flags announce. */
  readonly wait?: (Stretch & { readonly run: string | undefined; readonly thread: string }) | undefined;
  /** The goal that was set last. */
  readonly goal?: string | undefined;
}

/** What is known of the stream at its first frame: the turn under way, agents, open requests, the wait and the goal. */
export function recalled(context: CodexContext): CodexMemory {
  const agents: [string, Stretch][] = [];
  const requests: [string, Request][] = [];
  let wait: CodexMemory['wait'];
  let goal: string | undefined;
  const operations = heldOperations(context, NAME);
  for (const operation of operations) {
    const { kind, run, state, native } = operation;
    const id = String(operation.id);
    const requestId = native?.ids?.['requestId'];
    if (kind === 'subagent') agents.push([id, stretchOf(operation)]);
    else if (kind === 'goal') goal = isFinal(state) ? goal : id;
    else if (requestId !== undefined && state === 'blocked')
      requests.push([JSON.stringify(requestId), { item: id, run, own: kind === 'request' }]);
    else if (kind === 'request' && native?.ids?.['threadId'] === id) wait = { ...stretchOf(operation), run, thread: id };
  }
  // Turns of agents are runs too, in which all belongs to an agent.
  const turn = heldRun(context, NAME);
  const isAgents = operations.some(({ run, parent }) => run === turn && agents.some(([thread]) => thread === parent));
  return present({
    turn: isAgents ? undefined : turn,
    agents: agents.length === 0 ? undefined : agents.slice(-MAX_REMEMBERED),
    requests: requests.length === 0 ? undefined : requests.slice(-MAX_REMEMBERED),
    wait,
    goal,
  });
}

/** One frame being read: what is known, and what has come of it so far. */
export interface Reading {
  /** The caller's, with the time the frame itself was sent where it says so. */
  readonly context: CodexContext;
  /** True when the frame says so. */
  readonly stamped: boolean;
  readonly memory: CodexMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
}

export const NAME = 'codex';

/** Turns that are remembered as over. */
export const MAX_ENDED = 32;

/** Agents and open requests that are remembered. */
export const MAX_REMEMBERED = 256;

const STATES = wordTable<OperationState>({
  inProgress: 'running',
  completed: 'completed',
  failed: 'failed',
  declined: 'denied',
  interrupted: 'cancelled',
});

/** Our state for the peer's word; a word that is new is pending, and noted. */
export function stateOf(word: unknown, path: string, mended: Issue[]): OperationState {
  const state = typeof word === 'string' ? STATES[word] : undefined;
  if (state === undefined) unknownWord(mended, path, Object.keys(STATES));
  return state ?? 'pending';
}

/** The run of a frame: the caller's, else its turn. */
export function runOf({ context }: Reading, params: Record<string, unknown>): string | undefined {
  return context.run ?? (typeof params['turnId'] === 'string' ? params['turnId'] : undefined);
}

/** What an item of this thread is part of: the agent whose thread it is, or nothing of its own. */
export function parentOf({ memory }: Reading, thread: unknown): string | undefined {
  return typeof thread === 'string' && thread !== memory.main ? thread : undefined;
}
