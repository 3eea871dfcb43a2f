import { utf16Width } from './code-points.ts';
import { CONDITIONAL, CONDITIONAL_BEYOND, hasSurrogates } from './invisible.ts';

const ZWJ = 0x200d;
const BLACK_FLAG = 0x1f3f4;
const EMOJI_PRESENTATION = 0xfe0f;

/** What has to be decided about, in runs: in any text, and in one without surrogates. */
const RUNS = new RegExp(`[${CONDITIONAL}${CONDITIONAL_BEYOND}]+`, 'gu');
const RUNS_WITHIN = new RegExp(`[${CONDITIONAL}]+`, 'g');

/** Blocks of the scripts in which a joiner changes what is seen. */
const JOINING_BLOCKS = [
  // Arabic, Syriac, N'Ko, Mandaic; Devanagari to Sinhala
  [0x0600, 0x0dff],
  // Tibetan, Myanmar
  [0x0f00, 0x109f],
  // Khmer, Mongolian
  [0x1780, 0x18af],
  // Balinese
  [0x1b00, 0x1b7f],
  // Devanagari Extended
  [0xa8e0, 0xa8ff],
  // Javanese, Myanmar Extended-B and -A
  [0xa980, 0xa9ff],
  [0xaa60, 0xaa7f],
  // Arabic presentation forms
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  // Rohingya
  [0x10d00, 0x10d3f],
  // Brahmi and its descendants of the second plane: Chakma, Sharada, Grantha, Newa, Tirhuta, Modi
  [0x11000, 0x119ff],
  // Adlam
  [0x1e900, 0x1e95f],
] as const;
/**
 * A question about a property of characters, compiled when it is first asked: to read such an expression, even unused in a
 * literal, takes an engine longer than to read all the rest of this package.
 */
function property(pattern: string): (codePoint: number) => boolean {
  let compiled: RegExp | undefined;
  return (codePoint) => codePoint > 0 && (compiled ??= new RegExp(`^${pattern}$`, 'u')).test(String.fromCodePoint(codePoint));
}

const isPictograph = property('[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]');
const isMongolian = property('\\p{Script=Mongolian}');
const isIdeograph = property('\\p{Script=Han}');
/** What a variation selector may stand on: something visible, never a space or another selector. */
const isBase = property('[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]');
/** Tag characters in a row. */
const TAGS = /[\u{e0000}-\u{e007f}]+/uy;
/** A region and its part in tag characters (Scotland, Wales), closed by the tag that ends them. */
const FLAG_TAGS = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,7}\u{e007f}$/u;

const isMongolianSelector = (codePoint: number): boolean => codePoint >= 0x180b && codePoint <= 0x180f && codePoint !== 0x180e;
const isSelector = (codePoint: number): boolean =>
  isMongolianSelector(codePoint) || (codePoint >= 0xfe00 && codePoint <= 0xfe0f) || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
const isTag = (codePoint: number): boolean => codePoint >= 0xe0000 && codePoint <= 0xe007f;

/** The two code points written last: what a selector or joiner stands on. -1 when there is none. */
interface Written {
  last: number;
  before: number;
}

function keepsSelector(codePoint: number, { last }: Written): boolean {
  if (isSelector(last)) return false;
  if (codePoint > 0xffff) return isIdeograph(last);
  return isMongolianSelector(codePoint) ? isMongolian(last) : isBase(last);
}

function keepsJoiner(codePoint: number, { last, before }: Written, next: number): boolean {
  if (JOINING_BLOCKS.some(([first, end]) => last >= first && last <= end)) return true;
  if (codePoint !== ZWJ) return false;
  const base = last === EMOJI_PRESENTATION ? before : last;
  return isPictograph(base) && isPictograph(next);
}

/** What stays of a run of joiners, selectors and tags that follows `base` and is followed by `after`. */
function settleRun(run: string, base: number, after: number): string {
  const written: Written = { last: base, before: -1 };
  let result = '';
  for (let index = 0, end; index < run.length; index = end) {
    const codePoint = run.codePointAt(index) as number;
    end = index + utf16Width(codePoint);
    let keep: boolean;
    if (isSelector(codePoint)) keep = keepsSelector(codePoint, written);
    else if (isTag(codePoint)) {
      TAGS.lastIndex = index;
      TAGS.test(run);
      end = TAGS.lastIndex;
      keep = written.last === BLACK_FLAG && FLAG_TAGS.test(run.slice(index, end));
    } else keep = keepsJoiner(codePoint, written, run.codePointAt(end) ?? after);
    if (!keep) continue;
    result += run.slice(index, end);
    written.before = written.last;
    written.last = codePoint;
  }
  return result;
}

function codePointBefore(text: string, index: number): number {
  if (index === 0) return -1;
  const paired = index > 1 && (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return text.codePointAt(paired ? index - 2 : index - 1) as number;
}

/**
 * Decides, in well-formed text, about characters that are honest in one place and a hidden channel in another:
 * - ZWJ stays between pictographs; one ZWJ or ZWNJ stays after a letter or sign of a script that needs them;
 * - one variation selector stays on a visible character (those of a script on a character of that script), no run of them;
 * - tag characters stay where they make a flag, and nowhere else.
 * What is kept depends on what was written before it, so a second pass finds nothing to do.
 */
export function settleJoiners(text: string): string {
  const runs = hasSurrogates(text) ? RUNS : RUNS_WITHIN;
  return text.replace(runs, (run: string, index: number) =>
    settleRun(run, codePointBefore(text, index), text.codePointAt(index + run.length) ?? -1),
  );
}
