const OPEN = /^<([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>"']|"[^"]*"|'[^']*'){0,2000}>/i;
const OTHER = /^<!--[\s\S]*?(?:-->|$)|^<\?[\s\S]*?(?:\?>|$)|^<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|^<![a-z][^>]*(?:>|$)|^<\/[a-z][^>]*(?:>|$)/i;
/** Elements that stand within a line of text, also at its beginning. */
const WITHIN = /^(?:a|abbr|b|br|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|su[bp]|u|var)$/i;
/** Elements whose content is no text for a reader, closed or not. */
const OPAQUE = /^(?:script|style|iframe|object|embed|template|noscript|noembed|noframes|svg|math|textarea|select|title|xmp|plaintext)$/i;

/**
 * The raw HTML at the beginning of a block, to be dropped: an element with everything in it when it is closed before the
 * next empty line, else only its tag, so that it cannot swallow what follows. Undefined when there is none.
 */
export function rawBlock(source: string): string | undefined {
  const other = OTHER.exec(source);
  if (other) return other[0];
  const open = OPEN.exec(source);
  const name = open?.[1] ?? '';
  if (!open || WITHIN.test(name)) return undefined;
  const block = OPAQUE.test(name) ? source : source.split(/\n[ \t]*\n/, 1)[0]!;
  return closedElement(block, open[0], name) ?? open[0];
}

/** The raw HTML at the beginning of a run of text: a tag, or an element whose content is not for reading. */
export function rawInline(source: string): string | undefined {
  const other = OTHER.exec(source);
  if (other) return other[0];
  const open = OPEN.exec(source);
  if (!open) return undefined;
  const name = open[1] ?? '';
  return (OPAQUE.test(name) ? closedElement(source, open[0], name) : undefined) ?? open[0];
}

function closedElement(source: string, tag: string, name: string): string | undefined {
  const end = new RegExp(`</${name}\\s*>`, 'i').exec(source);
  return end && end.index >= tag.length ? source.slice(0, end.index + end[0].length) : undefined;
}
