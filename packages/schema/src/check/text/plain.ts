import { opensIgnorable } from './invisible.ts';

/**
 * Quick answers for ordinary text, which is nearly all there is: is there anything that cleaning would have to look at?
 * A yes here is certain; a no only means that the rules have to be asked.
 */

/** Looking for what is not plain is quickest for a few words. */
const NOT_PLAIN_LINE = /[^ -~]/;
const WORDS = 42;
/** Anchored at both ends, such an expression is one tight loop in the engine: twice as fast where there is more to read. */
const PLAIN_LINE = /^[ -~]*$/;
/** Texts up to here are tested whole; a longer one that fails late would be read twice. */
const SHORT = 1024;

/** True for printable ASCII on one line: nothing of it can have to go. */
export function isPlainLine(text: string): boolean {
  return text.length <= WORDS ? !NOT_PLAIN_LINE.test(text) : text.length <= SHORT && PLAIN_LINE.test(text);
}

/** A stretch of plain characters, none included: where it ends, something else stands. Faster than to search for that. */
const PLAIN_STRETCH = /[\t\n -~]*/y;

function endOfPlain(text: string, from: number): number {
  PLAIN_STRETCH.lastIndex = from;
  PLAIN_STRETCH.test(text);
  return PLAIN_STRETCH.lastIndex;
}

/** So many plain characters in a row end a stretch that is read one by one: about what one more search costs. */
const BREATHER = 16;

/** True for characters of the first plane beyond ASCII that are always kept, in the order of how common they are. */
function isKept(unit: number): boolean {
  if (unit < 0x61c) return unit > 0xad && unit !== 0x34f;
  if (unit < 0x2000) return unit > 0x180f || (unit > 0x61c && unit < 0x115f) || (unit > 0x1160 && unit < 0x17b4);
  if (unit < 0x2070) return (unit > 0x200f && unit < 0x2028) || (unit > 0x202f && unit < 0x2060);
  return unit < 0xd800 && unit !== 0x3164;
}

/**
 * Length in UTF-8 bytes of a note in which nothing has to be cleaned; -1 when the rules have to be asked. One pass for
 * both questions, because either of them alone costs a long note as much as parsing it. Linear.
 */
export function plainNoteBytes(text: string): number {
  let bytes = text.length;
  for (let index = endOfPlain(text, 0); index < text.length; index = endOfPlain(text, index)) {
    for (let plain = 0; plain < BREATHER && index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit < 0x7f) {
        if (unit < 0x20 && unit !== 0x0a && unit !== 0x09) return -1;
        plain++;
      } else if ((unit & 0xfc00) === 0xd800 && !opensIgnorable(unit) && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
        plain = 0;
        bytes += 2;
        index++;
      } else if (isKept(unit)) {
        plain = 0;
        bytes += unit < 0x800 ? 1 : 2;
      } else return -1;
    }
  }
  return bytes;
}
