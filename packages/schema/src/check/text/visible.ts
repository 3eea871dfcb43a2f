import { stripEscapes } from './escapes.ts';
import { CONTROL, hasSurrogates, INVISIBLE, INVISIBLE_BEYOND } from './invisible.ts';

const LONE = /[\ud800-\udfff]/gu;
const CONTROLS = new RegExp(`[${CONTROL}]+`, 'g');
const DROPPED = new RegExp(`[${INVISIBLE}]+`, 'g');
const DROPPED_BEYOND = new RegExp(`[${INVISIBLE_BEYOND}]+`, 'gu');

/**
 * Leaves what can be seen, and line breaks, tabs and joiners: the part both kinds of text share. Lone surrogates become
 * U+FFFD first, so that nothing removed later can put two halves together.
 */
export function keepVisible(text: string): string {
  const clean = hasSurrogates(text) ? text.replace(LONE, '\ufffd').replace(DROPPED_BEYOND, '') : text;
  return stripEscapes(clean).replace(CONTROLS, '').replace(DROPPED, '');
}
