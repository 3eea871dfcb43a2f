/**
 * The readable words of a Markdown note, for places that show plain text: notifications, channels, terminals. Not a
 * renderer: it drops marks and keeps words, in time linear in the note. Code spans and blocks are kept as they are
 * written; HTML goes, and with scripts, styles and frames their content goes too.
 */
export function markdownText(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutHtml(markdown).split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    else lines.push(fence === undefined ? lineText(line) : line);
  }
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Elements whose content is not text. */
const SILENT = ['script', 'style', 'iframe', 'object', 'template'] as const;

/** Removes comments and tags outside of code. A `<` that begins no tag is text. */
function withoutHtml(markdown: string): string {
  let text = '';
  let at = 0;
  while (at < markdown.length) {
    const next = nextSpecial(markdown, at);
    text += markdown.slice(at, next);
    if (next >= markdown.length) break;
    const end = markdown[next] === '`' ? codeEnd(markdown, next) : tagEnd(markdown, next);
    if (markdown[next] === '`') text += markdown.slice(next, end);
    else if (end === next) text += '<';
    at = Math.max(end, next + 1);
  }
  return text;
}

function nextSpecial(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) if (text[index] === '<' || text[index] === '`') return index;
  return text.length;
}

/** Position after a code span that begins here; after its opening marks when it is never closed. */
function codeEnd(text: string, from: number): number {
  let opened = from;
  while (text[opened] === '`') opened += 1;
  const marks = text.slice(from, opened);
  for (let close = text.indexOf(marks, opened); close >= 0;) {
    let past = close;
    while (text[past] === '`') past += 1;
    if (past - close === marks.length) return past;
    close = text.indexOf(marks, past);
  }
  return opened;
}

/** Position after a comment, a tag, or a silent element with its content; `from` when no tag begins here. */
function tagEnd(text: string, from: number): number {
  if (text.startsWith('<!--', from)) return after(text, '-->', from);
  const name = /^<\/?([a-z][a-z0-9-]*)/i.exec(text.slice(from, from + 40))?.[1]?.toLowerCase();
  if (name === undefined) return from;
  const close = text.indexOf('>', from);
  if (close < 0) return from;
  const silent = SILENT.find((element) => element === name);
  if (silent === undefined || text[from + 1] === '/') return close + 1;
  const end = text.toLowerCase().indexOf(`</${silent}`, close);
  return end < 0 ? text.length : after(text, '>', end);
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** One line without the marks of headings, quotes, lists, tables, emphasis, links and code. */
function lineText(line: string): string {
  if (/^[\s|:*_-]+$/.test(line)) return '';
  const body = line
    .replace(/^(?:\s{0,3}>)+\s?/, '')
    .replace(/^\s{0,3}#{1,6}\s+/, '')
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '');
  return inlineText(body.includes('|') ? body.replace(/\|/g, ' ').replace(/\s{2,}/g, ' ') : body);
}

function inlineText(text: string): string {
  const parts = text.split('`');
  return parts.map((part, index) => (index % 2 === 1 && index < parts.length - 1 ? part : markless(part))).join('');
}

function markless(text: string): string {
  return text
    .replace(/!?\[([^[\]]{0,1000})\]\([^()\s]{0,2000}(?:\s"[^"]{0,500}")?\)/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])|\*{1,3}|~~|(?<!\w)_{1,3}|_{1,3}(?!\w)/g, '$1');
}
