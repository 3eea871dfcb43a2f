import type { Operation, Run } from '@sitrep/schema';
import { liveness, stateWord } from '@sitrep/schema/select';
import type { Activity, View } from '@sitrep/schema/select';

/** Everything a pill can say: the operation's own states, what is derived from them, and the sum of a session. */
export type ShownState = Operation['state'] | Activity | 'connecting' | 'quiet' | 'stale' | 'reconnecting' | 'lost';

/** Colour family of a state. Never the only thing that tells states apart. */
export type Tone = 'accent' | 'success' | 'danger' | 'attention' | 'neutral';

const DERIVED: Readonly<Partial<Record<ShownState, string>>> = {
  connecting: 'connecting',
  quiet: 'quiet',
  stale: 'out of date',
  reconnecting: 'reconnecting',
  lost: 'connection lost',
  working: 'working',
  'needs-you': 'needs you',
  idle: 'idle',
  done: 'done',
};

const TONES: Readonly<Partial<Record<ShownState, Tone>>> = {
  running: 'accent',
  working: 'accent',
  completed: 'success',
  done: 'success',
  failed: 'danger',
  denied: 'danger',
  blocked: 'attention',
  'needs-you': 'attention',
  lost: 'attention',
};

/** The word for a state. */
export function shownWord(state: ShownState): string {
  return DERIVED[state] ?? stateWord(state as Operation['state']);
}

/** The colour family of a state. */
export function tone(state: ShownState): Tone {
  return TONES[state] ?? 'neutral';
}

/** True for a state in which something is going on, as far as anybody can tell. */
export function isMoving(state: ShownState): boolean {
  return state === 'running' || state === 'working';
}

/** What to show for an operation: its own state, unless the run, the connection or a long silence says otherwise. */
export function shownState(operation: Operation, view: View): ShownState {
  const life = liveness(operation, view);
  if (life === 'moving' || life === 'settled') return operation.state;
  if (life === 'quiet') return operation.state === 'running' ? 'quiet' : operation.state;
  return life;
}

/** True once an operation's attempt is over, whatever came of it. */
export function hasEnded(operation: Operation): boolean {
  return liveness(operation, { now: operation.updatedAt }) === 'settled';
}

/** The view a record is seen through. */
export function viewOf(now: number, connection: View['connection'], run: Run | undefined): View {
  return { now, connection, run };
}
