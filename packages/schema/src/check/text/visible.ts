import { CONDITIONAL, CONTROL, INVISIBLE, LONE_SURROGATE } from './invisible.ts';
import { stripEscapes } from './escapes.ts';
import { settleJoiners } from './joiners.ts';

const LONE = new RegExp(`[${LONE_SURROGATE}]`, 'gu');
const ESCAPE = /[\x1b\x80-\x9f]/;
const DROPPED = new RegExp(`[${CONTROL}${INVISIBLE}]+`, 'gu');
const UNSETTLED = new RegExp(`[${CONDITIONAL}]`, 'u');

/**
 * Leaves what can be seen, and line breaks and tabs: the part both kinds of text share. Surrogates are mended first, so
 * that nothing removed later can put two halves together.
 */
export function keepVisible(text: string): string {
  let clean = text.replace(LONE, '\ufffd');
  if (ESCAPE.test(clean)) clean = stripEscapes(clean);
  return clean.replace(DROPPED, '');
}

/** The last step, when all else is gone: joiners see the neighbours they will have. */
export function settle(text: string): string {
  return UNSETTLED.test(text) ? settleJoiners(text) : text;
}
