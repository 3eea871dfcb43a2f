/** The part of the platform's encoder used here; absent on a few embedded engines, where bytes are counted by hand. */
interface Encoder {
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

const BUFFER_BYTES = 16_384;
/** Most bytes a buffer may lack when the next code point did not fit. */
const SLACK = 3;

let encoder: Encoder | null | undefined;
let buffer: Uint8Array | undefined;

function platformEncoder(): Encoder | null {
  if (encoder === undefined) {
    const { TextEncoder } = globalThis as { TextEncoder?: new () => Encoder };
    encoder = TextEncoder === undefined ? null : new TextEncoder();
  }
  return encoder;
}

/** Bytes of one code point in UTF-8; a lone surrogate counts as U+FFFD, which it is written as. */
export function utf8Width(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

/** The same length without the platform's encoder. */
export function utf8LengthByHand(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) as number;
    if (codePoint > 0xffff) index++;
    bytes += utf8Width(codePoint);
  }
  return bytes;
}

/** Length of a text in UTF-8 bytes. A lone surrogate counts three, as it is written as U+FFFD. Linear, no copy of the text's bytes is kept. */
export function utf8Length(text: string): number {
  const native = platformEncoder();
  if (native === null) return utf8LengthByHand(text);
  buffer ??= new Uint8Array(BUFFER_BYTES);
  let bytes = 0;
  let rest = text;
  while (rest.length > 0) {
    const { read, written } = native.encodeInto(rest, buffer);
    bytes += written;
    rest = rest.slice(read);
  }
  return bytes;
}

/** True when the text takes more than `max` UTF-8 bytes. Decided by the length alone where that suffices. */
export function exceedsUtf8(text: string, max: number): boolean {
  if (text.length > max) return true;
  if (text.length * 3 <= max) return false;
  const native = platformEncoder();
  if (native === null || max > BUFFER_BYTES - SLACK) return utf8Length(text) > max;
  buffer ??= new Uint8Array(BUFFER_BYTES);
  const { read, written } = native.encodeInto(text, buffer);
  return read < text.length || written > max;
}
