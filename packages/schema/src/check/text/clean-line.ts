import { CONDITIONAL, CONTROL, INVISIBLE, LONE_SURROGATE } from './invisible.ts';
import { keepVisible, settle } from './visible.ts';

const QUESTIONABLE = new RegExp(`[\\t-\\r\\x85\\u2028\\u2029${CONTROL}${INVISIBLE}${CONDITIONAL}${LONE_SURROGATE}]`, 'u');
const BREAKS = /[\n\v\f\x85\u2028\u2029]+/;

/** What a terminal would leave of one line: the last thing written after a carriage return. */
function redrawn(line: string): string {
  if (!line.includes('\r')) return line;
  const segments = line.split('\r');
  return segments.findLast((segment) => segment !== '') ?? '';
}

/**
 * Cleans a text that is shown on one line: title, message, step, prompt.
 *
 * Escape sequences, control and invisible characters and bidi controls go; joiners stay only where they are needed; a
 * lone surrogate becomes U+FFFD. Of a line redrawn by carriage returns the last segment that is not empty stays. Line
 * breaks become one space between the lines that hold something, a tab becomes a space. Spaces that were there stay:
 * nothing is trimmed. Linear; cleaning twice is cleaning once; a text with nothing to clean comes back as it is.
 */
export function cleanLine(text: string): string {
  if (!QUESTIONABLE.test(text)) return text;
  const visible = keepVisible(text);
  const lines = visible.split(BREAKS).map(redrawn);
  const line = lines.length === 1 ? (lines[0] as string) : lines.filter((part) => part !== '').join(' ');
  const clean = settle(line.replaceAll('\t', ' '));
  return clean === text ? text : clean;
}
