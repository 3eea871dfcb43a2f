const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What turns text around or cannot be seen. It is taken out of notes on their way in, and must not come back as an entity. */
const UNSEEN =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e007f}]/u;
const UNSEEN_NAMES = /^(?:lrm|rlm|shy|zerowidthspace|nobreak|applyfunction|af|invisible(?:times|comma)|i[ct])$/i;
const ENTITY = '&(?:#x([\\da-f]{1,6})|#(\\d{1,7})|([a-z][a-z\\d]{1,31}));';

/** An entity, where it is looked for. */
export const entityHere = new RegExp(ENTITY, 'iy');
const SOURCE = new RegExp(`\\\\([!-/:-@[-\`{-~])|${ENTITY}|[&<>"]`, 'gi');

/** Text without the blanks at its end. Looks at each once, where an expression would begin anew at every one. */
export function trimEnd(text: string, blanks: string): string {
  let end = text.length;
  while (end > 0 && blanks.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Text as HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** An entity as HTML: a number as its character, a name as it stands; the browser knows the names. */
export function entity(all: string, hexadecimal?: string, decimal?: string, name?: string): string {
  if (name) return UNSEEN_NAMES.test(name) ? '' : all;
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  if (!code || code > 0x10ffff) return '\ufffd';
  const character = String.fromCodePoint(code);
  return UNSEEN.test(character) ? '' : escape(character);
}

/** Text in which backslashes and entities mean what they do in Markdown, as HTML. */
export function escapeSource(text: string): string {
  return text.replace(SOURCE, (all: string, escaped?: string, hexadecimal?: string, decimal?: string, name?: string) =>
    escaped ? escape(escaped) : all.length > 1 ? entity(all, hexadecimal, decimal, name) : ENTITIES[all]!,
  );
}
