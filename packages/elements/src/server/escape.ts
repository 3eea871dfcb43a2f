const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Text as markup. */
export const escapeText = (text: string): string =>
  !/[&<>"']/.test(text) ? text : text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/** Markup as text, as far as templates use it. */
export const unescapeText = (text: string): string =>
  !text.includes('&')
    ? text
    : text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) =>
        name ? (NAMED[name] ?? all) : String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex!, 16)),
      );

/** JSON that may stand in a script element. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');
