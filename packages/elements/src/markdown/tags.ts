import type { Names } from './scope.ts';

/** What links tell of themselves: they open elsewhere, and nobody is told where they were found. */
export const TARGET = '_blank';
export const REL = 'noopener noreferrer nofollow ugc';
export const REFERRER = 'no-referrer';

/** The start tag of a link. Address and title are HTML already; without a title it says the address. */
export function linkTag(href: string, title = ''): string {
  return `<a href="${href}" title="${title || href}" target="${TARGET}" rel="${REL}" referrerpolicy="${REFERRER}">`;
}

/** Attributes of a place that scrolls by itself, by keyboard too, instead of widening the card. */
export function scrolling(name: string): string {
  return ` tabindex="0" role="group" aria-label="${name}"`;
}

/** The box before a task is a picture of a word: whoever cannot see it hears the word. */
export function taskBox(done: boolean, names: Names): string {
  return `<span role="img" aria-label="${done ? names.done : names.open}">${done ? '☑' : '☐'}</span>`;
}
