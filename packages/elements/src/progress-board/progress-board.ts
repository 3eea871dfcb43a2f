import { html, LitElement, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Language } from '@sitrep/schema/select';
import { watchView } from '../display/in-view.ts';
import { follow, languageOf } from '../display/language.ts';
import { nextFrame } from '../display/frame.ts';
import { pillStyles } from '../display/pill.ts';
import { namesAttribute, sessionAddress, SESSIONS } from '../display/session-name.ts';
import { scope } from '../display/scope.ts';
import { lists } from '../display/lists.styles.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr, trProblem } from '../display/tr.ts';
import { ProgressMoveRequestEvent } from '../events/progress-move-request.ts';
import { STANDING } from '../progress-widget/standing.ts';
import type { ProgressWidget } from '../progress-widget/progress-widget.ts';
import { styles } from './progress-board.styles.ts';
import { keepFocus } from './focus.ts';
import { Listing } from './listing.ts';
import { Standings } from './standings.ts';
import { sums } from './sums.ts';

export type { ProgressOpenRequestEvent } from '../events/progress-open-request.ts';
export type { ProgressUnpinRequestEvent } from '../events/progress-unpin-request.ts';
export type { ProgressMoveRequestEvent };

/**
 * A grid of pinned sessions, with a roll-up of where they stand: "needs you 1", "running 3".
 *
 * Which sessions: the widgets the page puts inside; or `sessions`, their keys or addresses in the order they are shown in; or, with
 * neither, all that the gateway lists at `src`, each staying where it was first shown. A widget reads its session while it is in view or
 * near; what is out of view is counted by the gateway's list, or as it was last seen. With `editable` the reader may ask to move
 * and to unpin; the page answers by handing over other `sessions`.
 *
 * @tag progress-board
 * @summary Shows the pinned cards of several sessions in a grid.
 *
 * @fires {ProgressMoveRequestEvent} progress-move-request - The reader asks to put a session one place earlier or later; it carries the new order.
 * @fires {ProgressUnpinRequestEvent} progress-unpin-request - The reader asks to take a session off the board.
 * @fires {ProgressOpenRequestEvent} progress-open-request - The reader asks to go to a session.
 *
 * @slot - Widgets of the page's own, alone or within providers. They come before `sessions`.
 * @slot heading - The heading, in place of the attribute.
 * @slot actions - Buttons at the end of the head.
 *
 * @csspart head - The heading and the roll-up.
 * @csspart heading - The heading.
 * @csspart sums - The roll-up.
 * @csspart pill - One state in the roll-up.
 * @csspart label - Its word.
 * @csspart summary - Its number.
 * @csspart grid - The widgets.
 * @csspart widget - One widget.
 * @csspart empty - What is said while nothing is pinned.
 * @csspart problem - Why the list of sessions could not be read.
 * @csspart retry - The button that reads it again.
 */
export class ProgressBoard extends LitElement {
  static override styles: CSSResultGroup = [tones, surfaces, lists, pillStyles, styles];

  static override properties: PropertyDeclarations = {
    src: {},
    sessions: namesAttribute,
    heading: {},
    href: {},
    actions: {},
    editable: { type: Boolean },
  };

  /**
   * Address of the gateway's list of sessions, to which keys are added. Default: `/v1/sessions`. Without `sessions` and without widgets
   * inside, all sessions listed there are shown, if it is given.
   * @attr
   */
  declare src: string | undefined;

  /**
   * The sessions to show, in their order: keys at `src`, or addresses. As an attribute divided by white space.
   * @attr
   */
  declare sessions: readonly string[] | null | undefined;

  /**
   * Heading of the board. Default: "Sessions".
   * @attr
   */
  declare heading: string | undefined;

  /**
   * Address of the page of a session, with `{session}` where its key belongs: `/chats/{session}`.
   * @attr
   */
  declare href: string | undefined;

  /**
   * The buttons to offer at each operation, divided by spaces: `cancel`, `retry`.
   * @attr
   */
  declare actions: string | undefined;

  /**
   * Offers to move widgets and to take them off the board.
   * @attr
   */
  declare editable: boolean;

  #language: Language = { locale: 'en' };
  readonly #standings = new Standings(this);
  readonly #list = new Listing(() => this.requestUpdate());
  /** The sessions of a list in the order they were first shown in. */
  #order: readonly string[] = [];
  #seen = false;
  #leaveView: (() => void) | undefined;
  #giveFocus: (() => void) | undefined;
  #moved: { readonly session: string; readonly by: number } | undefined;

