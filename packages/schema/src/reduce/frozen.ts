/** As deep as the parts of a record go; extension data may go deeper and is shared from there on. */
const LEVELS = 2;

/**
 * A frozen copy of a part of an event. A producer in the same process often goes on with the objects it handed over (a
 * plan whose steps it ticks off, a usage it counts up): a record must stay as it was told.
 */
export function frozenCopy<T>(value: T, levels: number = LEVELS): T {
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item, levels - 1))) as T;
  const copy = { ...(value as Record<string, unknown>) };
  for (const key of Object.keys(copy)) copy[key] = frozenCopy(copy[key], levels - 1);
  return Object.freeze(copy) as T;
}
