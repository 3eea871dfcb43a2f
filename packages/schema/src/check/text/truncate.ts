import { codePointLength, codePointOffset, utf16Width } from './code-points.ts';
import { exceedsUtf8, utf8Width } from './utf8.ts';

const MARK = '…';
const MARK_BYTES = 3;
const ZERO_WIDTH_JOINER = 0x200d;

/** True when a tag character ends at `end`, other than the one that closes a flag: cut off, it would be invisible text. */
function endsInOpenTag(text: string, end: number): boolean {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xdc20 && unit <= 0xdc7e && text.charCodeAt(end - 2) === 0xdb40;
}

/** Cuts before `end`, with neither a joiner nor half a flag left dangling at the cut. */
function cut(text: string, end: number): string {
  let stop = end;
  for (;;) {
    if (text.charCodeAt(stop - 1) === ZERO_WIDTH_JOINER) stop -= 1;
    else if (endsInOpenTag(text, stop)) stop -= 2;
    else return text.slice(0, stop);
  }
}

/**
 * Shortens a text to at most `maxCodePoints` code points, the mark `…` included. Cuts between code points, so no
 * surrogate pair is split. A text within the limit comes back as it is.
 */
export function truncate(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints || codePointLength(text) <= maxCodePoints) return text;
  if (maxCodePoints < 1) return '';
  return cut(text, codePointOffset(text, maxCodePoints - 1)) + MARK;
}

/**
 * Shortens a text to at most `maxBytes` UTF-8 bytes, the mark `…` (three bytes) included; where even the mark does not
 * fit, the text is cut without it. A text within the limit comes back as it is.
 */
export function truncateBytes(text: string, maxBytes: number): string {
  if (!exceedsUtf8(text, maxBytes)) return text;
  const mark = maxBytes < MARK_BYTES ? '' : MARK;
  let room = maxBytes - (mark === '' ? 0 : MARK_BYTES);
  let end = 0;
  while (end < text.length) {
    const codePoint = text.codePointAt(end) as number;
    room -= utf8Width(codePoint);
    if (room < 0) break;
    end += utf16Width(codePoint);
  }
  return cut(text, end) + mark;
}
