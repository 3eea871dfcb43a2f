/** A table of a peer's words that answers only for its own: `toString` and `__proto__` are words nobody knows. */
export function wordTable<Value>(words: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.freeze({ __proto__: null, ...words }) as never;
}
