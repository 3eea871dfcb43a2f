import { at } from './links.ts';
import type { Scope } from './scope.ts';

/** True for the addresses a note may link to. */
export function isLinkable(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(href);
}

/** An address as HTML, for an attribute: browsers read a backslash in it as a slash, Markdown means the character. */
export function addressOf(html: string): string {
  return html.replaceAll('\\', '%5C');
}

/** The address that stands at this place in the text by itself, if what is in front of it lets it. */
export function bareAddress(text: string, start: number, scope: Scope, complete: boolean): string | undefined {
  if (start > 0 && !/[\s*_~(]/.test(text[start - 1]!)) return undefined;
  if (scope.work <= 0) return undefined;
  const found = at(/[^\s<]+/y, text, start)![0];
  scope.work -= found.length;
  const address = trimmed(found);
  const host = /^(?:https?:\/\/|www\.)([^\s/?#]+)/i.exec(address)?.[1];
  if (!host || !/^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?(?::\d*)?$/u.test(host) || (!complete && !host.includes('.'))) return undefined;
  return address;
}

/** The two sides of the `@` at this place, if they make an address. */
export function mailAddress(text: string, index: number): { readonly back: string; readonly ahead: string } | undefined {
  const back = /[\w.+-]{1,64}$/.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? '';
  const ahead = at(/@[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})+/iy, text, index)?.[0] ?? '-';
  return back && !/[-_]$/.test(ahead) ? { back, ahead } : undefined;
}

/** An address without the punctuation of the sentence that it stands in. */
function trimmed(found: string): string {
  let surplus = 0;
  for (const character of found) surplus += character === ')' ? 1 : character === '(' ? -1 : 0;
  let end = found.length;
  for (; end > 0; end--) {
    const last = found[end - 1]!;
    if (last === ')') {
      if (surplus-- <= 0) break;
    } else if (last === ';') {
      const entityAtEnd = /&[a-z\d]{1,31};$/i.exec(found.slice(Math.max(0, end - 34), end));
      if (!entityAtEnd) break;
      end -= entityAtEnd[0].length - 1;
    } else if (!'?!.,:*_~\'"'.includes(last)) break;
  }
  return found.slice(0, end);
}
