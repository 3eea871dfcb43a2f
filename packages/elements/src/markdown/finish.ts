import type { Language } from '@sitrep/schema/select';
import { tr } from '../display/tr.ts';
import { isPicture } from './pictures.ts';
import type { NoteImages } from './pictures.ts';
import { isLinkable } from './read-line.ts';
import { DONE, OPEN } from './write.ts';

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

/** What gives cleaned elements that which only we may give them: names, roles, places to stop at, and where links lead. */
export function finishers({ title, language, images }: NoteOptions): ReadonlyMap<string, (element: HTMLElement) => void> {
  const [code, table, done, open] = (['Code', 'Table', 'completed', 'to do'] as const).map((phrase) => tr(phrase, language)) as [
    string,
    string,
    string,
    string,
  ];
  return new Map<string, (element: HTMLElement) => void>([
    ['a', (link) => finishLink(link as HTMLAnchorElement)],
    ['li', (item) => finishTask(item, done, open)],
    ['table', (element) => scrollable(element, table)],
    ['pre', (element) => stop(element, code)],
    ['progress', (bar) => finishBar(bar as HTMLProgressElement, title)],
    ['img', (picture) => finishPicture(picture as HTMLImageElement, images)],
  ]);
}

/** Links open elsewhere, tell nobody where they were found, and say in words where they lead unless their own words do. */
function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href');
  if (href === null || !isLinkable(href)) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow ugc';
  link.referrerPolicy = 'no-referrer';
  const { protocol, host, pathname } = link;
  const place = protocol === 'mailto:' ? pathname : host;
  const words = link.textContent.trim();
  if (words !== href && `mailto:${words}` !== href && `http://${words}` !== href && words !== place) link.dataset['host'] = place;
  if (!link.title) link.title = href;
}

/** A bar's own name, else the card's title with the numbers. */
function finishBar(bar: HTMLProgressElement, title: string): void {
  const numbers = bar.hasAttribute('value') ? ` · ${bar.getAttribute('value')}/${bar.getAttribute('max')}` : '';
  bar.setAttribute('aria-label', bar.title || `${title}${numbers}`);
  bar.removeAttribute('title');
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

/** A wide table scrolls by itself, by keyboard too, instead of widening the card. */
function scrollable(table: HTMLElement, name: string): void {
  const box = document.createElement('div');
  box.className = 'scroll';
  stop(box, name);
  table.replaceWith(box);
  box.append(table);
}

function stop(box: HTMLElement, name: string): void {
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', name);
}

/** The box before a task is a picture of a word: whoever cannot see it hears the word. */
function finishTask(item: HTMLElement, finished: string, open: string): void {
  const first =
    item.firstElementChild?.localName === 'p' && item.firstChild === item.firstElementChild
      ? item.firstElementChild.firstChild
      : item.firstChild;
  if (first?.nodeType !== Node.TEXT_NODE) return;
  const text = first as Text;
  const done = text.data.startsWith(DONE);
  if (!done && !text.data.startsWith(OPEN)) return;
  item.className = 'task';
  const box = document.createElement('span');
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', done ? finished : open);
  text.splitText(1);
  text.replaceWith(box);
  box.append(text);
}
