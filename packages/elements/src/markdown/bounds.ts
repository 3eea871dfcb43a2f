/** UTF-8 bytes of a note on the wire; a card handed over by property may hold more. */
const NOTE_BYTES = 8192;
/** Levels of quotes and lists within one line. */
const NESTING = 32;
/** Cells of one table, ragged rows included. */
export const TABLE_CELLS = 900;
/** Characters that may be looked at in search of the ends of emphasis, in all. */
export const EMPHASIS_WORK = 150_000;
/** Opening brackets in one note; each is looked at again for every other. */
const BRACKETS = 400;
/** Delimiters in one paragraph. */
const DELIMITERS = 2_000;
/** Blocks of one note. */
const BLOCKS = 1_000;
/** Elements in a rendered note. */
export const ELEMENTS = 2_000;

/** Cuts a note that is longer than the wire allows; on a code point, and told. */
export function boundText(markdown: string): { readonly text: string; readonly cut: boolean } {
  const encoder = new TextEncoder();
  if (markdown.length * 3 <= NOTE_BYTES) return { text: markdown, cut: false };
  const room = new Uint8Array(NOTE_BYTES);
  const { read } = encoder.encodeInto(markdown, room);
  return read >= markdown.length ? { text: markdown, cut: false } : { text: markdown.slice(0, read), cut: true };
}

/** True when a note would cost more to read as Markdown than any honest note does. */
export function isExcessive(markdown: string): boolean {
  let delimiters = 0;
  let brackets = 0;
  let blocks = 0;
  for (const line of markdown.split('\n')) {
    const lead = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/.exec(line)?.[0] ?? '';
    if ((lead.match(/>|[-*+](?=[ \t])|\d[.)]/g)?.length ?? 0) > NESTING && !/^[ \t]*(?:(?:- *)+|(?:\* *)+)$/.test(line)) return true;
    if (!line.trim()) {
      delimiters = 0;
      blocks++;
    }
    delimiters += line.match(/[*_~`]+/g)?.length ?? 0;
    brackets += line.match(/\[/g)?.length ?? 0;
    if (delimiters > DELIMITERS || brackets > BRACKETS || blocks > BLOCKS) return true;
  }
  return false;
}
