import { at } from './links.ts';

const TAG = /<(?:([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*'){0,2000}|\/[a-z][^<>]{0,2000}|![a-z][^<>]{0,2000})>/iy;
/** Elements that stand within a line of text, also at its beginning. */
const WITHIN = /^(?:a|abbr|b|br|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|su[bp]|u|var)$/i;
/** Elements whose content is no text for a reader. */
const OPAQUE = /^(?:script|style|iframe|object|embed|template|noscript|noembed|noframes|svg|math|textarea|select|title|xmp|plaintext)$/i;
const BARS = /<\/?progress\b/iy;
const LITERAL = /^<(?:script|pre|style|textarea)(?:\s|>|$)/i;
const BLOCK =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;
const ALONE =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)[ \t]*$/i;
/** What stands between marks of its own, and is not for reading. */
const MARKED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
];

/** Whether raw HTML begins with this line, and what ends it: a mark, or an empty line. */
export function htmlStart(line: string, inParagraph: boolean): { readonly until: RegExp | undefined } | undefined {
  if (at(BARS, line, 0)) return undefined;
  if (LITERAL.test(line)) return { until: /<\/(?:script|pre|style|textarea)>/i };
  if (line.startsWith('<!--')) return { until: /-->/ };
  if (line.startsWith('<?')) return { until: /\?>/ };
  if (line.startsWith('<![CDATA[')) return { until: /\]\]>/ };
  if (/^<![a-z]/i.test(line)) return { until: />/ };
  return BLOCK.test(line) || (!inParagraph && ALONE.test(line)) ? { until: undefined } : undefined;
}

/**
 * What is left of raw HTML for a reader: an element that is closed before the next empty line goes with everything in it,
 * of any other only the tag, so that it cannot swallow what follows.
 */
export function reread(html: string): string {
  let index = 0;
  for (;;) {
    index += at(/\s*/y, html, index)![0].length;
    const end = rawBlock(html, index);
    if (end === 0) return html.slice(index);
    index = end;
  }
}

function rawBlock(html: string, index: number): number {
  const marked = markedEnd(html, index);
  if (marked) return marked;
  const tag = at(TAG, html, index);
  if (!tag || at(BARS, html, index)) return 0;
  const [all, name] = tag;
  const end = index + all.length;
  if (name === undefined) return end;
  if (WITHIN.test(name)) return 0;
  const closed = closedEnd(html, end, name);
  if (closed < 0 || OPAQUE.test(name)) return Math.max(end, closed);
  return /\n[ \t]*\n/.test(html.slice(end, closed)) ? end : closed;
}

/** Where the raw HTML ends that begins at this place within a line; 0: there is none. */
export function rawInline(text: string, index: number): number {
  const marked = markedEnd(text, index);
  if (marked) return marked;
  const tag = at(TAG, text, index);
  if (!tag) return 0;
  const end = index + tag[0].length;
  return Math.max(end, tag[1] !== undefined && OPAQUE.test(tag[1]) ? closedEnd(text, end, tag[1]) : -1);
}

function markedEnd(text: string, index: number): number {
  for (const [start, end] of MARKED) {
    if (!text.startsWith(start, index)) continue;
    const from = index + start.length;
    const found = indexOfLast(text, end) < from ? -1 : text.indexOf(end, from);
    return found < 0 ? 0 : found + end.length;
  }
  return 0;
}

function closedEnd(text: string, from: number, name: string): number {
  const end = `</${name.toLowerCase()}`;
  if (indexOfLast(text, end) < from) return -1;
  const expression = new RegExp(`${end}\\s*>`, 'gi');
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : -1;
}

let known = '';
let last = new Map<string, number>();

/** Where something stands last in a text, whatever its case. Kept for the text at hand: many may ask for what is not there. */
function indexOfLast(text: string, what: string): number {
  if (text !== known) {
    known = text;
    last = new Map();
  }
  let index = last.get(what);
  if (index === undefined) last.set(what, (index = text.toLowerCase().lastIndexOf(what)));
  return index;
}
