/**
 * A small table of what a stream said before, as a dialect remembers it: plain, never changed in place, bounded. Keys come
 * from peers, so it is a list of pairs and no object.
 */
export type Entries<Value> = readonly (readonly [key: string, value: Value])[];

/** What is remembered under the key. */
export function entryOf<Value>(entries: Entries<Value> | undefined, key: string): Value | undefined {
  return entries?.find(([each]) => each === key)?.[1];
}

/** The table with this entry as its newest; beyond `max` the oldest are forgotten. */
export function withEntry<Value>(entries: Entries<Value> | undefined, key: string, value: Value, max: number): Entries<Value> {
  const others = withoutEntry(entries, key);
  return [...(others.length >= max ? others.slice(others.length - max + 1) : others), [key, value]];
}

/** The table without this entry. */
export function withoutEntry<Value>(entries: Entries<Value> | undefined, key: string): Entries<Value> {
  if (entries === undefined) return [];
  return hasEntry(entries, key) ? entries.filter(([each]) => each !== key) : entries;
}

/** True when something is remembered under the key. */
export function hasEntry(entries: Entries<unknown> | undefined, key: string): boolean {
  return entries?.some(([each]) => each === key) === true;
}
