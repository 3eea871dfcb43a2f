import { html } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import { openAttribute, saysOpen } from '../display/disclosure.ts';
import type { FeedState } from '../display/feed.ts';
import { passOn } from '../display/pass-on.ts';
import { createIn } from '../display/scope.ts';
import { ProgressElement, property } from '../display/progress-element.ts';
import type { SessionLink } from '../display/session-link.ts';
import type { ProgressPlaceChangeEvent } from '../events/progress-place-change.ts';
import type { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import type { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';
import type { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import type { ProgressCard } from '../progress-card/progress-card.ts';
import { CARD_PARTS, HANDED_ON, hasContent } from './handed-on.ts';
import { Opening } from './opening.ts';
import { Places } from './places.ts';
import type { Place } from './places.ts';
import { styles } from './progress-surface.styles.ts';
import { Whereabouts } from './whereabouts.ts';

export type {
  ProgressCancelRequestEvent,
  ProgressDismissRequestEvent,
  ProgressPlaceChangeEvent,
  ProgressRetryRequestEvent,
  ProgressToggleEvent,
};

/**
 * Shows one card in an application, in one of two places: in the rail while there is room for one, else beside the composer,
 * where it folds to a line with the current step and its number. It is the same card wherever it is, so that a move takes
 * neither the focus nor what was opened, scrolled to or selected. What the reader asks for in it, the surface tells, wherever the card
 * is. Without anything to show it takes no space.
 *
 * It is used in one of two ways. Without content it stands where the card goes beside the composer, and `rail` names the other
 * place. With content it is the shell itself: what has no slot is the conversation, `slot="composer"` is where the reader
 * writes, and `slot="rail"` what else is in the rail.
 *
 * @tag progress-surface
 * @summary Shows one live card in an application: in the rail, or beside the composer where there is no room.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opens or closes the card or an operation in it; cancelable.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop an operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run an operation again, or to load the session again.
 * @fires {ProgressDismissRequestEvent} progress-dismiss-request - The reader asks to put the card away.
 * @fires {ProgressPlaceChangeEvent} progress-place-change - The card has come to another place, or has nothing to show.
 *
 * @slot - The conversation, where the surface is the shell.
 * @slot composer - Where the reader writes, below the card.
 * @slot rail - What else is in the rail, below the card.
 *
 * @csspart main - The column of the conversation, where the surface is the shell.
 * @csspart side - The rail, where the surface is the shell; 20rem wide by default. All parts of the card in a place of the surface have their own names.
 *
 * @cssstate rail - The card is in the rail.
 * @cssstate composer - The card is beside the composer.
 * @cssstate here - The card is in the surface, which stands beside the composer.
 * @cssstate around - The surface is the shell.
 */
export class ProgressSurface extends ProgressElement {
  static override styles: CSSResultGroup = styles;

  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    card: property,
    operations: property,
    runs: property,
    usage: property,
    heading: {},
    actions: {},
    milestones: { type: Boolean },
    showOperations: { attribute: 'show-operations' },
    history: property,
    open: openAttribute,
    rail: {},
    railFrom: { attribute: 'rail-from' },
    composer: {},
    shell: {},
    keepOpen: { type: Boolean, attribute: 'keep-open' },
  };

  /** The card to show: its record, or only its body. Takes precedence over the session's. */
  declare card: CardRecord | NonNullable<CardRecord['card']> | null | undefined;
  /** The operations to show. Take precedence over the session's. */
  declare operations: readonly Operation[] | null | undefined;
  /** The runs that say whether the card can still be alive. Take precedence over the session's. */
  declare runs: readonly Run[] | null | undefined;
  /** What the session has used. Takes precedence over the session's. */
  declare usage: Usage | null | undefined;
  /**
   * Title of the card. By default the title of the session.
   * @attr
   */
  declare heading: string | undefined;
  /**
   * The buttons to offer at each operation, divided by spaces: `cancel`, `retry`.
   * @attr
   */
  declare actions: string | undefined;
  /**
   * Also says when an operation is a quarter, half and three quarters done.
   * @attr
   */
  declare milestones: boolean;
  /**
   * Which operations of the session to list, as the card has it.
   * @attr show-operations
   */
  declare showOperations: ProgressCard['showOperations'];
  /** Earlier versions of the card, as the card has them. */
  declare history: ProgressCard['history'];
  /**
   * Opens the card beside the composer at first; in the rail it is open at first in any case. Updates never open it.
   * @attr
   */
  declare open: boolean | undefined;
  /**
   * Id of the element that is the rail, with or without `#`. Seen, and at least 200 pixels wide, it has room.
   * @attr
   */
  declare rail: string | undefined;
  /**
   * Width of the shell from which there is room for the rail, in pixels or `rem`. With it the rail need not be in sight before
   * the card comes: the page shows and hides it by `:state(rail)` or the event. Without it, where the surface is the shell, `55rem`.
   * @attr rail-from
   */
  declare railFrom: string | undefined;
  /**
   * Id of the element that holds the card beside the composer. By default the surface itself.
   * @attr
   */
  declare composer: string | undefined;
  /**
   * Id of the element whose width is measured, and whose scrolling folds the card. By default the surface if it is the shell, else
   * the nearest element that has both it and the rail in it.
   * @attr
   */
  declare shell: string | undefined;
  /**
   * Keeps the card open beside the composer while the reader scrolls up. Otherwise it folds after two strokes and 320 pixels
   * upwards, or three and 640 once the reader has opened it by hand.
   * @attr keep-open
   */
  declare keepOpen: boolean;

  #card: ProgressCard | undefined;
  #session: string | undefined;
  /** The card is the one that a server drew, and not taken over yet. */
  #drawn = false;
  readonly #places = new Places(this);
  readonly #opening = new Opening({
    shell: () => this.#places.shell,
    card: () => this.#card,
    place: () => this.place,
    opens: () => saysOpen(this.open) ?? false,
    stays: () => this.keepOpen,
  });
  readonly #whereabouts = new Whereabouts({
    surface: this,
    places: this.#places,
    opening: this.#opening,
    card: () => this.#card,
    shows: () => !this.hidden && hasContent(this, this.feed),
    isDrawn: () => this.#drawn,
    stand: (place, inside) => this.#stand(place, inside),
  });
  /** The session as the card reads it, which may be far from the provider around the surface. */
  readonly #link: SessionLink;

  constructor() {
    super();
    this.milestones = this.keepOpen = false;
    const own = (): FeedState | undefined => this.feed;
    this.#link = {
      get state() {
        return own();
      },
      find: () => undefined,
      revisions: () => this.link?.revisions?.() ?? [],
      retry: () => this.reload(),
    };
  }

  /** Where the card is; undefined while there is nothing to show. */
  get place(): Place | undefined {
    return this.#whereabouts.place;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('resize', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('resize', this.#resized);
    queueMicrotask(() => {
      if (!this.isConnected) this.#whereabouts.leave();
    });
  }

  /** @internal */
  heard(state: FeedState): void {
    this.#card?.heard(state);
    this.#card?.requestUpdate();
  }

  protected override render(): TemplateResult {
    return html`<div part="main" class="main">
        <slot @slotchange=${this.#filled}></slot>
        <div class="place composer"></div>
        <slot name="composer" @slotchange=${this.#filled}></slot>
      </div>
      <div part="side" class="side" hidden>
        <div class="place rail"></div>
        <slot name="rail" @slotchange=${this.#filled}></slot>
      </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.isConnected) return;
    this.removeAttribute('drawn-at');
    this.#follow(changed.has('src'));
    void this.#adopt();
    if (hasContent(this, this.feed)) {
      const card = (this.#card ??= this.#own(createIn(this, 'progress-card')));
      this.#hand(card);
      if (changed.has('open') && this.place) this.#opening.apply();
    }
    this.#settle();
  }

  readonly #filled = (): void => this.requestUpdate();
  /** A window that changes its size is answered before it is painted. */
  readonly #resized = (): void => this.#settle();

  /** Another session begins with the card as the page has it. */
  #follow(newAddress: boolean): void {
    const session = this.feed?.session;
    const key = session?.loaded ? session.session : undefined;
    if (newAddress || (key !== undefined && this.#session !== undefined && key !== this.#session)) this.#opening.begin();
    this.#session = newAddress ? key : (key ?? this.#session);
  }

  #own(card: ProgressCard): ProgressCard {
    card.borrow(this.#link);
    card.setAttribute('exportparts', CARD_PARTS);
    card.addEventListener('progress-toggle', this.#toggled);
    passOn(card, this);
    return card;
  }

  /** Goes on with the card that a server drew; where it is taken over, it stays in its place until that is done. */
  async #adopt(): Promise<void> {
    const card = this.#card ? null : this.renderRoot.querySelector<ProgressCard>('.composer > progress-card');
    if (!card) return;
    this.#card = this.#own(card);
    this.#hand(card);
    this.#drawn = true;
    card.removeAttribute('defer-hydration');
    await card.updateComplete;
    this.#drawn = false;
    this.#settle();
  }

  #hand(card: ProgressCard): void {
    for (const name of HANDED_ON) (card as Pick<ProgressSurface, (typeof HANDED_ON)[number]>)[name as 'card'] = this[name as 'card'];
  }

  readonly #toggled = (event: ProgressToggleEvent): void => {
    // One of the operations in it tells of itself.
    if (event.composedPath()[0] !== this.#card) return;
    // The page has not heard of it yet, and may prevent it.
    queueMicrotask(() => {
      if (!event.defaultPrevented) this.#opening.choose(event.open);
    });
  };

  #settle(): void {
    if (this.hasUpdated) this.#whereabouts.settle();
  }

  #stand(place: Place | undefined, inside: boolean): void {
    const { isAround, rail } = this.#places;
    this.stand(0, undefined, false, place, inside ? 'here' : undefined, isAround ? 'around' : undefined);
    const own = this.#places.own('rail');
    const filled = this.renderRoot.querySelector<HTMLSlotElement>('slot[name=rail]')?.assignedElements().length;
    own.parentElement!.hidden = !isAround || rail !== own || !(place === 'rail' || (filled && this.#whereabouts.isRoomy));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-surface': ProgressSurface;
  }
}
