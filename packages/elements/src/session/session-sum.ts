import { sessionActivity, summary } from '@sitrep/schema/select';
import type { FeedState } from '../display/feed.ts';
import type { Sum } from '../display/session-link.ts';
import { hasEnded } from '../display/shown-state.ts';

/** The sum of a session. What cannot be known at the moment is said instead of what was true before. */
export function sessionSum({ session, error }: FeedState): Sum {
  if (!session?.loaded) return { state: error ? 'lost' : 'connecting', settled: true };
  const activity = sessionActivity(session.operations, session.runs);
  const settled = activity === 'done' || activity === 'failed' || activity === 'idle';
  const connection = session.connection.state;
  if (!settled && (connection === 'reconnecting' || connection === 'lost')) return { state: connection, settled: true };
  const named = session.operations.findLast((operation) => !operation.ambient && hasEnded(operation) === settled);
  return { state: activity, summary: named && summary(named), settled };
}
