import { html } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import { aroundBoth } from '../display/composed.ts';
import { openAttribute, saysOpen } from '../display/disclosure.ts';
import type { FeedState } from '../display/feed.ts';
import { createIn } from '../display/scope.ts';
import { ProgressElement, property } from '../display/progress-element.ts';
import type { SessionLink } from '../display/session-link.ts';
import { ProgressPlaceChangeEvent } from '../events/progress-place-change.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import type { ProgressCard } from '../progress-card/progress-card.ts';
import { keep, move } from './keep.ts';
import type { Kept } from './keep.ts';
import { PlaceWatch } from './place-watch.ts';
import { styles } from './progress-surface.styles.ts';
import { hasRoom, isSeen } from './room.ts';
import { ScrollAway } from './scroll-away.ts';

export type { ProgressPlaceChangeEvent };

/** Where the card can be. */
type Place = 'rail' | 'composer';

/** Width from which a surface around the whole shell has room for a rail, unless the page says otherwise. */
const AROUND = '55rem';
/** Frames after which a rail that was given the card has to be in sight. */
const SHOWING = 3;
/** What the card is told as it is. */
const HANDED_ON = ['card', 'operations', 'runs', 'usage', 'heading', 'actions', 'milestones', 'showOperations', 'history'] as const;
const CARD_PARTS =
  'base,head,toggle,title,pill,label,meta,counts,updated,usage,meter,current,position,body,plan,step,note,operations,operation,problem,retry';

