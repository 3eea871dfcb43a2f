import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import { activity } from './activity.ts';
import type { Activity } from './activity.ts';

/** From least to most important: a session is what its most important part is. */
const RANKS = ['nothing', 'background', 'done', 'interrupted', 'paused', 'waiting', 'working', 'failed', 'needs-you'] as const;
type Rank = (typeof RANKS)[number];

const ACTIVITY: Readonly<Record<Rank, Activity>> = {
  nothing: 'idle',
  background: 'idle',
  done: 'done',
  interrupted: 'idle',
  paused: 'idle',
  waiting: 'waiting',
  working: 'working',
  failed: 'failed',
  'needs-you': 'needs-you',
};

/**
 * The activity of a whole session: needs-you over failed over live over interrupted over done. An active run is
 * `working` by itself. Once no run is active the newest run's own outcome counts, and what happened inside runs that are
 * over does not: a failure the agent recovered from does not stay red, and nothing of them is live.
 */
export function sessionActivity(operations: Iterable<Operation>, runs: Iterable<Run>): Activity {
  const byName = new Map<string, Run>();
  for (const run of runs) byName.set(run.run, run);
  let highest = rankOfRuns([...byName.values()]);
  for (const operation of operations) {
    const run = operation.run === undefined ? undefined : byName.get(operation.run);
    if (run === undefined || !isFinal(run.state)) highest = higher(highest, rankOf(operation));
  }
  return ACTIVITY[highest];
}

function rankOfRuns(runs: readonly Run[]): Rank {
  if (runs.some((run) => !isFinal(run.state))) return 'working';
  switch (runs.at(-1)?.state) {
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
  return RANKS.indexOf(a) >= RANKS.indexOf(b) ? a : b;
}
