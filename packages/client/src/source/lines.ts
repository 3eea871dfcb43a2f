/** Text or bytes of NDJSON, whole or in pieces that may be cut anywhere. */
export type Ndjson = string | Iterable<string> | AsyncIterable<string | Uint8Array> | ReadableStream<Uint8Array>;

/** One line, or word of one that was skipped because it is longer than the cap. */
export type Line = { readonly text: string } | { readonly tooLong: true };

/**
 * Cuts pieces of text into lines at line feeds. A byte order mark at the beginning goes, a last line needs no line feed,
 * and a line over `maxLength` UTF-16 code units is skipped, so that no more than that is ever held.
 */
export async function* cutLines(input: AsyncIterable<string | Uint8Array> | Iterable<string>, maxLength: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';
  let begun = false;
  let skipping = false;
  const line = (end: string): Line => {
    const text = pending + end;
    const tooLong = skipping || text.length > maxLength;
    pending = '';
    skipping = false;
    return tooLong ? { tooLong: true } : { text };
  };
  for await (const piece of input) {
    let text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    if (!begun && text !== '') {
      begun = true;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      yield line(text.slice(start, end));
      start = end + 1;
    }
    // Appending is cheap: the engine joins a rope only when the line is read.
    if (!skipping) pending += text.slice(start);
    if (pending.length > maxLength) {
      pending = '';
      skipping = true;
    }
  }
  const rest = decoder.decode();
  if (skipping || pending !== '' || rest !== '') yield line(rest);
}

/** The pieces of any accepted form. Not every browser can iterate a ReadableStream, so its reader is used. */
export function pieces(ndjson: Ndjson): Iterable<string> | AsyncIterable<string | Uint8Array> {
  if (typeof ndjson === 'string') return [ndjson];
  return 'getReader' in ndjson ? readStream(ndjson) : ndjson;
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
