import type { Changes } from '../wire/changes.ts';
import type { Snapshot } from '../wire/snapshot.ts';
import { isChanges } from '../generated/changes.ts';
import { isSnapshot } from '../generated/snapshot.ts';
import { finishCard } from './card-body.ts';
import { cleanFields, withField } from './clean-fields.ts';
import { explain } from './explain.ts';
import type { Checked, Issue } from './issue.ts';
import { MAX_ISSUES, refused, unreadable } from './issue-list.ts';
import { mapSame } from './map-same.ts';
import { cleanUsage, finishOperation } from './operation-text.ts';

/** Cleans every text and bounds every card and operation of a checked shape; the issues are of what no cleaning mends. */
function finish<T extends Snapshot | Changes>(value: T): Checked<T> {
  const issues: Issue[] = [];
  const ofCard: Issue[] = [];
  const card = value.card && finishCard(value.card, '/card', ofCard);
  if (ofCard.some(({ code }) => code === 'too_many_bytes')) return refused(ofCard);
  let result: T = cleanFields(value, ['title']);
  if (value.usage) result = withField(result, value, 'usage', cleanUsage(value.usage));
  const operations = mapSame(value.operations, (operation, index) => finishOperation(operation, `/operations/${index}`, issues));
  result = withField(result, value, 'operations', operations as T['operations']);
  if (value.runs) {
    const runs = mapSame(value.runs, (run) => cleanFields(run, ['reason']));
    result = withField(result, value, 'runs', runs as T['runs']);
  }
  if (card !== undefined) result = withField(result, value, 'card', card as T['card']);
  issues.push(...ofCard);
  return issues.length === 0 ? { ok: true, value: result } : refused(issues.slice(0, MAX_ISSUES));
}

/** Checks a snapshot without a guard against values that throw when read; undefined where the shape is wrong. */
export function dispatchSnapshot(value: unknown): Checked<Snapshot> | undefined {
  return isSnapshot(value) ? finish(value) : undefined;
}

/** Checks changes without a guard against values that throw when read; undefined where the shape is wrong. */
export function dispatchChanges(value: unknown): Checked<Changes> | undefined {
  return isChanges(value) ? finish(value) : undefined;
}

/**
 * Checks a snapshot: the shape, the limits, and every text in it, as `checkEvent` does for a single event. The same
 * reference comes back when nothing was cleaned. Never throws.
 */
export function checkSnapshot(value: unknown): Checked<Snapshot> {
  try {
    return dispatchSnapshot(value) ?? explain(value, 'snapshot');
  } catch {
    return unreadable();
  }
}
