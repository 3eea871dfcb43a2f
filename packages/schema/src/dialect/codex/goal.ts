import { isObject } from '../../check/guards.ts';
import type { OperationState } from '../../wire/states.ts';
import { operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { timeOfSeconds } from '../foreign-time.ts';
import { nativeOf } from '../native.ts';
import { NAME } from './memory.ts';
import type { CodexMemory, Reading } from './memory.ts';
import { wordTable } from '../word-table.ts';

/**
 * A thread's goal is one operation beyond turns, named by the thread and the time the goal was set. The tokens it may use
 * are a gauge of cost and no amount of work, so they are carried as usage and never become a percentage.
 */

const STATES = wordTable<OperationState>({
  active: 'running',
  paused: 'paused',
  blocked: 'blocked',
  usageLimited: 'waiting',
  budgetLimited: 'waiting',
  complete: 'completed',
});

/** `thread/goal/updated`. */
export function goalChanged(reading: Reading, params: Record<string, unknown>): CodexMemory | undefined {
  const { goal, threadId } = params;
  if (!isObject(goal) || typeof threadId !== 'string') return undefined;
  const { status, objective, tokensUsed, createdAt } = goal;
  const state = typeof status === 'string' ? STATES[status] : undefined;
  if (state === undefined) unknownWord(reading.mended, '/params/goal/status', Object.keys(STATES));
  const id = `${threadId}/goal/${typeof createdAt === 'number' ? createdAt : 0}`;
  reading.events.push(
    operationEvent(reading.context, undefined, id, {
      state: state ?? 'pending',
      kind: 'goal',
      title: shortText(objective),
      startedAt: timeOfSeconds(createdAt),
      reason: state === 'waiting' ? (status as string) : null,
      ...(state === 'blocked' ? { blockedOn: { kind: 'other' } } : undefined),
      usage: typeof tokensUsed === 'number' && tokensUsed >= 0 ? { tokens: tokensUsed } : undefined,
      native: nativeOf(NAME, status, { threadId }),
    }),
  );
  return reading.memory.goal === id ? undefined : { ...reading.memory, goal: id };
}

/** `thread/goal/cleared`: given up, not reached. */
export function goalCleared({ context, memory, events }: Reading, { threadId }: Record<string, unknown>): CodexMemory | undefined {
  const { goal } = memory;
  if (goal === undefined || typeof threadId !== 'string' || !goal.startsWith(`${threadId}/`)) return undefined;
  events.push(operationEvent(context, undefined, goal, { state: 'cancelled' }));
  return { ...memory, goal: undefined };
}
