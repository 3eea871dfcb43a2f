import { hasSurrogates } from './invisible.ts';

/** So few are counted before the engine has begun to search. */
const FEW = 16;

/** Length of a text in Unicode code points; a lone surrogate counts as one. Linear. */
export function codePointLength(text: string): number {
  if (text.length > FEW && !hasSurrogates(text)) return text.length;
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** Index of the code unit after the first `count` code points, at most the length of the text. */
export function codePointOffset(text: string, count: number): number {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--) index += utf16Width(text.codePointAt(index) ?? 0);
  return index;
}

/** Code units of one code point. */
export function utf16Width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
