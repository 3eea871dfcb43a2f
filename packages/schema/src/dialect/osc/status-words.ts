import type { OperationState, RunState, StepState } from '../../wire/states.ts';
import { wordTable } from '../word-table.ts';

export const STATUS_NAME = 'osc-status';

const MEANING = wordTable<OperationState>({
  idle: 'paused',
  working: 'running',
  blocked: 'blocked',
  done: 'completed',
  error: 'failed',
});

/** Our state for a word of the protocol; one that is not known is pending. */
export function statusMeaning(word: string): OperationState {
  return MEANING[word] ?? 'pending';
}

/** The protocol's words for our states. */
export const STATUS_WORDS: Readonly<Record<OperationState, string>> = {
  pending: 'working',
  running: 'working',
  waiting: 'working',
  blocked: 'blocked',
  paused: 'idle',
  completed: 'done',
  failed: 'error',
  cancelled: 'idle',
  denied: 'idle',
  interrupted: 'idle',
};

export const RUN_WORDS: Readonly<Record<RunState, string>> = {
  running: 'working',
  completed: 'done',
  failed: 'error',
  cancelled: 'idle',
  interrupted: 'idle',
};

export const STEP_WORDS: Readonly<Record<StepState, string>> = {
  pending: 'idle',
  in_progress: 'working',
  completed: 'done',
  failed: 'error',
  cancelled: 'idle',
};
