import type { LanguageLike } from '@sitrep/schema/select';
import { tr } from '../display/tr.ts';
import { boundText, ELEMENTS, isExcessive } from './bounds.ts';
import type { BarTag } from './bar-tag.ts';
import { noteStyles } from './note.styles.ts';
import { isLinkable, parseNote } from './parse.ts';
import { promotedBar } from './promoted-bar.ts';
import { sanitise } from './sanitise.ts';

/** A note ready to be put into a shadow root. */
export interface RenderedNote {
  readonly content: DocumentFragment;
  /** What the reader is told about the note itself: that it was shortened, or is shown as plain text. */
  readonly mark: string | undefined;
  /** The bar that stands above the note where `promote` asks for it. */
  readonly promoted?: Element | undefined;
  /** Gives the shadow root the styles of notes, once. */
  adopt(root: ShadowRoot): void;
}

const SHORTENED = '… The note is longer than 8 KB; the rest is not shown.';
const PLAIN = 'Shown as plain text: this note is too involved to be laid out.';

/**
 * Reads a Markdown note. Never throws: whatever cannot be laid out within the bounds is shown as the text it is.
 * `title` names bars that have no name of their own. With `promote` the first of them stands apart.
 */
export function renderNote(markdown: string, title: string, language: LanguageLike = 'en', promote?: boolean): RenderedNote {
  const { text, cut } = boundText(markdown);
  const mark = cut ? tr(SHORTENED, language) : undefined;
  try {
    const content = isExcessive(text) ? undefined : layOut(text, title, language);
    if (content) return { promoted: promote ? promotedBar(content) : undefined, content, mark, adopt };
  } catch {
    // Falls through to the plain text.
  }
  return { content: plain(text), mark: [mark, tr(PLAIN, language)].filter(Boolean).join(' '), adopt };
}

/** A sheet belongs to the document it was made in; a root that was moved to another goes without. */
function adopt(root: ShadowRoot): void {
  const sheet = noteStyles.styleSheet;
  if (sheet && root.ownerDocument === document && !root.adoptedStyleSheets.includes(sheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

function layOut(text: string, title: string, language: LanguageLike): DocumentFragment | undefined {
  const { html, bars } = parseNote(text);
  if ((html.match(/<[a-z]/g)?.length ?? 0) > ELEMENTS) return undefined;
  const content = sanitise(html);
  if (!content.firstChild && html.trim()) return undefined;
  if (content.querySelectorAll('*').length > ELEMENTS) return undefined;
  finishBars(content, bars, title);
  for (const link of content.querySelectorAll('a')) finishLink(link);
  for (const table of content.querySelectorAll('table')) scrollable(table, language);
  for (const code of content.querySelectorAll('pre')) code.tabIndex = 0;
  for (const item of content.querySelectorAll('li')) if (/^\s*[☑☐]/.test(item.textContent ?? '')) item.className = 'task';
  return content;
}

/** Gives each bar its name: its own, else the card's title with the numbers. */
function finishBars(content: DocumentFragment, bars: readonly BarTag[], title: string): void {
  const elements = [...content.querySelectorAll('progress')];
  for (const [index, element] of elements.entries()) {
    const bar = bars[index];
    const numbers = bar?.value === undefined ? '' : ` ${bar.value}/${bar.max}`;
    element.setAttribute('aria-label', bar?.name?.trim() || `${title}${numbers}`);
  }
}

/** Links open elsewhere, tell nobody where they were found, and show where they lead. */
function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href');
  if (href === null || !isLinkable(href)) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.target = '_blank';
  link.rel = 'noopener noreferrer nofollow';
  link.referrerPolicy = 'no-referrer';
  if (!link.title) link.title = href;
}

/** A wide table scrolls by itself, by keyboard too, instead of widening the card. */
function scrollable(table: HTMLTableElement, language: LanguageLike): void {
  const box = document.createElement('div');
  box.className = 'scroll';
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', tr('Table', language));
  table.replaceWith(box);
  box.append(table);
}

function plain(text: string): DocumentFragment {
  const content = document.createDocumentFragment();
  const paragraph = document.createElement('p');
  paragraph.className = 'plain';
  paragraph.textContent = text;
  content.append(paragraph);
  return content;
}
