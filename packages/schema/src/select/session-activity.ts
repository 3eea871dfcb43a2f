import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import { activity } from './activity.ts';
import type { Activity } from './activity.ts';

/** What a part makes of its session, from least to most important: a session is what its most important part is. */
const ACTIVITY = {
  nothing: 'idle',
  background: 'idle',
  done: 'done',
  interrupted: 'idle',
  paused: 'idle',
  waiting: 'waiting',
  working: 'working',
  failed: 'failed',
  'needs-you': 'needs-you',
} as const satisfies Record<string, Activity>;
type Rank = keyof typeof ACTIVITY;

/**
 * The activity of a whole session: needs-you over failed over live over interrupted over done. An active run is
 * `working` by itself, and what failed meanwhile does not change that: the agent is still at it and may recover. Once no
 * run is active the newest run's own outcome counts, and what happened inside runs that are over does not.
 */
export function sessionActivity(operations: Iterable<Operation>, runs: Iterable<Run>): Activity {
  const byName = new Map<string, Run>();
  for (const run of runs) byName.set(run.run, run);
  const active = [...byName.values()].some((run) => !isFinal(run.state));
  let highest: Rank = active ? 'working' : rankOfOutcome([...byName.values()].at(-1));
  for (const operation of operations) {
    const run = operation.run === undefined ? undefined : byName.get(operation.run);
    if (run !== undefined && isFinal(run.state)) continue;
    const rank = rankOf(operation);
    if (!(active && rank === 'failed')) highest = higher(highest, rank);
  }
  return ACTIVITY[highest];
}

function rankOfOutcome(newest: Run | undefined): Rank {
  switch (newest?.state) {
    case 'completed':
      return 'done';
    case 'failed':
      return 'failed';
    case 'cancelled':
    case 'interrupted':
      return 'interrupted';
    default:
      return 'nothing';
  }
}

function rankOf(operation: Operation): Rank {
  const what = activity(operation);
  if (what !== 'idle') return what;
  if (isFinal(operation.state)) return 'interrupted';
  return operation.ambient === true ? 'background' : 'paused';
}

function higher(a: Rank, b: Rank): Rank {
  const ranks = Object.keys(ACTIVITY);
  return ranks.indexOf(a) >= ranks.indexOf(b) ? a : b;
}
