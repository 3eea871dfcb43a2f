import { html, LitElement } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { holds } from '../display/composed.ts';
import type { SessionFeed } from '../display/feed.ts';
import { sessions } from '../display/session-link.ts';
import { warnOnce } from '../display/warn-once.ts';
import { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { NO_SESSION } from '../session/address.ts';
import { Attention } from './attention.ts';
import { cardCode } from './card-code.ts';
import { Intent } from './intent.ts';
import { styles } from './progress-peek.styles.ts';
import { addressIn, ATTRIBUTE, isAround, reachOf, referenceOf, sessionOf } from './references.ts';
import type { ShownCard } from './shown-card.ts';
import { isWarm, leave, take } from './warmth.ts';

export type { ProgressToggleEvent };

/** Milliseconds more that a card waits for its session before it says that it loads. */
const PATIENCE = 300;
/** Milliseconds for which a card that has gone keeps its session open: the reader may come back. */
const LINGER = 5000;
/** Milliseconds for which a session that the reader may not read is not asked for again. */
const REFUSED = 60_000;

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

  readonly #attention = new Attention({
    delays: () => [this.showDelay ?? 400, this.hideDelay ?? 250],
    shown: () => this.reference,
    foresee: (reference) => void this.#foresee(reference),
    open: (reference) => this.#show(reference),
    close: () => this.#close(),
  });
  readonly #intent = new Intent({
    find: (event) => (this.#shown && event.composedPath().includes(this.#shown.popover) ? undefined : referenceOf(event, this)),
    turned: (reference, way) => {
      if (!this.#closing) this.#attention.turned(reference, way);
    },
    left: (reference, way, to) => {
      if (!this.#shown || !holds(this.#shown.popover, to as Node | null)) this.#attention.left(reference, way);
    },
    followed: (reference) => this.#dismiss(reference),
  });
  readonly #refused = new Map<string, number>();
  #internals: ElementInternals | undefined;
  #shown: ShownCard | undefined;
  #session = '';
  #linger: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;
  /** What has the focus of a card that goes gets it only because of that. */
  #closing = false;

  /** The reference whose card is shown. */
  get reference(): HTMLElement | undefined {
    return this.#shown?.isOpen ? this.#shown.reference : undefined;
  }

  /** Shows the card of a reference at once. */
  show(reference: HTMLElement): void {
    this.#attention.want(reference);
    this.#show(reference);
  }

  /** Takes the card away. */
  hide(): void {
    this.#attention.rest();
    this.#close();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      // What is moved within the page loses what it had over it.
      if (this.isConnected && (!this.reference || this.#shown?.isUp)) return;
      this.hide();
      if (this.isConnected) return;
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

  protected override updated(changed: PropertyValues): void {
    this.#listen();
    if (changed.has('src') || changed.has('base')) this.#renamed();
  }

  #listen(): void {
    if (this.isConnected) this.#intent.listen(reachOf(this));
  }

  async #foresee(reference: HTMLElement): Promise<void> {
    // What cannot be had now is asked for again when it is needed.
    void this.#code().catch(() => undefined);
    if (this.openSession) return;
    if (!sessions.open) await sessions.load().catch(() => undefined);
    const address = addressIn(this, sessionOf(reference, this));
    if (address && !this.#isRefused(address) && reference === this.#attention.wanted) sessions.foresee?.(address);
  }

  #isRefused(session: string): boolean {
    return (this.#refused.get(session) ?? -Infinity) > performance.now() - REFUSED;
  }

  #show(reference: HTMLElement): void {
    this.#open(reference).catch((error: unknown) => warnOnce(`<progress-peek>: the code of cards could not be loaded. ${String(error)}`));
  }

  /** What a page that shows no card yet has no need of. */
  async #code(): Promise<typeof ShownCard> {
    const [shown] = await Promise.all([import('./shown-card.ts'), cardCode.load()]);
    return shown.ShownCard;
  }

  async #open(reference: HTMLElement): Promise<void> {
    const session = sessionOf(reference, this);
    const address = addressIn(this, session);
    if (this.#isRefused(address ?? session) || this.reference === reference) return;
    const [Shown, feed] = await Promise.all([this.#code(), this.openSession?.(session) ?? this.#feedAt(address)]);
    if (reference !== this.#attention.wanted || !this.isConnected || !reference.isConnected) return;
    clearTimeout(this.#linger);
    if (this.#shown?.reference !== reference || this.#session !== session) {
      this.#drop();
      this.#shown = new Shown(this, reference, feed);
      this.#session = session;
    }
    const shown = this.#shown;
    if (shown.state.denied) return this.refused();
    await shown.known(PATIENCE);
    if (shown !== this.#shown || reference !== this.#attention.wanted || !reference.isConnected || shown.isOpen) return;
    const warm = isWarm();
    take(this);
    const { dismissed, gone, renamed, entered, exited } = this.#leaving;
    shown.open({ dismissed, gone, renamed, entered, exited }, warm);
    this.#state(true);
  }

  readonly #leaving = {
    entered: (way: 'card' | 'focus'): void => this.#attention.entered(way),
    exited: (way: 'card' | 'focus', on: boolean): void => this.#attention.exited(way, on),
    dismissed: (): void => this.#dismiss(this.reference),
    gone: (): void => this.hide(),
    renamed: (): void => this.#renamed(),
  };

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

  /** Once more from the beginning: for who asks for it in a card that could not be filled, and where it is about another session. */
  #again(): void {
    const reference = this.#attention.wanted ?? this.reference;
    this.hide();
    this.#drop();
    if (reference) this.show(reference);
  }

  /** The reference whose card is shown may stand for another session now, or for none. */
  #renamed(): void {
    const { reference } = this;
    if (!reference || sessionOf(reference, this) === this.#session) return;
    if (reference.hasAttribute(ATTRIBUTE) || isAround(this)) this.#again();
    else this.hide();
  }

  /**
   * The reader may not read the session: as if there were no card to it.
   * @internal
   */
  refused(): void {
    this.#refused.set(addressIn(this, this.#session) ?? this.#session, performance.now());
    const { wanted } = this.#attention;
    this.hide();
    this.#drop();
    this.#attention.dismiss(wanted);
  }

  #close(): void {
    const shown = this.#shown;
    if (!shown?.isOpen) return;
    this.#closing = true;
    shown.close();
    this.#closing = false;
    leave(this);
    this.#linger = setTimeout(() => this.#drop(), LINGER);
    this.#state(false);
  }

  #drop(): void {
    clearTimeout(this.#linger);
    this.#shown?.drop();
    this.#shown = undefined;
  }

  /** Takes the card away and keeps it away for as long as the reader stays on its reference. */
  #dismiss(reference: HTMLElement | undefined): void {
    this.hide();
    this.#attention.dismiss(reference);
  }

  #state(open: boolean): void {
    if (open === this.#isOpen) return;
    this.#isOpen = open;
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

declare global {
  interface HTMLElementTagNameMap {
    'progress-peek': ProgressPeek;
  }
}
