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
 * True when the JSON of a value would take more than `max` characters. Stops as soon as that is certain, keeps no more
 * than `max` values at hand, needs no stack for depth, and ends for cyclic values too, since each round adds to the size.
 */
export function exceedsJson(value: unknown, max: number): boolean {
  const pending: unknown[] = [value];
  let room = max;
  while (pending.length > 0) {
    const next = pending.pop();
    room -= ownSize(next, room);
    if (room < 0) return true;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      room -= Math.max(0, next.length - 1);
      if (room < 0) return true;
      for (const item of next) pending.push(item);
    } else {
      const record = next as Record<string, unknown>;
      let members = 0;
      for (const key of Object.keys(record)) {
        if (record[key] === undefined) continue;
        room -= ownSize(key, room) + (members++ === 0 ? 1 : 2);
        if (room < 0) return true;
        pending.push(record[key]);
      }
    }
  }
  return false;
}
