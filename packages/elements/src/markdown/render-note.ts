import { adoptLater } from '../display/adopt-later.ts';
import { tr } from '../display/tr.ts';
import { boundText } from './bounds.ts';
import { finishers, namesOf } from './finish.ts';
import type { NoteOptions } from './finish.ts';
import { layOut } from './layout.ts';
import type { Entry, Layout } from './layout.ts';
import { noteStyles } from './note.styles.ts';
import { promotedBar } from './promoted-bar.ts';
import type { PromotedBar } from './promoted-bar.ts';
import { clean, raise } from './wall.ts';

export type { NoteOptions };

/** A note ready to be put into a shadow root. */
export interface RenderedNote {
  /** The same element as long as anything in it stays. */
  readonly content: HTMLElement;
  /** What the reader is told about the note itself: that it was shortened, or is shown as plain text. */
  readonly mark: string | undefined;
  /** The bar that stands above the note where `promote` asks for it. */
  readonly promoted: Element | undefined;
  /** Nothing is left to see in the note. */
  readonly blank: boolean;
}

const SHORTENED = '… The note is longer than 8 KB; the rest is not shown.';
const PLAIN = 'Shown as plain text: this note is too involved to be laid out.';
const REST_PLAIN = 'The rest is shown as plain text: it is too involved to be laid out.';

/** Gets what cleans notes. Rejected where nothing can be had: notes stay plain text then. */
export const ready: () => Promise<void> = raise;

/** Gives a shadow root the styles of notes, once. A sheet belongs to the document it was made in; a root that was moved goes without. */
export const adoptNoteStyles = (root: ShadowRoot): void => adoptLater(root, noteStyles);

/**
 * The place of one note. Of a new text only what differs is read, cleaned and put in, and everything else stays where it is,
 * untouched; the same text costs nothing. Never throws: what cannot be laid out within the bounds is shown as the text it is.
 */
export class NoteView {
  #content: HTMLElement = docOf();
  #layout: Layout | undefined;
  /** What is laid out, in order. */
  #entries: readonly Entry[] = [];
  /** What is shown as the text it is, after everything else. */
  #rest: HTMLElement | undefined;
  #promoted: PromotedBar | undefined;
  #key: readonly unknown[] = [];
  #note: RenderedNote = { content: this.#content, mark: undefined, promoted: undefined, blank: true };

  show(markdown: string, options: NoteOptions): RenderedNote {
    const { title, language, images, promote } = options;
    const key = [title, language.locale, language.phrases, images, promote, markdown];
    const same = key.findIndex((one, place) => one !== this.#key[place]);
    if (same < 0) return this.#note;
    this.#key = key;
    const { text, cut } = boundText(markdown);
    const marks = cut ? [tr(SHORTENED, language)] : [];
    this.#promoted?.undo();
    try {
      const layout = layOut(text, namesOf(options), images !== undefined, same === 5 ? this.#layout : undefined);
      this.#put(layout, options);
      const { shown, entries } = (this.#layout = layout);
      if (shown < entries.length) marks.push(tr(shown > 0 ? REST_PLAIN : PLAIN, language));
    } catch {
      this.#layout = this.#rest = undefined;
      this.#entries = [];
      this.#content = docOf();
      this.#content.append(plain(text));
      marks.push(tr(PLAIN, language));
    }
    this.#promoted = promote ? promotedBar(this.#content) : undefined;
    this.#note = {
      content: this.#content,
      mark: marks.join(' ') || undefined,
      promoted: this.#promoted?.element,
      blank: !this.#content.querySelector(':scope > :not(p:empty)'),
    };
    return this.#note;
  }

  /** Takes out what is gone, then puts in what is new. What stays is never moved: moving is as dear as making. */
  #put({ lines, entries, shown }: Layout, options: NoteOptions): void {
    const now = entries.slice(0, shown);
    const missing = now.filter(({ elements }) => !elements);
    const box = this.#make(missing, options);
    const fresh = new Set(missing);
    const stays = new Set(now.filter((entry) => !fresh.has(entry)));
    this.#rest?.remove();
    const gone = this.#entries.filter((entry) => !stays.has(entry) && !fresh.has(entry));
    if (stays.size === 0) this.#content = docOf(box);
    else for (const { elements } of gone) for (const element of elements ?? []) element.remove();
    for (const entry of gone) entry.elements = undefined;
    if (stays.size > 0) this.#insert(now, fresh);
    this.#entries = now;
    this.#rest = shown < entries.length ? plain(lines.slice(entries[shown]!.start).join('\n')) : undefined;
    if (this.#rest) this.#content.append(this.#rest);
  }

  /** Puts what is new before what stays after it. */
  #insert(now: readonly Entry[], fresh: ReadonlySet<Entry>): void {
    let next: Element | undefined;
    let waiting: Element[] = [];
    const insert = (): void => {
      if (next) next.before(...waiting);
      else this.#content.append(...waiting);
      waiting = [];
    };
    for (const entry of now.toReversed()) {
      const elements = entry.elements!;
      if (fresh.has(entry)) waiting.unshift(...elements);
      else if (elements[0]) {
        if (waiting.length) insert();
        next = elements[0];
      }
    }
    if (waiting.length) insert();
  }

  /** Cleans everything that is missing in one go, which costs half of doing it one by one. */
  #make(missing: readonly Entry[], options: NoteOptions): HTMLElement | undefined {
    if (!missing.length) return undefined;
    const box = clean(missing.map(({ html }) => html).join(''), finishers(options));
    let next = box.firstChild;
    for (const entry of missing) {
      entry.elements = [];
      for (let left = entry.unit.blocks.length; left > 0; left--) {
        if (!(next instanceof Element)) throw new Error('A block did not come back as one element.');
        entry.elements.push(next);
        next = next.nextSibling;
      }
    }
    if (next) throw new Error('More came back than blocks.');
    return box;
  }
}

function docOf(made: HTMLElement = document.createElement('div')): HTMLElement {
  made.className = 'doc';
  return made;
}

function plain(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.className = 'plain';
  paragraph.textContent = text;
  return paragraph;
}
