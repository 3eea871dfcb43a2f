import { utf16Width } from './code-points.ts';

const ZWNJ = 0x200c;
const ZWJ = 0x200d;
const BLACK_FLAG = 0x1f3f4;
const EMOJI_PRESENTATION = 0xfe0f;

/** Scripts in which a joiner changes what is seen. */
const JOINING_SCRIPT =
  /^(?:\p{Script_Extensions=Arabic}|\p{Script=Syriac}|\p{Script=Nko}|\p{Script=Mandaic}|\p{Script=Mongolian}|\p{Script=Adlam}|\p{Script=Hanifi_Rohingya}|\p{Script_Extensions=Devanagari}|\p{Script=Bengali}|\p{Script=Gurmukhi}|\p{Script=Gujarati}|\p{Script=Oriya}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Tibetan}|\p{Script=Myanmar}|\p{Script=Khmer}|\p{Script=Balinese}|\p{Script=Javanese})$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const IDEOGRAPH = /^\p{Script=Han}$/u;
/** What a variation selector may stand on: something visible, never a space or another selector. */
const BASE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
/** Tag characters in a row. */
const TAGS = /[\u{e0000}-\u{e007f}]+/uy;
/** A region and its part in tag characters (Scotland, Wales), closed by the tag that ends them. */
const FLAG_TAGS = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,7}\u{e007f}$/u;

const isSelector = (codePoint: number): boolean => (codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
const isTag = (codePoint: number): boolean => codePoint >= 0xe0000 && codePoint <= 0xe007f;
const matches = (pattern: RegExp, codePoint: number): boolean => codePoint > 0 && pattern.test(String.fromCodePoint(codePoint));

/** The two code points written last: what a selector or joiner stands on. -1 when there is none. */
interface Written {
  last: number;
  before: number;
}

function keepsSelector(codePoint: number, { last }: Written): boolean {
  if (isSelector(last)) return false;
  return matches(codePoint > 0xffff ? IDEOGRAPH : BASE, last);
}

function keepsJoiner(codePoint: number, { last, before }: Written, next: number): boolean {
  if (matches(JOINING_SCRIPT, last)) return last !== ZWJ && last !== ZWNJ;
  if (codePoint !== ZWJ) return false;
  const base = last === EMOJI_PRESENTATION ? before : last;
  return matches(PICTOGRAPH, base) && matches(PICTOGRAPH, next);
}

/**
 * Decides about characters that are honest in one place and a hidden channel in another:
 * - ZWJ stays between pictographs; ZWJ and ZWNJ stay after a letter or sign of a script that needs them;
 * - one variation selector stays on a visible character (the ideographic ones on an ideograph only), no run of them;
 * - tag characters stay where they make a flag, and nowhere else.
 * One pass over well-formed text; what it keeps depends on what it has written, so a second pass finds nothing to do.
 */
export function settleJoiners(text: string): string {
  const written: Written = { last: -1, before: -1 };
  let result = '';
  let start = 0;
  let index = 0;
  while (index < text.length) {
    const codePoint = text.codePointAt(index) as number;
    let end = index + utf16Width(codePoint);
    let keep = true;
    if (isSelector(codePoint)) keep = keepsSelector(codePoint, written);
    else if (codePoint === ZWJ || codePoint === ZWNJ) keep = keepsJoiner(codePoint, written, text.codePointAt(end) ?? -1);
    else if (isTag(codePoint)) {
      TAGS.lastIndex = index;
      TAGS.test(text);
      end = TAGS.lastIndex;
      keep = written.last === BLACK_FLAG && FLAG_TAGS.test(text.slice(index, end));
    }
    if (keep) {
      written.before = written.last;
      written.last = codePoint;
    } else {
      result += text.slice(start, index);
      start = end;
    }
    index = end;
  }
  return start === 0 ? text : result + text.slice(start);
}
