import type { NoteOptions, NoteView, RenderedNote } from '../markdown/render-note.ts';

type Reader = typeof import('../markdown/render-note.ts');

let reader: Reader | undefined;
let loading: Promise<void> | undefined;

/** The note of a card. Until its reader is there, and if it cannot be had, the text is shown plain. */
export class Note {
  #view: NoteView | undefined;

  /**
   * What to show for this text, or undefined while only the plain text can be shown. The code that reads Markdown is
   * large and seldom needed: it is loaded with the first note, and `changed` is called when it is there.
   */
  show(root: ShadowRoot, markdown: string, options: NoteOptions, changed: () => void): RenderedNote | undefined {
    // On a server there is nothing to read it with.
    if (typeof window === 'undefined') return undefined;
    if (reader) {
      reader.adoptNoteStyles(root);
      return (this.#view ??= new reader.NoteView()).show(markdown, options);
    }
    loading ??= load();
    loading.then(changed, () => (loading = undefined));
    return undefined;
  }
}

async function load(): Promise<void> {
  const module = await import('../markdown/render-note.ts');
  await module.ready();
  reader = module;
}
