import { hasOddSurrogates, SUSPECT } from './invisible.ts';
import { settleJoiners } from './joiners.ts';
import { keepVisible } from './visible.ts';

const QUESTIONABLE = new RegExp(`[\\v\\f\\r\\x85\\u2028\\u2029${SUSPECT}]`);
const BREAK = /\r\n|[\r\v\f\x85\u2028\u2029]/g;

/**
 * Cleans a note in Markdown: as `cleanLine`, but lines and tabs are kept, since they mean something there. Every form of
 * line break becomes `\n`, a carriage return alone too: in a note it separates lines and redraws nothing.
 */
export function cleanNote(text: string): string {
  if (!QUESTIONABLE.test(text) && !hasOddSurrogates(text)) return text;
  const clean = settleJoiners(keepVisible(text).replace(BREAK, '\n'));
  return clean === text ? text : clean;
}
