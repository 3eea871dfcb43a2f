import { sessionLiveness } from '@sitrep/schema/select';
import type { Activity } from '@sitrep/schema/select';
import type { SessionSummary } from '../../store/store.ts';

/** A session on the list. */
export interface ListedSession extends Omit<SessionSummary, 'activity'> {
  /** What it is up to; `quiet` and `stale` where it should be working and nothing was heard of it. */
  readonly activity: Activity | 'quiet' | 'stale';
}

/**
 * A session as it is listed now. The stored activity is that of its newest write: of a producer that died without a word it
 * would say `working` for ever. What needs a person, or waits for its turn, owes no news.
 */
export function listed(summary: SessionSummary, now: number): ListedSession {
  const { activity, updatedAt } = summary;
  if (activity !== 'working') return summary;
  const heard = { run: '', state: 'running', updatedAt } as const;
  const life = sessionLiveness({ operations: [], runs: [heard] }, { now });
  return life === 'quiet' || life === 'stale' ? { ...summary, activity: life } : summary;
}
