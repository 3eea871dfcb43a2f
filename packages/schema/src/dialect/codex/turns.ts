import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { RunState } from '../../wire/states.ts';
import { runEvent, shortText, turnEnd } from '../agent-stream.ts';
import { timeOfSeconds } from '../foreign-time.ts';
import { hasEntry, withEntry } from '../entries.ts';
import { agentTurn } from './agents.ts';
import type { CodexMemory, Reading } from './memory.ts';
import { MAX_ENDED, runOf } from './memory.ts';
import { LIMITS } from '../../wire/limits.ts';
import { wordTable } from '../word-table.ts';

const STATES = wordTable<RunState>({
  inProgress: 'running',
  completed: 'completed',
  failed: 'failed',
  interrupted: 'cancelled',
});

/** `turn/started` and `turn/completed`. */
export function turnChanged(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  const { context, memory, events, mended } = reading;
  const { turn, threadId } = params;
  const id = isObject(turn) ? turn['id'] : undefined;
  if (!isObject(turn) || !isText(id, 1, LIMITS.id)) {
    addIssue(mended, '/params/turn', 'type', 'must be a turn with an id and was left out.');
    return undefined;
  }
  const word = turn['status'];
  const state = typeof word === 'string' ? STATES[word] : undefined;
  if (state === undefined) addIssue(mended, '/params/turn/status', 'enum', `must be one of ${Object.keys(STATES).join(', ')}.`);
  const run = context.run ?? id;
  const isAgent = typeof threadId === 'string' && threadId !== memory.main;
  // Turns are timed in whole seconds; the time of the frame is better, if there is one.
  const times = reading.stamped ? {} : { startedAt: timeOfSeconds(turn['startedAt']), endedAt: timeOfSeconds(turn['completedAt']) };
  // An agent's turn must not end the run that the caller names.
  const isOwnRun = !isAgent || context.run === undefined;
  const after = isAgent ? agentTurn(reading, threadId, state ?? 'running') : memory;
  if (state === undefined || state === 'running') {
    const isAgain = !isAgent && hasEntry(memory.ended, id);
    const known = isAgent || isAgain ? after : turnLost(reading, id);
    if (isOwnRun) events.push(runEvent(context, run, 'running', { ...times, parent: rootOf(turn, id) }));
    return isAgent || isAgain ? after : { ...known, turn: id };
  }
  const parent = isAgent ? threadId : context.parent;
  if (isOwnRun) events.push(...turnEnd({ ...context, parent }, run, state, { ...times, ...failureOf(turn['error']) }));
  return isAgent ? after : turnOver(after, id, run);
}

/** With the turn what it asked is over: a later wait is not for that. */
function turnOver(memory: CodexMemory, id: string, run: string): CodexMemory {
  const { turn, wait, requests } = memory;
  return {
    ...memory,
    turn: turn === id ? undefined : turn,
    ended: withEntry(memory.ended, id, true, MAX_ENDED),
    requests: requests?.filter(([, request]) => request.run !== run),
    wait: wait === undefined ? undefined : { ...wait, open: false },
  };
}

/** A thread has one turn at a time: one that another finds under way has ended unseen. */
function turnLost({ context, memory, events }: Reading, next: string): CodexMemory {
  const { turn } = memory;
  if (turn === undefined || turn === next) return memory;
  if (context.run === undefined) events.push(runEvent(context, turn, 'interrupted'));
  return turnOver(memory, turn, context.run ?? turn);
}

/** The turn that this one goes on from, or was started in. */
function rootOf({ rootTurnId }: Record<string, unknown>, id: string): string | undefined {
  return typeof rootTurnId === 'string' && rootTurnId !== id ? rootTurnId : undefined;
}

function failureOf(error: unknown): { message?: string | undefined; code?: string | undefined; reason: string | null } {
  if (!isObject(error)) return { reason: null };
  const code = codeOf(error['codexErrorInfo']);
  return { message: shortText(error['message'], LIMITS.message), code, reason: code ?? null };
}

/** A word, or an object whose only key is one. */
function codeOf(info: unknown): string | undefined {
  return shortText(isObject(info) ? Object.keys(info)[0] : info, LIMITS.word);
}

/** `error`: one that will be tried again keeps the turn going and says why it takes longer; the other ends with its turn. */
export function turnRetried(reading: Reading, params: Record<string, unknown>): undefined {
  const run = runOf(reading, params);
  if (params['willRetry'] !== true || run === undefined) return;
  reading.events.push(runEvent(reading.context, run, 'running', { reason: 'retry' }));
}
