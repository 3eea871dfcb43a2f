const OPEN = /^<([a-z][a-z0-9-]*)\b(?:[^<>"']|"[^"]*"|'[^']*'){0,2000}>/i;
const OTHER = /^<!--[\s\S]*?(?:-->|$)|^<\?[\s\S]*?(?:\?>|$)|^<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|^<![a-z][^>]*(?:>|$)|^<\/[a-z][^>]*(?:>|$)/i;
/** Elements whose content is no text for a reader, closed or not. */
const OPAQUE = /^(?:script|style|iframe|object|embed|template|noscript|noembed|noframes|svg|math|textarea|select|title|xmp|plaintext)$/i;

/**
 * The raw HTML at the beginning of a block, to be dropped: an element with everything in it when it is closed, else only
 * its tag, so that an open tag cannot swallow what follows. Undefined when there is none.
 */
export function rawBlock(source: string): string | undefined {
  const other = OTHER.exec(source);
  if (other) return other[0];
  const open = OPEN.exec(source);
  if (!open) return undefined;
  return closedElement(source, open[0], open[1] ?? '') ?? open[0];
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
