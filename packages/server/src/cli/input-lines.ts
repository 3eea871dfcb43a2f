/** One line of a file, or word of one that was longer than the bound and was skipped. */
export type InputLine = { readonly text: string } | { readonly tooLong: true };

const LINE_FEED = 10;

/**
 * Cuts bytes into lines at line feeds and nowhere else: JSON text may hold every other separator, which Node's readline
 * cuts at too. A byte order mark at the beginning goes, a last line needs no line feed, and no more than `maxBytes` of a line
 * are ever held.
 */
export async function* inputLines(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<InputLine> {
  // Takes the byte order mark away, at the beginning only because it is used once there.
  const first = new TextDecoder();
  let parts: Buffer[] = [];
  let size = 0;
  let begun = false;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > maxBytes) parts = [];
    else parts.push(part);
  };
  const line = (): InputLine => {
    const bytes = Buffer.concat(parts);
    const tooLong = size > maxBytes;
    parts = [];
    size = 0;
    const text = begun ? bytes.toString('utf8') : first.decode(bytes);
    begun = true;
    return tooLong ? { tooLong } : { text };
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield line();
}