  constructor() {
    super();
    this.editable = false;
    this.addEventListener(STANDING, (event) => {
      const widget = event.composedPath()[0] as ProgressWidget;
      widget.gone = () => this.requestUpdate();
      this.#standings.add(widget);
      this.requestUpdate();
    });
  }

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'lang') this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    follow(this);
    document.addEventListener('visibilitychange', this.#look);
    this.#leaveView = watchView(this, (seen) => {
      this.#seen = seen;
      this.#look();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    follow(this);
    document.removeEventListener('visibilitychange', this.#look);
    this.#leaveView?.();
    this.#seen = false;
    this.#look();
  }

  /** What a server drew is drawn anew: nobody takes it over. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    this.shadowRoot?.replaceChildren();
    scope(this);
    return super.createRenderRoot();
  }

  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await nextFrame();
    super.scheduleUpdate();
  }

  protected override willUpdate(): void {
    this.#language = languageOf(this);
    this.#look();
    if (this.hasUpdated) this.#giveFocus = keepFocus(this.renderRoot as ShadowRoot);
  }

  protected override render(): TemplateResult {
    const names = this.#names();
    const heading = this.heading || tr('Sessions', this.#language);
    return html`<section aria-label=${heading}>
      <div part="head" class="head">
        <slot name="heading"><h2 part="heading">${heading}</h2></slot>
        ${sums(this.#standings.count(names, this.#list.listed), this.#language)}<slot name="actions"></slot>
      </div>
      <div part="grid" class="grid">
        <slot @slotchange=${this.#gather}></slot>
        ${names.length ? this.#widgets(names) : nothing}${this.#instead(names)}
      </div>
    </section>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('sessions')) this.#refocus();
    this.#giveFocus?.();
    this.#giveFocus = undefined;
  }

  #widgets(names: readonly string[]): TemplateResult {
    const edgeOf = (at: number) => (names.length === 1 ? 'only' : at === 0 ? 'first' : at === names.length - 1 ? 'last' : undefined);
    const order = this.sessions ? this.editable : false;
    return html`<ul class="list" role="list" @progress-move-request=${this.#move}>
      ${repeat(
        names,
        (name) => name,
        (name, at) =>
          html`<li>
            <progress-widget
              part="widget"
              session=${name}
              base=${this.src || nothing}
              href=${this.href || nothing}
              actions=${this.actions || nothing}
              .editable=${order}
              .edge=${edgeOf(at)}
            ></progress-widget>
          </li>`,
      )}
    </ul>`;
  }

  /** What is said where there is no session to show. */
  #instead(names: readonly string[]): TemplateResult | typeof nothing {
    const problem = this.#lists ? this.#list.error : undefined;
    if (problem) {
      return html`<div part="problem" class="problem">
        <bdi>${trProblem(problem, this.#language)}</bdi>
        <button part="retry" type="button" @click=${() => this.#list.again()}>${tr('Try again', this.#language)}</button>
      </div>`;
    }
    if (names.length > 0 || this.#own().length > 0) return nothing;
    const loading = this.#lists && !this.#list.listed;
    return html`<p part="empty" class="empty">${tr(loading ? 'Loading…' : 'No session is pinned.', this.#language)}</p>`;
  }

  /** True while the gateway says which sessions there are. */
  get #lists(): boolean {
    return !this.sessions && !!this.src && this.#own().length === 0;
  }

  #names(): readonly string[] {
    if (this.sessions) return [...new Set(this.sessions)];
    if (!this.#lists) return [];
    const now = (this.#list.listed ?? []).map(({ session }) => session);
    const known = new Set(this.#order);
    const still = new Set(now);
    return (this.#order = [...now.filter((name) => !known.has(name)), ...this.#order.filter((name) => still.has(name))]);
  }

  /** What the page itself put on the board. */
  #own(): readonly Element[] {
    return [...this.children].filter((child) => !child.slot);
  }

  readonly #gather = (): void => {
    for (const widget of this.querySelectorAll<ProgressWidget>('progress-widget')) this.#standings.add(widget);
    this.requestUpdate();
  };

  /** Watches the gateway's list while somebody sees the board and there is something in it to know. */
  readonly #look = (): void => {
    const wanted = this.isConnected && this.#seen && !document.hidden && (this.#lists || !!this.sessions?.length);
    this.#list.watch(wanted ? this.#address : undefined);
  };

  get #address(): string | undefined {
    const src = this.src || SESSIONS;
    // Only what the gateway knows by key can be looked up in its list.
    if (this.sessions && !this.sessions.some((name) => sessionAddress(name, src) !== name)) return undefined;
    try {
      const url = new URL(src, document.baseURI);
      if (this.sessions && !url.searchParams.has('limit')) url.searchParams.set('limit', '1000');
      return url.href;
    } catch {
      return undefined;
    }
  }

  readonly #move = (event: ProgressMoveRequestEvent): void => {
    event.stopPropagation();
    const { session, by } = event;
    const order = [...this.#names()];
    const at = order.indexOf(session);
    const to = at + by;
    if (at < 0 || to < 0 || to >= order.length) return;
    order.splice(to, 0, ...order.splice(at, 1));
    this.#moved = { session, by };
    this.dispatchEvent(new ProgressMoveRequestEvent(session, by, order));
  };

  /** The focus stays with what was moved, and its new place is said. */
  #refocus(): void {
    if (!this.#moved) return;
    const { session, by } = this.#moved;
    const widgets = [...this.renderRoot.querySelectorAll<ProgressWidget>('progress-widget')];
    const at = widgets.findIndex((widget) => widget.session === session);
    const widget = widgets[at];
    this.#moved = undefined;
    if (widget) void this.#arrived(widget, by, String(at + 1), String(widgets.length));
  }

  async #arrived(widget: ProgressWidget, by: number, current: string, total: string): Promise<void> {
    await widget.updateComplete;
    widget.focusMove(by);
    const [{ speak }, { sentence }] = await Promise.all([import('../display/voice.ts'), import('../display/punctuation.ts')]);
    const language = this.#language;
    speak(sentence(tr('{current} of {total}', language, { current, total }), language), 'normal', (n) => tr('{n} more.', language, { n }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-board': ProgressBoard;
  }
}
