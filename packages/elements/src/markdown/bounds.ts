/** UTF-8 bytes of a note on the wire; a card handed over by property may hold more. */
const NOTE_BYTES = 8192;

/** Cuts a note that is longer than the wire allows; on a code point, and told. */
export function boundText(markdown: string): { readonly text: string; readonly cut: boolean } {
  if (markdown.length * 3 <= NOTE_BYTES) return { text: markdown, cut: false };
  const { read } = new TextEncoder().encodeInto(markdown, new Uint8Array(NOTE_BYTES));
  return read >= markdown.length ? { text: markdown, cut: false } : { text: markdown.slice(0, read), cut: true };
}
