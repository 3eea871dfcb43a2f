/** A short name for a text: 64 bits of FNV-1a over its code units as 13 letters and digits. Tells texts apart, and hides nothing. */
export function shortHash(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < text.length; index++) {
    low = (low ^ text.charCodeAt(index)) >>> 0;
    // The prime is 2^40 + 0x1b3: multiplied in halves of 16 bits, so that nothing is rounded.
    const product = low * 0x1b3;
    const carry = Math.floor(product / 0x1_0000_0000);
    high = (high * 0x1b3 + carry + ((low << 8) >>> 0)) % 0x1_0000_0000;
    low = product % 0x1_0000_0000;
  }
  return ((BigInt(high) << 32n) | BigInt(low)).toString(36).padStart(13, '0');
}
