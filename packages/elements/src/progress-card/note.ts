import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { RenderedNote } from '../markdown/render-note.ts';

type Renderer = (markdown: string, title: string) => RenderedNote;

let loading: Promise<Renderer> | undefined;
let loaded: Renderer | undefined;

/** The code that reads Markdown is large and seldom needed: it is loaded when the first note is to be shown. */
function load(): Promise<Renderer> {
  loading ??= import('../markdown/render-note.ts').then(
    (module) => (loaded = module.renderNote),
    (cause: unknown) => {
      loading = undefined;
      throw cause;
    },
  );
  return loading;
}

/** The note of a card, parsed once per text. Until its reader is there, and if it cannot be had, the text is shown plain. */
export class Note implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #markdown = '';
  #title = '';
  #result: RenderedNote | undefined;
  #failed = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#failed) this.#failed = false;
  }

  /** What to show for this text, or undefined while only the plain text can be shown. */
  show(markdown: string, title: string): RenderedNote | undefined {
    if (this.#result && this.#markdown === markdown && this.#title === title) return this.#result;
    this.#markdown = markdown;
    this.#title = title;
    this.#result = undefined;
    if (loaded) this.#result = loaded(markdown, title);
    else if (!this.#failed) {
      load().then(
        () => this.#host.requestUpdate(),
        () => {
          this.#failed = true;
          this.#host.requestUpdate();
        },
      );
    }
    return this.#result;
  }
}
