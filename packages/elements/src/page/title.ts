/**
 * Puts a word before the title of the page: "(42%) Inbox". The page's own title stays its own: what it sets later is kept, and
 * what was added is taken away again at the end.
 */
export class TitleSignal {
  #own = document.title;
  #shown = document.title;

  /** Shows a word, or with undefined only the page's own title. */
  show(text: string | undefined): void {
    // The page has changed its title since.
    if (document.title !== this.#shown) this.#own = document.title;
    this.#shown = text === undefined ? this.#own : `(${text}) ${this.#own}`;
    if (document.title !== this.#shown) document.title = this.#shown;
    // The platform makes white space even; what it says is what is compared with.
    this.#shown = document.title;
  }
}
