/** An address with more in its query, before its fragment. Works on relative ones too; what is undefined is left out. */
export function withQuery(address: string | URL, query: Readonly<Record<string, string | undefined>>): string {
  const more = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) more.set(name, value);
  const [base = '', hash] = String(address).split('#', 2);
  if (more.size === 0) return String(address);
  return `${base}${base.includes('?') ? '&' : '?'}${more}${hash === undefined ? '' : `#${hash}`}`;
}
