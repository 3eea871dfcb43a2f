import type { Snapshot } from '../wire/snapshot.ts';
import { isSnapshot, snapshotRule } from '../generated/snapshot.ts';
import { finishCard } from './card-body.ts';
import { cleanFields, withField } from './clean-fields.ts';
import { isObject } from './guards.ts';
import type { Checked, Issue } from './issue.ts';
import { MAX_ISSUES, refused, unreadable } from './issue-list.ts';
import { mapSame } from './map-same.ts';
import { cleanUsage, finishOperation } from './operation-text.ts';
import { shapeIssues } from './shape.ts';

function finishSnapshot(value: Snapshot, issues: Issue[]): Snapshot {
  let result = cleanFields(value, ['title']);
  if (value.usage) result = withField(result, value, 'usage', cleanUsage(value.usage));
  result = withField(
    result,
    value,
    'operations',
    mapSame(value.operations, (operation, index) => finishOperation(operation, `/operations/${index}`, issues)),
  );
  return withField(
    result,
    value,
    'runs',
    mapSame(value.runs, (run) => cleanFields(run, ['reason'])),
  );
}

/** The same without a guard against values that throw when read. */
export function dispatchSnapshot(value: unknown): Checked<Snapshot> {
  if (!isSnapshot(value))
    return refused(shapeIssues(snapshotRule, value, { path: '/card', body: isObject(value) ? value['card'] : undefined }));
  const issues: Issue[] = [];
  const ofCard: Issue[] = [];
  const card = value.card && finishCard(value.card, '/card', ofCard);
  if (ofCard.some(({ code }) => code === 'too_many_bytes')) return refused(ofCard);
  const snapshot = withField(finishSnapshot(value, issues), value, 'card', card);
  issues.push(...ofCard);
  return issues.length === 0 ? { ok: true, value: snapshot } : refused(issues.slice(0, MAX_ISSUES));
}

/**
 * Checks a snapshot: the shape, the limits, and every text in it, as `checkEvent` does for a single event. The same
 * reference comes back when nothing was cleaned. Never throws.
 */
export function checkSnapshot(value: unknown): Checked<Snapshot> {
  try {
    return dispatchSnapshot(value);
  } catch {
    return unreadable();
  }
}
