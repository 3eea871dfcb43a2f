import type { Language } from '@sitrep/schema/select';
import type { renderNote, RenderedNote } from '../markdown/render-note.ts';

let render: typeof renderNote | undefined;
let loading: Promise<void> | undefined;

/** The note of a card, parsed once per text. Until its reader is there, and if it cannot be had, the text is shown plain. */
export class Note {
  #key: string | undefined;
  #result: RenderedNote | undefined;

  /**
   * What to show for this text, or undefined while only the plain text can be shown. The code that reads Markdown is
   * large and seldom needed: it is loaded with the first note, and `changed` is called when it is there.
   */
  show(markdown: string, title: string, language: Language, promote: boolean, changed: () => void): RenderedNote | undefined {
    // On a server there is nothing to read it with.
    if (typeof window === 'undefined') return undefined;
    const key = JSON.stringify([title, markdown, language.locale, !language.phrases, promote]);
    if (this.#key !== key || !this.#result) {
      this.#key = key;
      this.#result = render?.(markdown, title, language, promote);
      if (!render) {
        loading ??= import('../markdown/render-note.ts').then((module) => void (render = module.renderNote));
        loading.then(changed, () => (loading = undefined));
      }
    }
    return this.#result;
  }
}
