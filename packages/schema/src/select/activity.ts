import type { Operation } from '../wire/operation.ts';

/** What an operation or a session is up to, for a list of many. Only `needs-you` may ask for attention. */
export type Activity = 'working' | 'waiting' | 'needs-you' | 'idle' | 'done' | 'failed';

/**
 * The activity of one operation. Waiting on a machine (or for its turn) is `waiting`, waiting on a person is
 * `needs-you`, also in the background; other background work is `idle` while it lives. Cancelled and interrupted are
 * `idle`: neither success nor failure.
 */
export function activity(op: Pick<Operation, 'state' | 'ambient'>): Activity {
  switch (op.state) {
    case 'blocked':
      return 'needs-you';
    case 'running':
      return op.ambient === true ? 'idle' : 'working';
    case 'pending':
    case 'waiting':
      return op.ambient === true ? 'idle' : 'waiting';
    case 'paused':
    case 'cancelled':
    case 'interrupted':
      return 'idle';
    case 'completed':
      return 'done';
    case 'failed':
    case 'denied':
      return 'failed';
    default:
      return op.state satisfies never;
  }
}

/** How many operations are in each activity. */
export function rollUp(operations: Iterable<Pick<Operation, 'state' | 'ambient'>>): Record<Activity, number> {
  const counts: Record<Activity, number> = { working: 0, waiting: 0, 'needs-you': 0, idle: 0, done: 0, failed: 0 };
  for (const operation of operations) counts[activity(operation)] += 1;
  return counts;
}
