import { html, LitElement } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { focused, holds } from '../display/composed.ts';
import type { SessionFeed } from '../display/feed.ts';
import { sessions } from '../display/session-link.ts';
import { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { addressOf, NO_SESSION } from '../session/address.ts';
import { Intent } from './intent.ts';
import type { Way } from './intent.ts';
import { styles } from './progress-peek.styles.ts';
import { ShownCard } from './shown-card.ts';
import { goByTab, target } from './tabbing.ts';
import { isWarm, leave, take } from './warmth.ts';

export type { ProgressToggleEvent };

/** Milliseconds of rest after which the session is fetched ahead, and after which a neighbour's card comes in place of an open one. */
const REST = 80;
/** Milliseconds more that a card waits for its session before it says that it loads. */
const PATIENCE = 300;
/** Milliseconds for which a card that has gone keeps its session open: the reader may come back. */
const LINGER = 5000;
/** Milliseconds for which a session that the reader may not read is not asked for again. */
const REFUSED = 60_000;
/** What names the session of a reference. */
const ATTRIBUTE = 'data-progress-session';

/**
 * Shows the card of a session over the page while the reader's pointer rests on a reference to it, while the reference has the
 * keyboard's focus, or after a finger has rested on it. The pointer may go on into the card, Tab too where there is something to
 * use; Escape takes the card away. Clicks and taps on the reference stay what they are. Nothing is connected before a card is shown.
 *
 * It is used in one of two ways: around a reference, with the session in `src`; or once for a whole page, where every element with
 * `data-progress-session` is a reference. There is one card at a time on a page.
 *
 * @tag progress-peek
 * @summary Shows the card of a session over the page while the reader turns to a reference to it.
 *
 * @fires {ProgressToggleEvent} progress-toggle - A card has come, or gone.
 *
 * @slot - The reference, where the element stands around one: a link or a button.
 *
 * @cssstate open - A card is shown.
 */
export class ProgressPeek extends LitElement {
  static override styles: CSSResultGroup = styles;

  static override properties: PropertyDeclarations = {
    src: {},
    for: {},
    base: {},
    showDelay: { type: Number, attribute: 'show-delay' },
    hideDelay: { type: Number, attribute: 'hide-delay' },
    openSession: { attribute: false },
  };

  /**
   * Address of the session of the references inside, for instance `/v1/sessions/demo`. One with `data-progress-session` has its own.
   * @attr
   */
  declare src: string | undefined;
  /**
   * The part of the page to look after: an id, or else a selector of the first element that fits. Without it, and without
   * content, it is the whole page.
   * @attr
   */
  declare for: string | undefined;
  /**
   * Where sessions are that are named by their key only, for instance `/v1/sessions/`. A reference whose `data-progress-session` begins
   * with `/`, `.` or `http` names an address itself.
   * @attr
   */
  declare base: string | undefined;
  /**
   * Milliseconds of rest until a card comes; 400 by default. The next one comes sooner.
   * @attr show-delay
   */
  declare showDelay: number | undefined;
  /**
   * Milliseconds until a card goes after the pointer or the focus has left; 250 by default.
   * @attr hide-delay
   */
  declare hideDelay: number | undefined;
  /** Gets a session that the page holds itself, by what the reference names it. By default it is read at its address, without a token. */
  declare openSession: ((session: string) => SessionFeed | undefined) | null | undefined;

  readonly #intent = new Intent({
    find: (event) => this.#find(event),
    turned: (reference, way) => this.#turned(reference, way),
    left: (reference, way, to) => this.#left(reference, way, to),
    followed: (reference) => this.#dismiss(reference),
  });
  readonly #refused = new Map<string, number>();
  readonly #holding = new Set<Way | 'card'>();
  #internals: ElementInternals | undefined;
  #wanted: HTMLElement | undefined;
  #shown: ShownCard | undefined;
  #session = '';
  /** The reference whose card the reader sent away while still on it. */
  #dismissed: HTMLElement | undefined;
  #ahead: ReturnType<typeof setTimeout> | undefined;
  #show: ReturnType<typeof setTimeout> | undefined;
  #hide: ReturnType<typeof setTimeout> | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;
  #sight: IntersectionObserver | undefined;

  /** The reference whose card is shown. */
  get reference(): HTMLElement | undefined {
    return this.#shown?.isOpen ? this.#shown.reference : undefined;
  }

  /** Shows the card of a reference at once. */
  show(reference: HTMLElement): void {
    this.#wanted = reference;
    void this.#open(reference);
  }

  /** Takes the card away. */
  hide(): void {
    this.#calm();
    this.#wanted = undefined;
    this.#holding.clear();
    this.#close();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.hide();
      this.#drop();
      this.#intent.listen(undefined);
    });
  }

  /** What a server drew is drawn anew: nobody takes it over. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    this.shadowRoot?.replaceChildren();
    return super.createRenderRoot();
  }

  protected override render(): TemplateResult {
    return html`<slot @slotchange=${() => this.#listen()}></slot><slot name="card"></slot>`;
  }

  protected override updated(): void {
    this.#listen();
  }

  get #isAround(): boolean {
    return this.for === undefined && [...this.children].some((child) => !child.slot && !(child as HTMLElement).hidden);
  }

  #listen(): void {
    if (!this.isConnected) return;
    this.#intent.listen(this.#isAround ? this : this.#scope());
  }

  #scope(): EventTarget | undefined {
    const root = this.getRootNode() as Document | ShadowRoot;
    if (!this.for) return document;
    const id = this.for.replace(/^#/, '');
    const named = root.getElementById(id) ?? document.getElementById(id);
    if (named) return named;
    try {
      return root.querySelector(this.for) ?? document;
    } catch {
      return document;
    }
  }

  /** The reference an event happened in: the nearest element that names a session, else what this element stands around. */
  #find(event: Event): HTMLElement | undefined {
    const path = event.composedPath();
    if (this.#shown && path.includes(this.#shown.popover)) return undefined;
    for (const one of path) {
      if (one === event.currentTarget && one !== this) break;
      if (!(one instanceof HTMLElement)) continue;
      if (one.hasAttribute(ATTRIBUTE)) return one;
      if (one.parentElement === this && this.#isAround) return one;
      // Another one, which looks after its own.
      if (one !== this && one.localName === this.localName) return undefined;
    }
    return undefined;
  }

  /** What names the session of a reference. */
  #sessionOf(reference: HTMLElement): string {
    return reference.getAttribute(ATTRIBUTE) ?? this.src ?? '';
  }

  #addressOf(session: string): string | undefined {
    const key = this.base && !/^(?:[/.]|https?:|data:)/.test(session);
    return session ? addressOf(key ? this.base!.replace(/\/?$/, '/') + encodeURIComponent(session) : session) : undefined;
  }

  #turned(reference: HTMLElement, way: Way): void {
    this.#holding.add(way);
    if (reference === this.reference) clearTimeout(this.#hide);
    if (reference === this.#wanted || (reference === this.#dismissed && way !== 'touch')) return;
    this.#dismissed = undefined;
    this.#calm();
    this.#wanted = reference;
    if (reference === this.reference) return;
    if (way === 'touch') return void this.#open(reference);
    const delay = this.showDelay ?? 400;
    this.#ahead = setTimeout(() => void this.#foresee(reference), Math.min(REST, delay));
    this.#show = setTimeout(() => void this.#open(reference), isWarm() ? Math.min(REST, delay) : delay);
  }

  #left(reference: HTMLElement, way: Way, to: EventTarget | null): void {
    if (this.#shown && to instanceof Node && holds(this.#shown.popover, to)) return;
    this.#holding.delete(way);
    if (reference === this.#dismissed) this.#dismissed = undefined;
    if (this.#holding.size > 0) return;
    this.#calm();
    this.#wanted = undefined;
    this.#hideSoon();
  }

  #hideSoon(): void {
    clearTimeout(this.#hide);
    this.#hide = setTimeout(() => {
      // Another one is on its way; it comes in its own time.
      if (this.#wanted && this.#wanted !== this.reference) this.#close();
      else if (this.#holding.size === 0) this.hide();
    }, this.hideDelay ?? 250);
  }

  #close(): void {
    clearTimeout(this.#hide);
    const shown = this.#shown;
    if (!shown?.isOpen) return;
    shown.close();
    this.#sight?.disconnect();
    document.removeEventListener('keydown', this.#key, true);
    document.removeEventListener('pointerdown', this.#pressed, true);
    for (const type of AWAY) window.removeEventListener(type, this.#away);
    leave(this);
    this.#linger = setTimeout(() => this.#drop(), LINGER);
    this.#state(false);
  }

  #calm(): void {
    clearTimeout(this.#ahead);
    clearTimeout(this.#show);
  }

  async #foresee(reference: HTMLElement): Promise<void> {
    if (this.openSession) return;
    if (!sessions.open) await sessions.load().catch(() => undefined);
    const address = this.#addressOf(this.#sessionOf(reference));
    if (address && !this.#isRefused(address) && reference === this.#wanted) sessions.foresee?.(address);
  }

  #isRefused(session: string): boolean {
    return (this.#refused.get(session) ?? -Infinity) > performance.now() - REFUSED;
  }

  async #open(reference: HTMLElement): Promise<void> {
    const session = this.#sessionOf(reference);
    const address = this.#addressOf(session);
    if (this.#isRefused(address ?? session) || this.reference === reference) return;
    const feed = this.openSession?.(session) ?? (await this.#feedAt(address));
    if (!feed || reference !== this.#wanted || !this.isConnected || !reference.isConnected) return;
    clearTimeout(this.#linger);
    if (this.#shown?.reference !== reference || this.#session !== session) {
      this.#shown?.drop();
      this.#shown = new ShownCard(this, reference, feed);
      this.#session = session;
    }
    const shown = this.#shown;
    if (shown.state.denied) return this.refused();
    await shown.known(PATIENCE);
    if (shown !== this.#shown || reference !== this.#wanted || shown.isOpen) return;
    const warm = isWarm();
    take(this);
    shown.open(warm);
    this.#watch(shown);
    this.#state(true);
  }

  async #feedAt(address: string | undefined): Promise<SessionFeed> {
    if (address === undefined) return NO_SESSION;
    try {
      if (!sessions.open) await sessions.load();
    } catch {
      const state = { session: undefined, error: 'The code that connects could not be loaded.' };
      return { getSnapshot: () => state, subscribe: () => () => {}, retry: () => this.#again() };
    }
    return sessions.open!(address);
  }

  /** Once more from the beginning, for who asks for it in a card that could not be filled. */
  #again(): void {
    const reference = this.#wanted ?? this.reference;
    this.hide();
    this.#drop();
    if (reference) this.show(reference);
  }

  /**
   * The reader may not read the session: as if there were no card to it.
   * @internal
   */
  refused(): void {
    this.#refused.set(this.#addressOf(this.#session) ?? this.#session, performance.now());
    const wanted = this.#wanted;
    this.hide();
    this.#drop();
    this.#dismissed = wanted;
  }

  #drop(): void {
    clearTimeout(this.#linger);
    this.#shown?.drop();
    this.#shown = undefined;
  }

  /** Everything that takes the card away again is listened to while it is there. */
  #watch({ popover, reference }: ShownCard): void {
    popover.addEventListener('pointerenter', this.#entered);
    popover.addEventListener('pointerleave', this.#exited);
    popover.addEventListener('focusin', this.#entered);
    popover.addEventListener('focusout', this.#exited);
    document.addEventListener('keydown', this.#key, true);
    document.addEventListener('pointerdown', this.#pressed, true);
    for (const type of AWAY) window.addEventListener(type, this.#away);
    // Scrolled out of sight, or taken out of the page.
    this.#sight?.disconnect();
    // Of what was seen meanwhile the newest counts: a busy browser tells several looks at once.
    this.#sight = new IntersectionObserver((looks) => {
      if (looks.at(-1)?.isIntersecting === false) this.#away();
    });
    this.#sight.observe(reference);
  }

  readonly #entered = ({ type }: Event): void => {
    this.#holding.add(type === 'focusin' ? 'focus' : 'card');
    clearTimeout(this.#hide);
  };

  readonly #exited = (event: PointerEvent | FocusEvent): void => {
    const to = event.relatedTarget as Node | null;
    const shown = this.#shown;
    if (!shown || holds(shown.popover, to)) return;
    const on = holds(shown.reference, to);
    if (event.type === 'pointerleave') {
      this.#holding.delete('card');
      if (!on) this.#holding.delete('pointer');
    } else if (!on) this.#holding.delete('focus');
    if (this.#holding.size > 0) return;
    this.#wanted = undefined;
    this.#hideSoon();
  };

  readonly #away = (): void => this.hide();

  readonly #pressed = (event: Event): void => {
    const shown = this.#shown;
    const path = event.composedPath();
    if (shown && !path.includes(shown.popover) && !path.includes(shown.reference)) this.hide();
  };

  readonly #key = (event: KeyboardEvent): void => {
    const shown = this.#shown;
    if (!shown?.isOpen) return;
    if (goByTab(event, shown.reference, shown.popover)) return this.#dismiss(shown.reference);
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (holds(shown.popover, focused())) target(shown.reference).focus();
    this.#dismiss(shown.reference);
  };

  /** Takes the card away and keeps it away for as long as the reader stays on its reference. */
  #dismiss(reference: HTMLElement): void {
    this.hide();
    this.#dismissed = reference;
  }

  #state(open: boolean): void {
    if (open === this.matches(':state(open)')) return;
    try {
      const { states } = (this.#internals ??= this.attachInternals());
      if (open) states.add('open');
      else states.delete('open');
    } catch {
      // An engine with only the older, dashed form of custom states.
    }
    this.dispatchEvent(new ProgressToggleEvent(open, false));
  }
}

/** What leads away from what the card belongs to. */
const AWAY = ['popstate', 'hashchange', 'pagehide'];

declare global {
  interface HTMLElementTagNameMap {
    'progress-peek': ProgressPeek;
  }
}
