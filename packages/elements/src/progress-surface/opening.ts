import type { ScrollAway } from './scroll-away.ts';
import type { Place } from './places.ts';

/** The card, as far as it opens and closes. */
interface Opened extends Element {
  disclose(open: boolean | undefined): void;
}

/** What is asked of the surface. */
export interface OpeningHost {
  shell(): Element;
  card(): Opened | undefined;
  place(): Place | undefined;
  /** What the page has it be beside the composer. */
  opens(): boolean;
  /** It stays open while the reader scrolls. */
  stays(): boolean;
}

/** Knows how open the card is: as the reader chose, or scrolling left it, else as the place has it. */
export class Opening {
  readonly #host: OpeningHost;
  #choice: boolean | undefined;
  #byHand = false;
  /** What looks out for scrolling; loaded with the first card that is open beside the composer. */
  #scrolling: ScrollAway | undefined;

  constructor(host: OpeningHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#choice ?? (this.#host.place() === 'rail' || this.#host.opens());
  }

  /** The reader has opened or closed it. */
  choose(open: boolean): void {
    this.#choice = this.#byHand = open;
    this.watch();
  }

  /** It stays as it is, wherever it goes. */
  hold(): void {
    this.#choice ??= this.isOpen;
  }

  /** Another session: nobody has chosen anything. */
  begin(): void {
    this.#choice = undefined;
    this.#byHand = false;
    if (this.#host.place()) this.apply();
  }

  apply(): void {
    this.#host.card()?.disclose(this.isOpen);
  }

  /** Looks out for the reader's scrolling where that folds the card. */
  watch(): void {
    const { place, stays } = this.#host;
    const on = place() === 'composer' && this.isOpen && !stays();
    if (this.#scrolling) this.#scrolling.watch(on, this.#byHand);
    else if (on) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { ScrollAway } = await import('./scroll-away.ts');
      const { shell, card } = this.#host;
      this.#scrolling ??= new ScrollAway(shell, card, () => this.#fold());
    } catch {
      // Without it the card stays open; it is asked for again.
      return;
    }
    this.watch();
  }

  #fold(): void {
    if (this.#host.card()?.matches(':focus-within')) return;
    this.#choice = this.#byHand = false;
    this.apply();
    this.watch();
  }
}
