let names = 0;

/** A name no other page has, of at most 48 characters. A page that is not secure has no `randomUUID`. */
export function uniqueName(): string {
  names += 1;
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  return `${crypto?.randomUUID?.() ?? Math.random().toString(36).slice(2)}-${names}`;
}
