import { CONDITIONAL, CONTROL, INVISIBLE, LONE_SURROGATE } from './invisible.ts';
import { keepVisible, settle } from './visible.ts';

const QUESTIONABLE = new RegExp(`[\\v\\f\\r\\x85\\u2028\\u2029${CONTROL}${INVISIBLE}${CONDITIONAL}${LONE_SURROGATE}]`, 'u');
const BREAK = /\r\n|[\r\v\f\x85\u2028\u2029]/g;

/**
 * Cleans a note in Markdown: as `cleanLine`, but lines and tabs are kept, since they mean something there. Every form of
 * line break becomes `\n`, a carriage return alone too: in a note it separates lines and redraws nothing.
 */
export function cleanNote(text: string): string {
  if (!QUESTIONABLE.test(text)) return text;
  const clean = settle(keepVisible(text).replace(BREAK, '\n'));
  return clean === text ? text : clean;
}
