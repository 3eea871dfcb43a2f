/** Code units of one text that are looked at: far more than any field may have. */
const LONGEST = 65_536;

/**
 * The start of a text that nobody bounded, to be cleaned and then shortened: cleaning takes time with the length, and what is
 * sent to be shown on one line may be megabytes. A text of at most 65,536 code units comes back as it is; a longer one is cut
 * between code points. So of a longer line that is redrawn by carriage returns the last redraw within that start is read.
 */
export function startOf(text: string): string {
  if (text.length <= LONGEST) return text;
  const isSplit = (text.charCodeAt(LONGEST - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isSplit ? LONGEST - 1 : LONGEST);
}
