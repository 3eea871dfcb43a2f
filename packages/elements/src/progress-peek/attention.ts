import type { Way } from './intent.ts';
import { isWarm } from './warmth.ts';

/** Milliseconds of rest after which the session is fetched ahead, and after which a neighbour's card comes in place of an open one. */
const REST = 80;

/** What is done for the reader. */
export interface AttentionHost {
  /** Milliseconds until a card comes, and until it goes. */
  delays(): readonly [show: number, hide: number];
  /** The reference whose card is shown. */
  shown(): HTMLElement | undefined;
  /** The card of this reference may be asked for in a moment. */
  foresee(reference: HTMLElement): void;
  /** The card of this reference is to come. */
  open(reference: HTMLElement): void;
  /** The card is to go. */
  close(): void;
}

/** Knows what the reader wants to see: which reference, for how long yet, and which one no more. */
export class Attention {
  readonly #host: AttentionHost;
  readonly #holding = new Set<Way | 'card'>();
  #wanted: HTMLElement | undefined;
  /** The reference whose card the reader sent away while still on it. */
  #dismissed: HTMLElement | undefined;
  #ahead: ReturnType<typeof setTimeout> | undefined;
  #show: ReturnType<typeof setTimeout> | undefined;
  #hide: ReturnType<typeof setTimeout> | undefined;

  constructor(host: AttentionHost) {
    this.#host = host;
  }

  /** The reference whose card is to be seen. */
  get wanted(): HTMLElement | undefined {
    return this.#wanted;
  }

  /** The page wants this card at once. */
  want(reference: HTMLElement): void {
    this.#wanted = reference;
  }

  /** Nothing is wanted any more. */
  rest(): void {
    this.#calm();
    clearTimeout(this.#hide);
    this.#wanted = undefined;
    this.#holding.clear();
  }

  /** No card of this reference while the reader stays on it. */
  dismiss(reference: HTMLElement | undefined): void {
    this.#dismissed = reference;
  }

  /** The reader has turned to a reference. */
  turned(reference: HTMLElement, way: Way): void {
    const [delay] = this.#host.delays();
    const shown = this.#host.shown();
    this.#holding.add(way);
    if (reference === shown) clearTimeout(this.#hide);
    if (reference === this.#wanted || (reference === this.#dismissed && way !== 'touch')) return;
    this.#dismissed = undefined;
    this.#calm();
    this.#wanted = reference;
    if (reference === shown) return;
    if (way === 'touch') return this.#host.open(reference);
    this.#ahead = setTimeout(() => this.#host.foresee(reference), Math.min(REST, delay));
    this.#show = setTimeout(() => this.#host.open(reference), isWarm() ? Math.min(REST, delay) : delay);
  }

  /** The reader has turned away from a reference. */
  left(reference: HTMLElement, way: Way): void {
    this.#holding.delete(way);
    if (reference === this.#dismissed) this.#dismissed = undefined;
    this.#drop();
  }

  /** The reader is in the card itself. */
  entered(way: 'card' | 'focus'): void {
    this.#holding.add(way);
    clearTimeout(this.#hide);
  }

  /** The reader has left the card, and is not on its reference either unless `on` says so. */
  exited(way: 'card' | 'focus', on: boolean): void {
    if (way === 'card') this.#holding.delete('card');
    if (!on) this.#holding.delete(way === 'card' ? 'pointer' : 'focus');
    this.#drop();
  }

  /** What is held by nothing goes, after a while: the reader may come back. */
  #drop(): void {
    if (this.#holding.size > 0) return;
    this.#calm();
    this.#wanted = undefined;
    clearTimeout(this.#hide);
    this.#hide = setTimeout(() => {
      // Another one is on its way, and comes in its own time.
      if (!this.#wanted || this.#wanted === this.#host.shown()) {
        if (this.#holding.size > 0) return;
        this.rest();
      }
      this.#host.close();
    }, this.#host.delays()[1]);
  }

  #calm(): void {
    clearTimeout(this.#ahead);
    clearTimeout(this.#show);
  }
}
