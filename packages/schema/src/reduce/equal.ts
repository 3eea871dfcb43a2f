/** Nesting past this depth is called different: it costs a redraw, never a stack. */
const DEPTH = 64;

/** True when two JSON values mean the same. Key order does not count; `undefined` members do not either. */
export function sameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Number.isNaN(a) && Number.isNaN(b);
  if (depth >= DEPTH || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return sameItems(a, b as readonly unknown[], depth + 1);
  return sameMembers(a as Members, b as Members, depth + 1);
}

type Members = Readonly<Record<string, unknown>>;

function sameItems(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (!sameJson(a[index], b[index], depth)) return false;
  return true;
}

function sameMembers(a: Members, b: Members, depth: number): boolean {
  let members = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    members += 1;
    if (!Object.hasOwn(b, key) || !sameJson(value, b[key], depth)) return false;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) members -= 1;
  return members === 0;
}
