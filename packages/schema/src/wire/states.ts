/** The closed word lists of the wire. Plain arrays without TypeBox, so that every package may read them. */

/** States of an operation that is not over: before work, at work, waiting on a machine, waiting on a person, held. */
export const LIVE_STATES = ['pending', 'running', 'waiting', 'blocked', 'paused'] as const;
/** States that end an attempt. `interrupted` means it ended and nobody said how. */
export const FINAL_STATES = ['completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const;
/** All states of an operation: the live ones, then the final ones. Written out, so that a page that does not ask leaves it out. */
export const OPERATION_STATES = [
  'pending',
  'running',
  'waiting',
  'blocked',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'denied',
  'interrupted',
] as const satisfies readonly [...typeof LIVE_STATES, ...typeof FINAL_STATES];
/** States of a run: one turn of the agent. */
export const RUN_STATES = ['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
/** States of a plan step. Our own tool writes the first three; foreign lists may also bring the last two. */
export const STEP_STATES = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
/** What a `blocked` operation needs from a person. */
export const BLOCKED_KINDS = ['permission', 'question', 'auth', 'other'] as const;
/** Event types of the wire, stream control included. */
export const EVENT_TYPES = [
  'operation',
  'operation.clear',
  'card',
  'run',
  'session',
  'snapshot',
  'changes',
  'heartbeat',
  'resync',
  'end',
] as const;

export type LiveState = (typeof LIVE_STATES)[number];
export type FinalState = (typeof FINAL_STATES)[number];
export type OperationState = (typeof OPERATION_STATES)[number];
export type RunState = (typeof RUN_STATES)[number];
export type StepState = (typeof STEP_STATES)[number];
export type BlockedKind = (typeof BLOCKED_KINDS)[number];
export type EventType = (typeof EVENT_TYPES)[number];

const FINAL: ReadonlySet<string> = new Set(FINAL_STATES);

/** True for a state that ends an operation's attempt or a run. */
export function isFinal(state: OperationState | RunState): state is FinalState {
  return FINAL.has(state);
}
