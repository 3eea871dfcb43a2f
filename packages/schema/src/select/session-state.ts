import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import type { Activity } from './activity.ts';
import { cardLiveness } from './liveness.ts';
import type { Liveness } from './liveness.ts';
import { sessionActivity } from './session-activity.ts';
import { sessionLiveness } from './session-liveness.ts';
import type { View } from './view.ts';

/** The one word for a session: what it is up to, or why that cannot be said. */
export type SessionState = Activity | Exclude<Liveness, 'moving' | 'settled'> | 'cancelled' | 'interrupted';

/** A session as a reader holds it. */
export interface SessionParts {
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly card: CardRecord;
}

/**
 * The one word for a session, the same in a pill, on a card and in a list: its activity; where something should be going
 * on and nothing was heard of it, `quiet` or `stale`; where the connection is in question, that. What needs a person stays
 * said through silence. With neither operations nor runs the card speaks for itself.
 */
export function sessionState(session: SessionParts, view: Omit<View, 'run'>): SessionState {
  const { operations, runs, card } = session;
  const activity = sessionActivity(operations, runs);
  if (activity === 'idle') return idleState(session, view);
  if (activity === 'done' || activity === 'failed') return activity;
  const life = sessionLiveness(session, view);
  const unheard = life === 'quiet' || life === 'stale';
  if (life === 'moving' || life === 'settled' || (activity === 'needs-you' && unheard)) return activity;
  // A card written a moment ago outside of any run speaks for the session too.
  return unheard && (runs.length === 0 || card.run === undefined) && cardLiveness(card, view) === 'moving' ? activity : life;
}

/** Nothing is going on: why, as far as anybody knows. */
function idleState({ operations, runs, card }: SessionParts, view: Omit<View, 'run'>): SessionState {
  const outcome = runs.at(-1)?.state;
  if (outcome === 'cancelled' || outcome === 'interrupted') return outcome;
  if (operations.some((operation) => operation.state === 'paused')) return 'paused';
  if (card.card === null) return 'idle';
  const plan = card.card.plan ?? [];
  const life = cardLiveness(card, { ...view, run: runs.find((run) => run.run === card.run) });
  if (life === 'moving') return plan.some((step) => step.status === 'in_progress') ? 'working' : 'idle';
  if (life !== 'settled') return life;
  return plan.some((step) => step.status === 'failed') ? 'failed' : 'done';
}
