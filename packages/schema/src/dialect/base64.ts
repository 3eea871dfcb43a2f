/** Base64 of UTF-8 without the platform's help: this package runs where there is neither Buffer nor btoa. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const FORM = /^[A-Za-z0-9+/]*={0,2}$/;
const VALUES: ReadonlyMap<string, number> = new Map(Array.from(ALPHABET, (letter, value) => [letter, value]));

/** The UTF-8 bytes of a text; a lone surrogate is written as U+FFFD. */
function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

/** A text in standard base64, padded. */
export function toBase64(text: string): string {
  const bytes = bytesOf(text);
  let result = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.slice(index, index + 3);
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    result += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    result += second === undefined ? '=' : ALPHABET.charAt((group >> 6) & 63);
    result += third === undefined ? '=' : ALPHABET.charAt(group & 63);
  }
  return result;
}

/** The text in standard base64, with its padding or without. Undefined when it is none, or not UTF-8. */
export function fromBase64(encoded: string): string | undefined {
  if (!FORM.test(encoded)) return undefined;
  const letters = encoded.replace(/=+$/, '');
  const padding = encoded.length - letters.length;
  if (letters.length % 4 === 1 || (padding > 0 && encoded.length % 4 !== 0)) return undefined;
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of letters) {
    held = ((held << 6) | (VALUES.get(letter) as number)) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return textOf(bytes);
}

/** Strict: an invalid, overlong or surrogate sequence is no text. */
function textOf(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let index = 0; index < bytes.length;) {
    const first = bytes[index] as number;
    const more =
      first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : -1;
    if (more < 0) return undefined;
    let point = more === 0 ? first : first & (0x3f >> more);
    for (const byte of bytes.slice(index + 1, index + 1 + more)) {
      if ((byte & 0xc0) !== 0x80) return undefined;
      point = (point << 6) | (byte & 0x3f);
    }
    if (index + more >= bytes.length || !isScalar(point, more)) return undefined;
    text += String.fromCodePoint(point);
    index += more + 1;
  }
  return text;
}

function isScalar(point: number, more: number): boolean {
  if (more === 2) return point >= 0x800 && (point < 0xd800 || point > 0xdfff);
  return more !== 3 || (point >= 0x10000 && point <= 0x10ffff);
}
