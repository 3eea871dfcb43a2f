/** Characters of one value's own JSON, members aside; the text of a string is counted by its cheapest bound first. */
function ownSize(value: unknown, room: number): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2 > room ? value.length + 2 : JSON.stringify(value).length;
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'object':
      return value === null ? 4 : 2;
    case 'boolean':
      return value ? 4 : 5;
    default:
      return 0;
  }
}

/**
 * What keeps a value from being carried as JSON of at most `max` characters: its size, or a bigint in it, which JSON
 * cannot write. Stops as soon as that is certain, keeps no more than `max` values at hand, needs no stack for depth, and
 * ends for cyclic values too, since each round adds to the size.
 */
export function jsonFault(value: unknown, max: number): 'too_long' | 'type' | undefined {
  const pending: unknown[] = [value];
  let room = max;
  while (pending.length > 0) {
    const next = pending.pop();
    room -= ownSize(next, room);
    if (room < 0) return 'too_long';
    if (typeof next === 'bigint') return 'type';
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      room -= Math.max(0, next.length - 1);
      if (room < 0) return 'too_long';
      for (const item of next) pending.push(item);
    } else {
      const record = next as Record<string, unknown>;
      let members = 0;
      for (const key of Object.keys(record)) {
        if (record[key] === undefined) continue;
        room -= ownSize(key, room) + (members++ === 0 ? 1 : 2);
        if (room < 0) return 'too_long';
        pending.push(record[key]);
      }
    }
  }
  return undefined;
}
