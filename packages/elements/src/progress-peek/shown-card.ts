import type { FeedState, SessionFeed } from '../display/feed.ts';
import { languageOf } from '../display/language.ts';
import type { ProgressCard } from '../progress-card/progress-card.ts';
import { placeBeside } from './position.ts';
import { relate } from './relation.ts';
import { tabStops, target } from './tabbing.ts';
import { wordsOf } from './words.ts';

/** What shows the card of one session over the page. */
export interface ShownHost extends HTMLElement {
  /** There is nothing to show after all. */
  refused(): void;
}

let count = 0;

/** One card over the page, for one reference. */
export class ShownCard {
  readonly reference: HTMLElement;
  readonly popover: HTMLElement;
  readonly #host: ShownHost;
  readonly #card: ProgressCard;
  readonly #words: HTMLElement;
  readonly #feed: SessionFeed;
  readonly #leaveFeed: () => void;
  #unrelate: (() => void) | undefined;
  #unplace: (() => void) | undefined;
  #usable: boolean | undefined;
  #ready: (() => void) | undefined;

  constructor(host: ShownHost, reference: HTMLElement, feed: SessionFeed) {
    this.#host = host;
    this.reference = reference;
    this.#feed = feed;
    const id = `sitrep-peek-${++count}`;
    this.popover = Object.assign(document.createElement('div'), { id, popover: 'manual', slot: 'card', className: 'sitrep-peek' });
    // It speaks and reads like what it belongs to, wherever in the page it is.
    this.popover.lang = languageOf(reference).locale;
    this.popover.dir = getComputedStyle(reference).direction;
    this.#words = Object.assign(document.createElement('span'), { id: `${id}-words`, hidden: true });
    this.#card = document.createElement('progress-card');
    this.#card.placement = 'peek';
    this.#card.borrow({
      get state() {
        return feed.getSnapshot();
      },
      find: () => undefined,
      sum: () => undefined,
      retry: () => feed.retry(),
    });
    this.popover.append(this.#card);
    this.#leaveFeed = feed.subscribe(() => this.#changed());
  }

  /** Where the session stands. */
  get state(): FeedState {
    return this.#feed.getSnapshot();
  }

  get isOpen(): boolean {
    return this.#unplace !== undefined;
  }

  /** True once it is known what there is to show: the session, that there is none, or that it may not be read. */
  get isKnown(): boolean {
    const { session, error } = this.state;
    return !!session?.loaded || error !== undefined;
  }

  /** Resolves when that is known, or after `patience` milliseconds. */
  known(patience: number): Promise<void> {
    if (this.isKnown) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#ready = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Shows it; `still` without any motion. */
  open(still: boolean): void {
    if (this.isOpen) return;
    this.#host.append(this.popover, this.#words);
    this.popover.showPopover();
    this.#unplace = placeBeside(this.popover, this.reference);
    this.#tell();
    if (still || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.popover.animate?.([{ opacity: 0, translate: '0 2px' }, {}], { duration: 120, easing: 'ease-out' });
  }

  close(): void {
    if (!this.isOpen) return;
    this.#unplace?.();
    this.#unplace = undefined;
    this.#unrelate?.();
    this.#unrelate = undefined;
    this.#usable = undefined;
    this.popover.remove();
    this.#words.remove();
  }

  /** Lets go of the session. */
  drop(): void {
    this.close();
    this.#leaveFeed();
  }

  #changed(): void {
    if (this.isKnown) this.#ready?.();
    if (this.state.denied) return this.#host.refused();
    this.#card.requestUpdate();
    if (this.isOpen) this.#tell();
  }

  /** Says in words what is seen, and what the card is: a description, or something to go into. */
  #tell(): void {
    const words = wordsOf(this.state, languageOf(this.reference));
    if (this.#words.textContent !== words) this.#words.textContent = words;
    void this.#drawn();
  }

  /** What is drawn inside decides whether there is something to use. */
  async #drawn(): Promise<void> {
    await this.#card.updateComplete;
    await Promise.all([...(this.#card.shadowRoot?.querySelectorAll('tool-progress') ?? [])].map((one) => one.updateComplete));
    if (this.isOpen) this.#relate(tabStops(this.popover).length > 0);
  }

  #relate(usable: boolean): void {
    const { popover } = this;
    popover.setAttribute('role', usable ? 'dialog' : 'tooltip');
    if (usable) popover.setAttribute('aria-label', this.state.session?.title ?? this.#words.textContent ?? '');
    else popover.removeAttribute('aria-label');
    if (usable === this.#usable) return;
    this.#usable = usable;
    this.#unrelate?.();
    this.#unrelate = relate(target(this.reference), { words: this.#words, popover, usable });
  }
}
