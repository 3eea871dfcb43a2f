import { LIMITS } from '../wire/limits.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import { cleanFields, withField } from './clean-fields.ts';
import type { Issue } from './issue.ts';
import { addIssue } from './issue-list.ts';
import { jsonFault } from './json-size.ts';
import { cleanLine } from './text/clean-line.ts';

const own = Object.prototype.hasOwnProperty;
/** The fields that `finishOperation` has to look at. The generated predicate knows them and tells when there is no need. */
export const OPERATION_TEXTS = [
  'message',
  'title',
  'activeTitle',
  'unit',
  'kind',
  'reason',
  'tool',
  'error',
  'blockedOn',
  'waitingOn',
  'usage',
  'native',
  'ext',
] as const satisfies readonly (keyof OperationEvent)[];
const TOOL_NAMES = ['name', 'origin', 'server'] as const;

/** Usage with its label cleaned; the same reference when there was nothing to clean. */
export function cleanUsage(usage: Usage): Usage {
  return cleanFields(usage, ['label']);
}

function collectNames(tool: NonNullable<OperationEvent['tool']>, path: string, issues: Issue[]): void {
  for (const name of TOOL_NAMES) {
    if (tool[name] === '') addIssue(issues, `${path}/tool/${name}`, 'empty', 'must hold something that can be seen.');
  }
}

function collectJson(value: unknown, path: string, issues: Issue[]): void {
  const fault = jsonFault(value, LIMITS.ext);
  if (fault === 'type') addIssue(issues, path, fault, 'must hold only what JSON can, but holds a bigint.');
  else if (fault !== undefined) addIssue(issues, path, fault, `must take at most ${LIMITS.ext} characters as JSON, but takes more.`);
}

/**
 * The operation, event or record, with every text for people cleaned: the same reference when there was nothing to
 * clean. Identifiers and the peer's own words are not touched: they must come back as they came. Adds the issues that the
 * shape cannot express: names of a tool that were nothing but invisible, and carried data that is too large.
 *
 * Walks the keys that are there instead of asking for those that may be: most events carry few of them.
 */
export function finishOperation<T extends OperationEvent | Operation>(operation: T, path: string, issues: Issue[]): T {
  const original: Partial<OperationEvent> = operation as Partial<OperationEvent>;
  let result = original;
  for (const key in original) {
    if (!own.call(original, key)) continue;
    switch (key) {
      case 'message':
      case 'title':
      case 'activeTitle':
      case 'unit':
      case 'kind':
      case 'reason':
        if (original[key]) result = withField(result, original, key, cleanLine(original[key]));
        break;
      case 'tool':
        if (!original.tool) break;
        result = withField(result, original, 'tool', cleanFields(original.tool, TOOL_NAMES));
        if (result.tool) collectNames(result.tool, path, issues);
        break;
      case 'error':
        if (original.error) result = withField(result, original, 'error', cleanFields(original.error, ['message', 'code']));
        break;
      case 'blockedOn':
        if (original.blockedOn) result = withField(result, original, 'blockedOn', cleanFields(original.blockedOn, ['prompt']));
        break;
      case 'waitingOn':
        if (original.waitingOn) result = withField(result, original, 'waitingOn', cleanFields(original.waitingOn, ['text']));
        break;
      case 'usage':
        if (original.usage) result = withField(result, original, 'usage', cleanUsage(original.usage));
        break;
      case 'native':
        if (original.native?.ids) collectJson(original.native.ids, `${path}/native/ids`, issues);
        break;
      case 'ext':
        if (original.ext) collectJson(original.ext, `${path}/ext`, issues);
        break;
    }
  }
  return result as T;
}
