import { adoptStyles } from 'lit';
import { focused, holds } from '../display/composed.ts';
import type { FeedState, SessionFeed } from '../display/feed.ts';
import { languageOf } from '../display/language.ts';
import { passOn } from '../display/pass-on.ts';
import { createIn } from '../display/scope.ts';
import { tr } from '../display/tr.ts';
import type { ProgressCard } from '../progress-card/progress-card.ts';
import { frame } from './frame.styles.ts';
import { watchLeaving } from './leaving.ts';
import type { Leaving } from './leaving.ts';
import { placeBeside } from './position.ts';
import { nameOf } from './references.ts';
import { relate } from './relation.ts';
import { standOf } from './standing.ts';
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
  readonly #undo: (() => void)[] = [];
  #unrelate: (() => void) | undefined;
  #usable: boolean | undefined;
  #ready: (() => void) | undefined;

  constructor(host: ShownHost, reference: HTMLElement, feed: SessionFeed) {
    this.#host = host;
    this.reference = reference;
    this.#feed = feed;
    const id = `sitrep-peek-${++count}`;
    this.popover = Object.assign(document.createElement('div'), { id, popover: 'manual', className: 'sitrep-peek' });
    // Its looks go with it, wherever it hangs.
    const root = this.popover.attachShadow({ mode: 'open' });
    adoptStyles(root, [frame]);
    root.append(document.createElement('slot'));
    this.#words = Object.assign(document.createElement('span'), { id: `${id}-words`, hidden: true });
    this.#card = createIn(host, 'progress-card');
    this.#card.placement = 'peek';
    this.#card.borrow({
      get state() {
        return feed.getSnapshot();
      },
      find: () => undefined,
      retry: () => feed.retry(),
    });
    passOn(this.#card, host);
    // What it says may change by its own: by the time, or because its language has come.
    this.#card.addController({ hostUpdated: () => this.isOpen && this.#tell() });
    this.popover.append(this.#card);
    this.#leaveFeed = feed.subscribe(() => this.#changed());
  }

  /** Where the session stands. */
  get state(): FeedState {
    return this.#feed.getSnapshot();
  }

  get isOpen(): boolean {
    return this.#undo.length > 0;
  }

  /** True while it is seen: a page that moves what it hangs in may have closed it. */
  get isUp(): boolean {
    return this.popover.matches(':popover-open');
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

  /** Shows it, until `leaving` says that it goes; `still` without any motion. */
  open(leaving: Omit<Leaving, 'reference' | 'popover'>, still: boolean): void {
    if (this.isOpen) return;
    const { popover, reference } = this;
    const stand = standOf(reference, this.#host);
    popover.slot = stand === this.#host ? 'card' : '';
    // It speaks and reads like what it belongs to, wherever in the page it is.
    popover.dir = getComputedStyle(reference).direction;
    this.#tell();
    stand.append(popover);
    popover.showPopover();
    this.#undo.push(placeBeside(popover, reference), watchLeaving({ ...leaving, reference, popover }));
    if (still || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    popover.animate?.([{ opacity: 0, translate: '0 2px' }, {}], { duration: 120, easing: 'ease-out' });
  }

  close(): void {
    if (!this.isOpen) return;
    for (const undo of this.#undo.splice(0)) undo();
    this.#unrelate?.();
    this.#unrelate = undefined;
    this.#usable = undefined;
    // The focus does not go down with it.
    if (holds(this.popover, focused())) target(this.reference).focus({ preventScroll: true });
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
    const { session } = this.state;
    const language = languageOf(this.reference);
    if (this.popover.lang !== language.locale) {
      this.popover.lang = language.locale;
      this.#card.requestUpdate();
    }
    // A session without a title is called as its reference is.
    const name = session?.title || nameOf(this.reference) || session?.session || tr('Progress', language);
    this.#card.heading = session?.title ? undefined : name;
    const words = wordsOf(this.state, name, language);
    if (this.#words.textContent !== words) this.#words.textContent = words;
    void this.#drawn(name);
  }

  /** What is drawn inside decides whether there is something to use. */
  async #drawn(name: string): Promise<void> {
    await this.#card.updateComplete;
    await Promise.all([...(this.#card.shadowRoot?.querySelectorAll('tool-progress') ?? [])].map((one) => one.updateComplete));
    if (this.isOpen) this.#relate(tabStops(this.popover).length > 0, name);
  }

  #relate(usable: boolean, name: string): void {
    const { popover } = this;
    popover.setAttribute('role', usable ? 'dialog' : 'tooltip');
    if (usable) popover.setAttribute('aria-label', name);
    else popover.removeAttribute('aria-label');
    if (usable === this.#usable) return;
    this.#usable = usable;
    this.#unrelate?.();
    this.#unrelate = relate(target(this.reference), { words: this.#words, popover, usable });
  }
}
