import { hasOddSurrogates, SUSPECT } from './invisible.ts';
import { settleJoiners } from './joiners.ts';
import { isPlainLine } from './plain.ts';
import { keepVisible } from './visible.ts';

const QUESTIONABLE = new RegExp(`[\\t-\\r\\x85\\u2028\\u2029${SUSPECT}]`);
const BREAK = /[\n-\r\x85\u2028\u2029]/;
const LINE_ENDS = /[\n\v\f\x85\u2028\u2029]+/;

/** What a terminal would leave of one line: the last thing written after a carriage return. */
function redrawn(line: string): string {
  return line.split('\r').findLast((segment) => segment !== '') ?? '';
}

function oneLine(text: string): string {
  return text
    .split(LINE_ENDS)
    .map(redrawn)
    .filter((line) => line !== '')
    .join(' ');
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
  if (isPlainLine(text)) return text;
  if (!QUESTIONABLE.test(text) && !hasOddSurrogates(text)) return text;
  const visible = settleJoiners(keepVisible(text)).replaceAll('\t', ' ');
  const clean = BREAK.test(visible) ? oneLine(visible) : visible;
  return clean === text ? text : clean;
}
