import { holds } from '../display/composed.ts';

/** Milliseconds without scrolling that end a gesture. */
const REST = 300;
/** Milliseconds for which what scrolls is taken to follow the reader's hand. */
const HAND = 1000;
/** What says that the reader's hand is at work; a transcript that follows its own end says nothing. */
const HANDS = ['wheel', 'touchmove', 'keydown', 'pointerdown'];
const QUIETLY = { capture: true, passive: true };

/**
 * Notices that the reader has gone up to read what was before: two strokes and 320 pixels, or, where the card was opened by
 * hand, three and 640; and only when the hand rests. Whatever goes down again begins anew.
 */
export class ScrollAway {
  readonly #shell: () => Element;
  readonly #card: () => Element | undefined;
  readonly #gone: () => void;
  #tops = new WeakMap<Element, number>();
  #on = false;
  #slow = false;
  #hand = -Infinity;
  #strokes = 0;
  #way = 0;
  #moving = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(shell: () => Element, card: () => Element | undefined, gone: () => void) {
    this.#shell = shell;
    this.#card = card;
    this.#gone = gone;
  }

  /** Looks out from now on, or no longer; `slow` after the reader opened the card by hand. */
  watch(on: boolean, slow: boolean): void {
    this.#slow = slow;
    if (on === this.#on) return;
    this.#on = on;
    this.#tops = new WeakMap();
    this.#begin();
    const change = on ? document.addEventListener : document.removeEventListener;
    for (const type of HANDS) change.call(document, type, this.#handMoved, QUIETLY);
    change.call(document, 'scroll', this.#scrolled, QUIETLY);
  }

  readonly #handMoved = (event: Event): void => {
    this.#hand = performance.now();
    for (const one of event.composedPath()) if (one instanceof Element && !this.#tops.has(one)) this.#tops.set(one, one.scrollTop);
  };

  readonly #scrolled = ({ target }: Event): void => {
    const scroller = target === document ? document.scrollingElement : (target as Element | null);
    const [shell, card] = [this.#shell(), this.#card()];
    if (!scroller || (card && holds(card, scroller)) || !(holds(shell, scroller) || holds(scroller, shell))) return;
    const before = this.#tops.get(scroller) ?? scroller.scrollTop;
    this.#tops.set(scroller, scroller.scrollTop);
    const up = before - scroller.scrollTop;
    if (up === 0 || performance.now() - this.#hand > HAND) return;
    this.#hand = performance.now();
    if (up < 0) return this.#begin();
    this.#way += up;
    this.#moving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#rested, REST);
  };

  readonly #rested = (): void => {
    if (!this.#moving) return;
    this.#moving = false;
    this.#strokes++;
    const [strokes, way] = this.#slow ? [3, 640] : [2, 320];
    if (this.#strokes < strokes || this.#way < way) return;
    this.#begin();
    this.#gone();
  };

  #begin(): void {
    clearTimeout(this.#rest);
    this.#strokes = this.#way = 0;
    this.#moving = false;
  }
}
