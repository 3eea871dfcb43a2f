import type { Language } from '@sitrep/schema/select';
import { tr } from '../display/tr.ts';
import { isLinkable } from './address.ts';
import { escape } from './escape.ts';
import { isPicture } from './pictures.ts';
import type { NoteImages } from './pictures.ts';
import type { Names } from './scope.ts';

/** What a note is shown with. */
export interface NoteOptions {
  /** Names bars that have no name of their own. */
  readonly title: string;
  readonly language: Language;
  /** Pictures that may be loaded; none without it. */
  readonly images?: NoteImages | undefined;
  /** The first bar stands apart, above the note. */
  readonly promote?: boolean | undefined;
}

/** The words that the note is given besides its own, as HTML. */
export function namesOf({ title, language }: NoteOptions): Names {
  const phrase = (words: 'Code' | 'Table' | 'completed' | 'to do'): string => escape(tr(words, language));
  return { title: escape(title), code: phrase('Code'), table: phrase('Table'), done: phrase('completed'), open: phrase('to do') };
}

/** What gives cleaned elements that which only a page can tell: where a link leads, and whether a picture may be loaded. */
export function finishers({ images }: NoteOptions): ReadonlyMap<string, (element: HTMLElement) => void> {
  return new Map<string, (element: HTMLElement) => void>([
    ['a', (link) => finishLink(link as HTMLAnchorElement)],
    ['img', (picture) => finishPicture(picture as HTMLImageElement, images)],
  ]);
}

/** Links say in words where they lead unless their own words do; as the browser understands the address, whoever else does not. */
function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? '';
  const place = isLinkable(href) ? hostOf(link) : undefined;
  if (place === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  const words = link.textContent.trim();
  if (place && words !== place && words !== href && `mailto:${words}` !== href && `http://${words}` !== href)
    link.setAttribute('data-host', place);
}

/** Undefined for an address that the browser cannot make anything of: it leads nowhere. */
function hostOf(link: HTMLAnchorElement): string | undefined {
  return link.protocol === 'mailto:' ? link.pathname : link.host || undefined;
}

/** A picture that may be loaded is loaded late and tells nobody where it is shown; of any other the words stay. */
function finishPicture(picture: HTMLImageElement, images: NoteImages | undefined): void {
  const address = picture.getAttribute('src') ?? '';
  if (!isPicture(address, images)) {
    picture.replaceWith(picture.alt);
    return;
  }
  picture.removeAttribute('src');
  picture.loading = 'lazy';
  picture.decoding = 'async';
  picture.referrerPolicy = 'no-referrer';
  picture.fetchPriority = 'low';
  picture.src = address;
}
