import type { Issue, IssueCode, Refused } from './issue.ts';
import { fieldName } from './pointer.ts';

/** More would help nobody; the rest is not looked for. */
export const MAX_ISSUES = 16;

/** Adds one issue unless the list is full. `rest` goes on after the field's name: "must be …". */
export function addIssue(issues: Issue[], path: string, code: IssueCode, rest: string): void {
  if (issues.length < MAX_ISSUES) issues.push({ path, code, message: `${fieldName(path)} ${rest}` });
}

/** The answer for a value with one issue. */
export function refusal(path: string, code: IssueCode, rest: string): Refused {
  const issues: Issue[] = [];
  addIssue(issues, path, code, rest);
  return refused(issues);
}

/** The answer for a value that could not even be read: one of its accessors threw. */
export function unreadable(): Refused {
  return refusal('', 'type', 'could not be read: give a plain JSON value.');
}

/** The answer for a value with issues. */
export function refused(issues: readonly Issue[]): Refused {
  return { ok: false, issues };
}
