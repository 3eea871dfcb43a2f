import { NoteView, ready } from '../../../packages/elements/src/markdown/render-note.ts';
import type { NoteOptions } from '../../../packages/elements/src/markdown/render-note.ts';

export { NoteView, ready };

export const options: NoteOptions = { title: 'Title', language: { locale: 'en' } };

/** Lays out a note afresh. */
export function fresh(markdown: string, over: Partial<NoteOptions> = {}): { readonly box: HTMLElement; readonly mark: string | undefined } {
  const { content, mark } = new NoteView().show(markdown, { ...options, ...over });
  return { box: content, mark };
}

/** Elements and texts of a note, itself left out. */
export function nodesOf(box: HTMLElement): number {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_ALL);
  let count = 0;
  while (walker.nextNode()) count++;
  return count;
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'target', 'rel', 'referrerpolicy', 'data-host'],
  ol: ['start'],
  li: ['class'],
  th: ['align'],
  td: ['align'],
  p: ['class'],
  pre: ['tabindex', 'role', 'aria-label'],
  div: ['class', 'tabindex', 'role', 'aria-label'],
  span: ['role', 'aria-label'],
  progress: ['value', 'max', 'aria-label'],
  ...Object.fromEntries('br hr em strong del code ul blockquote table thead tbody tr h1 h2 h3 h4 h5 h6'.split(' ').map((tag) => [tag, []])),
};

/** What in a note is not on the list, written apart from the list that the product keeps. */
export function strangers(box: HTMLElement): string[] {
  const found: string[] = [];
  for (const element of box.querySelectorAll('*')) {
    const attributes = element.namespaceURI === 'http://www.w3.org/1999/xhtml' ? ALLOWED[element.localName] : undefined;
    if (!attributes) found.push(element.outerHTML);
    for (const { name, value } of attributes ? element.attributes : []) {
      if (!attributes!.includes(name)) found.push(`${element.localName} ${name}`);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:)/i.test(value)) found.push(value);
      if (name === 'class' && !['scroll', 'task', 'plain'].includes(value)) found.push(value);
    }
  }
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION);
  if (walker.nextNode()) found.push('a comment');
  return found;
}
