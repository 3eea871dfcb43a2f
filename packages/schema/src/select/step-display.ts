import type { CardRecord, Step } from '../wire/card.ts';
import type { RunState } from '../wire/states.ts';
import { cardLiveness, isWrittenIn } from './liveness.ts';
import type { View } from './view.ts';

/** How a step looks, as opposed to how it is stored. Only `current` may be animated, and only while the card moves. */
export type StepDisplay = 'pending' | 'current' | 'paused' | 'completed' | 'failed' | 'cancelled';

const OUTCOME: Readonly<Record<RunState, StepDisplay | undefined>> = {
  running: undefined,
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: undefined,
};

/**
 * The look of one step. A step in progress takes the outcome of the run it was written in once that run ended with one;
 * it is paused when nothing works on it, and an older card never takes the outcome of a newer run. What is stored stays
 * as it is, and so do the counts.
 */
export function stepDisplay(step: Step, card: CardRecord, view: View): StepDisplay {
  if (step.status !== 'in_progress') return step.status;
  const outcome = view.run === undefined || !isWrittenIn(card, view.run) ? undefined : OUTCOME[view.run.state];
  return outcome ?? (isHeld(card, view) ? 'paused' : 'current');
}

function isHeld(card: CardRecord, view: View): boolean {
  return cardLiveness(card, view) === 'paused';
}
