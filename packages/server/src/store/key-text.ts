/**
 * A key as a store of UTF-8 text can hold it: that has no halves of surrogate pairs, and an id may hold some. `fromText` gives
 * it back.
 */
export function toText(key: string): string {
  return /^~|\p{Cs}/u.test(key) ? `~${JSON.stringify(key)}` : key;
}

/** The key that `toText` wrote. */
export function fromText(text: string): string {
  return text.startsWith('~') ? (JSON.parse(text.slice(1)) as string) : text;
}
