import { cleanLine } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';

/** What is wrong with a line, as `line:field: message`, or `line: message` where it is the whole. Nothing in it reaches a terminal as a sequence. */
export function lineIssues(number: number, issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${cleanLine(`${number}${path === '' ? '' : `:${path}`}: ${message}`)}\n`).join('');
}