/**
 * Shows one card in an application, in one of two places: in the rail while there is room for one, else beside the composer,
 * where it folds to a line with the current step and its number. It is the same card wherever it is, so that a move takes
 * neither the focus nor what was opened, scrolled to or selected. Without anything to show it takes no space.
 *
 * It is used in one of two ways. Without content it stands where the card goes beside the composer, and `rail` names the other
 * place. With content it is the shell itself: what has no slot is the conversation, `slot="composer"` is where the reader
 * writes, and `slot="rail"` what else is in the rail.
 *
 * @tag progress-surface
 * @summary Shows one live card in an application: in the rail, or beside the composer where there is no room.
 *
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
  #place: Place | undefined;
  #session: string | undefined;
  /** What the reader chose, or scrolling did; undefined leaves it to the place. */
  #choice: boolean | undefined;
  #byHand = false;
  /** The rail was given the card and did not show it. */
  #barred = false;
  #frame = 0;
  readonly #watch = new PlaceWatch(() => this.#sized());
  readonly #scrolling = new ScrollAway(
    () => this.#shell,
    () => this.#card,
    () => this.#fold(),
  );
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
    return this.#place;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('resize', this.#resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('resize', this.#resized);
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#takeOut();
      this.#watch.watch(undefined, [], false);
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
    this.#follow(changed.has('src'));
    if (this.#hasContent()) {
      const card = (this.#card ??= this.#create());
      for (const name of HANDED_ON) Object.assign(card, { [name]: this[name] });
      if (changed.has('open') && this.#place) this.#disclose();
    }
    this.#settle();
  }

  readonly #filled = (): void => this.requestUpdate();
  /** A window that changes its size is answered before it is painted. */
  readonly #resized = (): void => this.#settle();

  get #isAround(): boolean {
    return this.children.length > 0;
  }

  get #shell(): HTMLElement {
    const named = this.shell ? this.#named(this.shell) : undefined;
    return named ?? (this.#isAround ? this : aroundBoth(this, this.#rail));
  }

  get #rail(): HTMLElement | undefined {
    if (this.rail) return this.#named(this.rail);
    return this.#isAround ? this.#own('rail') : undefined;
  }

  get #composer(): HTMLElement {
    return (this.composer ? this.#named(this.composer) : undefined) ?? this.#own('composer');
  }

  #own(place: Place): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>(`.${place}`)!;
  }

  #named(id: string): HTMLElement | undefined {
    id = id.replace(/^#/, '');
    return ((this.getRootNode() as Document).getElementById?.(id) ?? document.getElementById(id)) || undefined;
  }

  /** True if the card has something to say, a failure included; who may not read the session is shown nothing. */
  #hasContent(): boolean {
    if (this.card || this.operations?.length) return true;
    const { session, error, denied } = this.feed ?? {};
    if (denied) return false;
    return !!session?.card.card || !!session?.operations.length || (!!error && !session?.loaded);
  }

  /** Another session begins with the card as the page has it. */
  #follow(newAddress: boolean): void {
    const session = this.feed?.session;
    const key = session?.loaded ? session.session : undefined;
    if (newAddress || (key !== undefined && this.#session !== undefined && key !== this.#session)) {
      this.#choice = undefined;
      this.#byHand = false;
      if (this.#place) this.#disclose();
    }
    this.#session = newAddress ? key : (key ?? this.#session);
  }

  #create(): ProgressCard {
    const card = createIn(this, 'progress-card');
    card.borrow(this.#link);
    card.setAttribute('exportparts', CARD_PARTS);
    card.addEventListener('progress-toggle', this.#toggled);
    return card;
  }

  readonly #toggled = (event: ProgressToggleEvent): void => {
    // One of the operations in it tells of itself.
    if (event.composedPath()[0] !== this.#card) return;
    // The page has not heard of it yet, and may prevent it.
    queueMicrotask(() => {
      if (event.defaultPrevented) return;
      this.#choice = this.#byHand = event.open;
      this.#watchScrolling();
    });
  };

  /** Where the card belongs now. */
  #decide(): Place | undefined {
    if (!this.#card || !this.#hasContent()) return undefined;
    return this.#roomy() ? 'rail' : 'composer';
  }

  #roomy(): boolean {
    const from = this.railFrom ?? (this.#isAround && !this.rail ? AROUND : undefined);
    const roomy = hasRoom({ shell: this.#shell, rail: this.#rail, from, inRail: this.#place === 'rail' });
    if (!roomy) this.#barred = false;
    return roomy && !this.#barred;
  }

  /** Sizes are looked at where nothing may be changed: what has to move moves with the next frame. */
  #sized(): void {
    const rail = this.#rail;
    if (this.#barred && rail && isSeen(rail)) this.#barred = false;
    if (this.#decide() !== this.#place || !this.#isHome()) this.#soon(this.#card && keep(this.#card));
  }

  #soon(kept?: Kept): void {
    this.#frame ||= requestAnimationFrame(() => this.#settle(kept));
  }

  #isHome(): boolean {
    const parent = this.#card?.parentElement ?? undefined;
    return parent === (this.#place && (this.#place === 'rail' ? this.#rail : this.#composer));
  }

  /** Puts the card where it belongs. `kept` is what the reader did in it before the page changed. */
  #settle(kept?: Kept): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.isConnected || !this.hasUpdated) return;
    const place = this.#decide();
    const card = this.#card;
    if (!place) this.#takeOut();
    else if (card && (place !== this.#place || !this.#isHome())) {
      const { inUse, giveBack } = kept ?? keep(card);
      // What the reader is in the middle of is not folded away.
      if (inUse) this.#choice ??= this.#isOpen;
      const before = this.#place;
      this.#place = place;
      const target = place === 'rail' ? this.#rail! : this.#composer;
      this.#stand();
      if (card.parentElement !== target) move(card, target);
      card.placement = place === 'composer' ? 'composer' : undefined;
      this.#disclose();
      giveBack();
      if (place !== before) this.dispatchEvent(new ProgressPlaceChangeEvent(place));
      if (place === 'rail') this.#seeRail(SHOWING);
      // What depends on how it is drawn there is given back once more then.
      void card.updateComplete.then(giveBack);
    }
    this.#stand();
    const elsewhere = this.composer && this.#composer !== this.#own('composer');
    const missing = !!((this.rail && !this.#rail) || (this.composer && !elsewhere));
    this.#watch.watch(this.#shell, [this.#rail, elsewhere ? this.#composer : undefined], missing);
    this.#watchScrolling();
  }

  /** A rail that does not show what it was given has no room after all. */
  #seeRail(frames: number): void {
    requestAnimationFrame(() => {
      if (this.#place !== 'rail' || !this.#card || isSeen(this.#card)) return;
      if (frames > 0) return this.#seeRail(frames - 1);
      this.#barred = true;
      this.#settle();
    });
  }

  #takeOut(): void {
    this.#card?.remove();
    this.#scrolling.watch(false, false);
    if (!this.#place) return;
    this.#place = undefined;
    this.dispatchEvent(new ProgressPlaceChangeEvent(undefined));
  }

  #stand(): void {
    const around = this.#isAround;
    const here = this.#place === 'composer' && this.#composer === this.#own('composer');
    this.stand(0, undefined, false, this.#place, here ? 'here' : undefined, around ? 'around' : undefined);
    const filled = this.renderRoot.querySelector<HTMLSlotElement>('slot[name=rail]')?.assignedElements().length;
    this.#own('rail').parentElement!.hidden = !around || !!this.rail || !(this.#place === 'rail' || (filled && this.#roomy()));
  }

  get #isOpen(): boolean {
    return this.#choice ?? (this.#place === 'rail' || (saysOpen(this.open) ?? false));
  }

  /** As open as the reader chose, or scrolling left it, else as the place has it. */
  #disclose(): void {
    this.#card?.disclose(this.#isOpen);
  }

  #fold(): void {
    if (this.#card?.matches(':focus-within')) return;
    this.#choice = this.#byHand = false;
    this.#disclose();
    this.#watchScrolling();
  }

  #watchScrolling(): void {
    this.#scrolling.watch(this.#place === 'composer' && this.#isOpen && !this.keepOpen, this.#byHand);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-surface': ProgressSurface;
  }
}
