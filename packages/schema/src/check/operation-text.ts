import { LIMITS } from '../wire/limits.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import { cleanFields, withField } from './clean-fields.ts';
import type { Issue } from './issue.ts';
import { addIssue } from './issue-list.ts';
import { exceedsJson } from './json-size.ts';

/**
 * What both forms of an operation (event and record) carry for people to read. Identifiers and the peer's own words are
 * not among it: they must come back as they came.
 */
type WithText = Pick<OperationEvent, 'title' | 'activeTitle' | 'message' | 'unit' | 'kind' | 'reason' | 'tool' | 'error' | 'blockedOn' | 'waitingOn' | 'usage'>;

const LINES = ['title', 'activeTitle', 'message', 'unit', 'kind', 'reason'] as const;

/** Usage with its label cleaned; the same reference when there was nothing to clean. */
export function cleanUsage(usage: Usage): Usage {
  return cleanFields(usage, ['label']);
}

/** The operation with every text cleaned; the same reference when there was nothing to clean. */
export function cleanOperation<T extends OperationEvent | Operation>(operation: T): T {
  const original: WithText = operation as WithText;
  const { tool, error, blockedOn, waitingOn, usage } = original;
  let result = cleanFields(original, LINES);
  if (tool) result = withField(result, original, 'tool', cleanFields(tool, ['name', 'origin', 'server']));
  if (error) result = withField(result, original, 'error', cleanFields(error, ['message', 'code']));
  if (blockedOn) result = withField(result, original, 'blockedOn', cleanFields(blockedOn, ['prompt']));
  if (waitingOn) result = withField(result, original, 'waitingOn', cleanFields(waitingOn, ['text']));
  if (usage) result = withField(result, original, 'usage', cleanUsage(usage));
  return result as T;
}

/** What the shape cannot say about an operation: names that were nothing but invisible, and carried data too large. */
export function collectOperation(operation: OperationEvent | Operation, path: string, issues: Issue[]): void {
  const { tool, ext, native } = operation;
  if (tool) {
    for (const field of ['name', 'origin', 'server'] as const) {
      if (tool[field] === '') addIssue(issues, `${path}/tool/${field}`, 'empty', 'must hold something that can be seen.');
    }
  }
  const limit = `must take at most ${LIMITS.ext} characters as JSON, but takes more.`;
  if (ext && exceedsJson(ext, LIMITS.ext)) addIssue(issues, `${path}/ext`, 'too_long', limit);
  if (native?.ids && exceedsJson(native.ids, LIMITS.ext)) addIssue(issues, `${path}/native/ids`, 'too_long', limit);
}
