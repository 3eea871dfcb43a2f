/**
 * A key as SQLite can hold it: its text is UTF-8, which has no halves of surrogate pairs, and an id may hold some.
 */
export function toText(key: string): string {
  return /^~|\p{Cs}/u.test(key) ? `~${JSON.stringify(key)}` : key;
}

/** The key that was written so. */
export function fromText(text: string): string {
  return text.startsWith('~') ? (JSON.parse(text.slice(1)) as string) : text;
}
