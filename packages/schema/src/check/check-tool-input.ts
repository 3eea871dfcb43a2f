import type { ProgressInput, ReportProgressInput } from '../wire/tool-inputs.ts';
import { isProgressInput, isReportProgressInput, progressInputRule, reportProgressInputRule } from '../generated/tool-inputs.ts';
import { cleanFields } from './clean-fields.ts';
import type { Checked, Issue } from './issue.ts';
import { addIssue, refused, unreadable } from './issue-list.ts';
import { shapeIssues } from './shape.ts';

function titled<T extends { title?: string }>(value: T): Checked<T> {
  const issues: Issue[] = [];
  if (value.title?.trim() === '') addIssue(issues, '/title', 'empty', 'must hold something that can be seen.');
  return issues.length === 0 ? { ok: true, value } : refused(issues);
}

/**
 * Checks the input of the `report_progress` tool. Closed: an unknown key is an issue, a number given as text too. The
 * total must be greater than 0; amounts are taken as they are, fractions included. Title and message come back cleaned,
 * by the same reference when there was nothing to clean. Never throws.
 */
export function checkReportProgressInput(value: unknown): Checked<ReportProgressInput> {
  try {
    if (!isReportProgressInput(value)) return refused(shapeIssues(reportProgressInputRule, value));
    return titled(cleanFields(value, ['title', 'message']));
  } catch {
    return unreadable();
  }
}

/**
 * Checks the input of the `progress` tool. Closed: an unknown key, an unknown status and a progress outside 0 to 1 are
 * issues. Title and detail come back cleaned, by the same reference when there was nothing to clean. Never throws.
 */
export function checkProgressInput(value: unknown): Checked<ProgressInput> {
  try {
    if (!isProgressInput(value)) return refused(shapeIssues(progressInputRule, value));
    return titled(cleanFields(value, ['title', 'detail']));
  } catch {
    return unreadable();
  }
}
