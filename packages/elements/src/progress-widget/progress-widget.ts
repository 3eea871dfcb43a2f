import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { sessionState } from '@sitrep/schema/select';
import type { SessionState } from '@sitrep/schema/select';
import { openAttribute } from '../display/disclosure.ts';
import type { FeedState } from '../display/feed.ts';
import { watchView } from '../display/in-view.ts';
import { icon, pillStyles } from '../display/pill.ts';
import { ProgressElement } from '../display/progress-element.ts';
import { keyOf, sessionAddress, SESSIONS } from '../display/session-name.ts';
import { sessions } from '../display/session-link.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr, trProblem } from '../display/tr.ts';
import { ProgressMoveRequestEvent } from '../events/progress-move-request.ts';
import { ProgressOpenRequestEvent } from '../events/progress-open-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { ProgressUnpinRequestEvent } from '../events/progress-unpin-request.ts';
import { styles } from './progress-widget.styles.ts';
import { tellStanding } from './standing.ts';

export type { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
export type { ProgressToggleEvent } from '../events/progress-toggle.ts';
export type { ProgressMoveRequestEvent, ProgressOpenRequestEvent, ProgressRetryRequestEvent, ProgressUnpinRequestEvent };

const LOCK = 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5';
const UP = 'M8 13V3.5M4 7.5l4-4 4 4';
const DOWN = 'M8 3v9.5M4 8.5l4 4 4-4';
const UNPIN = 'M4 4l8 8m0-8l-8 8';

/**
 * One pinned card of a session, for a dashboard. It keeps its place whatever becomes of the session: while it loads, when nothing was
 * reported yet, when it cannot be reached, and when the reader may not read it, of which it says no more than that.
 *
 * It shows the session it names, by key (`session`) or address (`src`); without a name it follows the provider it names or the one
 * around it. While it is out of view nothing is read for it.
 *
 * @tag progress-widget
 * @summary Shows one pinned card of a session.
 *
 * @fires {ProgressOpenRequestEvent} progress-open-request - The reader asks to go to the session. The link is followed unless the page prevents it.
 * @fires {ProgressUnpinRequestEvent} progress-unpin-request - The reader asks to take the session off the board.
 * @fires {ProgressMoveRequestEvent} progress-move-request - The reader asks to put the widget one place earlier or later.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to load the session again, or to run an operation again.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop an operation.
 * @fires {ProgressToggleEvent} progress-toggle - The reader opens or closes the card or an operation in it; cancelable.
 *
 * @slot - Further content of the card, shown while it is open.
 * @slot actions - Further buttons beside the pill.
 *
 * @csspart base - Everything inside the element.
 * @csspart card - The card.
 * @csspart problem - Why there is no card.
 * @csspart retry - The button that loads the session again.
 * @csspart foot - The link and the buttons below the card.
 * @csspart link - The link to the session.
 * @csspart earlier - The button that moves the widget one place earlier.
 * @csspart later - The button that moves it one place later.
 * @csspart unpin - The button that takes it off the board.
 *
 * @cssstate working - And each other state a session can be in, by its name.
 * @cssstate no-access - The reader may not read the session.
 */
export class ProgressWidget extends ProgressElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, styles];

  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    session: {},
    base: {},
    heading: {},
    href: {},
    open: openAttribute,
    actions: {},
    editable: { type: Boolean },
    edge: { attribute: false },
  };

  /**
   * Key of the session at `base`, or its address; it goes before `src`. Absent or blank, and without `src`, the widget follows the
   * provider it names or the one around it.
   * @attr
   */
  declare session: string | undefined;

  /**
   * Address of the gateway's sessions, to which a key is added. Default: `/v1/sessions`.
   * @attr
   */
  declare base: string | undefined;

  /**
   * Title of the card. By default the title of the session, or its key where it has none.
   * @attr
   */
  declare heading: string | undefined;

  /**
   * Address of the page of the session, with `{session}` where its key belongs: `/chats/{session}`. Absent, there is no link.
   * @attr
   */
  declare href: string | undefined;

  /**
   * Opens the card; absent or `open="false"`, it is closed, until the reader opens it.
   * @attr
   */
  declare open: boolean | undefined;

  /**
   * The buttons to offer at each operation, divided by spaces: `cancel`, `retry`.
   * @attr
   */
  declare actions: string | undefined;

  /**
   * Offers to move the widget and to take it off the board.
   * @attr
   */
  declare editable: boolean;

  /**
   * Where the widget cannot be moved on.
   * @internal
   */
  declare edge: 'first' | 'last' | 'only' | undefined;

  /** @internal */
  resting = true;
  /**
   * Where its session stands, as far as that is known.
   * @internal
   */
  standing: SessionState | undefined;
  /**
   * Told when it is taken from where it is.
   * @internal
   */
  gone: (() => void) | undefined;
  #rested = true;
  #leaveView: (() => void) | undefined;

  constructor() {
    super();
    this.editable = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Another board may be around it now.
    if (this.hasUpdated) tellStanding(this);
    this.#leaveView = watchView(this, (seen) => {
      if (this.resting === !seen) return;
      this.resting = !seen;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leaveView?.();
    this.resting = true;
    this.gone?.();
    this.gone = undefined;
  }

  /**
   * Puts the focus on the button that moves it on.
   * @internal
   */
  focusMove(by: number): void {
    const [first, second] = by < 0 ? ['earlier', 'later'] : ['later', 'earlier'];
    const enabled = [first, second].map((part) => this.renderRoot.querySelector<HTMLButtonElement>(`[part=${part}]:not([disabled])`));
    enabled.find((button) => button)?.focus();
  }

  /**
   * Puts the focus on the part of this name, else on the head of the card; false where it can be on neither.
   * @internal
   */
  focusPart(name = ''): boolean {
    const own = name ? this.renderRoot.querySelector<HTMLElement>(`[part="${name}"]:not([disabled])`) : undefined;
    const card = this.renderRoot.querySelector('progress-card');
    const target = own ?? card?.renderRoot?.querySelector<HTMLElement>('[part=toggle]');
    target?.focus({ preventScroll: true });
    return !!target;
  }

  /** By what the page knows its session. */
  get #name(): string {
    return this.session?.trim() || this.src || this.feed?.session?.session || '';
  }

  protected override willUpdate(changed: PropertyValues): void {
    const key = this.session?.trim();
    if (key) this.src = sessionAddress(key, this.base || SESSIONS);
    else if (changed.get('session')) this.src = undefined;
    if (changed.has('src')) this.standing = undefined;
    super.willUpdate(changed);
  }

  protected override render(): TemplateResult {
    const feed = this.feed;
    const denied = feed?.denied === true;
    this.#stand(feed);
    this.stand(0, denied ? undefined : this.standing, undefined, denied ? 'no-access' : undefined);
    const wanted = !!(this.src || this.provider);
    return html`<div part="base" class="base">
      ${
        denied
          ? this.#problem(LOCK, feed.error ?? 'You may not read this session.')
          : wanted && !this.link && sessions.error
            ? this.#problem('', sessions.error)
            : wanted && !this.link
              ? html`<div class="loading"><span class="sr">${tr('Loading…', this.language)}</span></div>`
              : this.#card()
      }${this.#foot(denied)}
    </div>`;
  }

  protected override updated(): void {
    if (this.#rested === this.resting) return;
    this.#rested = this.resting;
    // It looks at that with each update, and not at each change.
    this.renderRoot.querySelector<ProgressElement>('progress-card')?.requestUpdate();
  }

  /**
   * What tells it from the others of a board: a session without a title is called by its key, as it is in notices, and one that could not
   * be loaded by the key it was pinned with.
   */
  #heading(): string {
    const { session, error } = this.feed ?? {};
    return this.heading || session?.title || session?.session || (error ? keyOf(this.src) : '');
  }

  #card(): TemplateResult {
    return html`<progress-card
      part="card"
      .resting=${this.resting}
      src=${this.src || nothing}
      provider=${this.provider || nothing}
      heading=${this.#heading() || nothing}
      actions=${this.actions || nothing}
      .open=${this.open ?? false}
      ><slot></slot><slot name="actions" slot="actions"></slot
    ></progress-card>`;
  }

  #problem(path: string, sentence: string): TemplateResult {
    return html`<div part="problem" class="stands">
      ${path ? icon(path) : nothing}
      <p dir="auto">${trProblem(sentence, this.language)}</p>
      <button part="retry" type="button" @click=${this.#retry}>${tr('Try again', this.language)}</button>
    </div>`;
  }

  #foot(denied: boolean): TemplateResult | typeof nothing {
    const key = denied ? undefined : this.feed?.session?.session;
    const href = this.href && key ? this.href.replaceAll('{session}', encodeURIComponent(key)) : undefined;
    if (!href && !this.editable) return nothing;
    const what = denied ? '' : this.#heading();
    const button = (part: string, phrase: 'Move earlier' | 'Move later' | 'Unpin', path: string, disabled: boolean, act: () => void) => {
      const label = tr(phrase, this.language);
      const name = what ? tr('{title}: {what}', this.language, { title: what, what: label }) : label;
      return html`<button part=${part} type="button" title=${label} aria-label=${name} ?disabled=${disabled} @click=${act}>
        ${icon(path)}
      </button>`;
    };
    const { edge } = this;
    return html`<div part="foot" class="foot">
      ${
        href
          ? html`<a
              part="link"
              class="link"
              href=${href}
              aria-label=${what ? tr('{title}: {what}', this.language, { title: what, what: tr('Open chat', this.language) }) : nothing}
              @click=${this.#follow}
              >${tr('Open chat', this.language)}</a
            >`
          : nothing
      }${
        this.editable
          ? html`${button('earlier', 'Move earlier', UP, edge === 'first' || edge === 'only', () => this.#move(-1))}${button('later', 'Move later', DOWN, edge === 'last' || edge === 'only', () => this.#move(1))}${button('unpin', 'Unpin', UNPIN, false, this.#unpin)}`
          : nothing
      }
    </div>`;
  }

  /** Tells the board around it when its session stands elsewhere. */
  #stand(feed: FeedState | undefined): void {
    const session = feed?.session;
    const now = session?.loaded ? sessionState(session, { now: Date.now(), connection: session.connection }) : undefined;
    const next = feed?.denied ? undefined : (now ?? this.standing);
    if (next === this.standing && this.hasUpdated) return;
    this.standing = next;
    tellStanding(this);
  }

  readonly #retry = (): void => {
    if (this.dispatchEvent(new ProgressRetryRequestEvent())) this.reload();
  };

  /** A click that opens another tab or window is the browser's. */
  readonly #follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const key = this.feed?.session?.session ?? '';
    if (!this.dispatchEvent(new ProgressOpenRequestEvent(key))) event.preventDefault();
  };

  readonly #unpin = (): void => void this.dispatchEvent(new ProgressUnpinRequestEvent(this.#name));

  #move(by: number): void {
    const request = new ProgressMoveRequestEvent(this.#name, by);
    this.dispatchEvent(request);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-widget': ProgressWidget;
  }
}
