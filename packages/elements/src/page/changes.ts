import type { NoticeChange } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import type { SessionState } from '../display/feed.ts';

/** What moved between two states of a session; operations first, as their run's end would give them its own. */
export function changesBetween(before: SessionState, now: SessionState): readonly NoticeChange[] {
  if (before.operations === now.operations && before.runs === now.runs) return [];
  const changes: NoticeChange[] = [];
  const known = new Map(before.operations.map((operation) => [keyOf(operation), operation]));
  for (const operation of now.operations) {
    const old = known.get(keyOf(operation));
    known.delete(keyOf(operation));
    if (old !== operation) changes.push({ operation, before: old });
  }
  for (const cleared of known.values()) changes.push({ cleared });
  const runs = new Map(before.runs.map((run) => [run.run, run]));
  for (const run of now.runs) if (runs.get(run.run) !== run) changes.push({ run, before: runs.get(run.run) });
  return changes;
}

const keyOf = ({ id, run }: Operation): string => JSON.stringify([run, id]);
