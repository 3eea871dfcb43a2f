/**
 * What several sessions would show in the one place a page has for it. The session that came last has it as long as it has something
 * to show, else the one before.
 */
export class Stage<T> {
  readonly #wishes = new Map<object, T | undefined>();
  readonly #draw: (wish: T | undefined) => void;

  /** `draw` shows a wish, or with undefined what belongs to the page itself. */
  constructor(draw: (wish: T | undefined) => void) {
    this.#draw = draw;
  }

  /** What `who` would show from now on; with undefined nothing, and it keeps its turn. */
  show(who: object, wish: T | undefined): void {
    this.#wishes.set(who, wish);
    this.#perform();
  }

  /** `who` shows nothing any more and has no turn. */
  leave(who: object): void {
    if (this.#wishes.delete(who)) this.#perform();
  }

  #perform(): void {
    this.#draw([...this.#wishes.values()].findLast((wish) => wish !== undefined));
  }
}
