/** An address with more in its query, before its fragment. Works on relative ones too; what is undefined is left out. */
export function withQuery(address: string | URL, query: Readonly<Record<string, string | undefined>>): string {
  const more = new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const [base = '', hash] = String(address).split('#', 2);
  if (`${more}` === '') return String(address);
  return `${base}${base.includes('?') ? '&' : '?'}${more}${hash === undefined ? '' : `#${hash}`}`;
}
