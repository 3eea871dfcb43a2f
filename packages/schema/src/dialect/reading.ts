import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { cleanLine } from '../check/text/clean-line.ts';
import { startOf } from '../check/text/start-of.ts';
import { isText } from '../check/guards.ts';
import { truncate } from '../check/text/truncate.ts';
import { LIMITS } from '../wire/limits.ts';
import type { Id } from '../wire/scalars.ts';
import { timeOfIso } from './foreign-time.ts';

/**
 * How every dialect reads single values: what can be mended is mended and noted, what cannot be used is left out and
 * noted. `undefined` always means "not there, or of no use"; then the stored value stays.
 */

/** A text, cleaned and shortened to `max` code points with a mark. Null and other types count as absent. */
export function readText(value: unknown, max: number, path: string, mended: Issue[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return leaveOut(mended, path, 'must be text');
  const start = startOf(value);
  const clean = cleanLine(start);
  const text = truncate(clean, max);
  if (text !== clean || start !== value) addIssue(mended, path, 'too_long', `must be at most ${max} characters and was shortened.`);
  return text;
}

/** A finite number. Null counts as absent; a number written as text is not read. */
export function readNumber(value: unknown, path: string, mended: Issue[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  return Number.isFinite(value) ? (value as number) : leaveOut(mended, path, 'must be a finite number');
}

/** A total: finite and above zero, or null for "not known", which also clears an older one. */
export function readTotal(value: unknown, path: string, mended: Issue[]): number | null {
  const total = readNumber(value, path, mended);
  if (total === undefined) return null;
  if (total > 0) return total;
  addIssue(mended, path, 'range', 'must be greater than 0 and was read as unknown.');
  return null;
}

/** An identifier with its type, within the limits of the wire. */
export function readId(value: unknown): Id | undefined {
  if (isText(value, 1, LIMITS.id)) return value;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** A time written as ISO 8601 text, in epoch milliseconds. One the wire does not carry is left out. */
export function readIsoTime(value: unknown, path: string, mended: Issue[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  return timeOfIso(value) ?? leaveOut(mended, path, 'must be a time in ISO 8601 from 1970 to 2099');
}

function leaveOut(mended: Issue[], path: string, rule: string): undefined {
  addIssue(mended, path, 'type', `${rule} and was left out.`);
  return undefined;
}
