import type { OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import { nativeState } from '../native.ts';
import { wordTable } from '../word-table.ts';

/** The dialect's name. */
export const NAME = 'a2a';

const STATES: Readonly<Record<string, OperationState>> = wordTable({
  TASK_STATE_SUBMITTED: 'pending',
  TASK_STATE_WORKING: 'running',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'cancelled',
  TASK_STATE_INPUT_REQUIRED: 'blocked',
  TASK_STATE_REJECTED: 'denied',
  TASK_STATE_AUTH_REQUIRED: 'blocked',
});

/** The words in the order of their numbers, which is how libraries hold them. */
const NUMBERED: readonly string[] = ['TASK_STATE_UNSPECIFIED', ...Object.keys(STATES)];

const OUT: Readonly<Record<OperationState, string>> = {
  pending: 'TASK_STATE_SUBMITTED',
  running: 'TASK_STATE_WORKING',
  waiting: 'TASK_STATE_WORKING',
  blocked: 'TASK_STATE_INPUT_REQUIRED',
  paused: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
  denied: 'TASK_STATE_REJECTED',
  interrupted: 'TASK_STATE_FAILED',
};

/** States of ours that the peer's word alone tells. */
export const KNOWN: readonly OperationState[] = ['pending', 'running', 'waiting', 'blocked', 'completed', 'failed', 'cancelled', 'denied'];

/** The peer's word, by its name or its number; undefined when there is none. */
export function wordOf(state: unknown): string | undefined {
  if (typeof state === 'string') return state;
  return Number.isSafeInteger(state) ? (NUMBERED[state as number] ?? `TASK_STATE_${state as number}`) : undefined;
}

/** True for a word of this version. */
export function isKnown(word: string | undefined): boolean {
  return word !== undefined && (STATES[word] !== undefined || word === NUMBERED[0]);
}

/** What the peer's word means. One that is not known is pending, never success. */
export function meaning(word: string): OperationState {
  return STATES[word] ?? 'pending';
}

/** The peer's word for the state an event or a record is in. */
export function stateWord(event: OperationEvent): string {
  const { state = 'pending', blockedOn } = event;
  const given = nativeState({ ...event, state }, NAME, meaning);
  if (given !== undefined && (state !== 'blocked' || (given === 'TASK_STATE_AUTH_REQUIRED') === (blockedOn?.kind === 'auth'))) return given;
  return state === 'blocked' && blockedOn?.kind === 'auth' ? 'TASK_STATE_AUTH_REQUIRED' : OUT[state];
}
