import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Operation } from '@sitrep/schema';
import type { FeedState } from '../display/feed.ts';
import { make } from '../display/make.ts';
import { icon, pillStyles } from '../display/pill.ts';
import { ProgressElement } from '../display/progress-element.ts';
import { namesAttribute, sessionAddress, SESSIONS } from '../display/session-name.ts';
import { look } from '../display/shown-state.ts';
import { lists } from '../display/lists.styles.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr } from '../display/tr.ts';
import { ProgressOpenRequestEvent } from '../events/progress-open-request.ts';
import type { WatchedSession } from '../page/watched.ts';
import { isInSight, isSpoken } from '../session/showing.ts';
import { Focus } from './focus.ts';
import type { News, Step } from './news.ts';
import { Place } from './place.ts';
import { styles } from './progress-toasts.styles.ts';
import { Slots } from './slots.ts';
import { Teller } from './teller.ts';
import { Watching } from './watching.ts';

export type { ProgressOpenRequestEvent };

const CLOSE = 'M4 4l8 8m0-8l-8 8';
/** Toasts shown before the reader asks for all. */
const SHOWN = 3;
/** Seconds a success stays. */
const STAY = 8;

const LOOKS = { attention: 'needs-you', failed: 'failed', done: 'done' } as const;

/**
 * Short notices for a reader who is elsewhere on the page, or in another tab: what a session needs, that it failed, that it is done. Each
 * session has one place, in which the newer notice stands. What is needed and what failed stays until it is dismissed or answered; a
 * success goes after a while, which stands still under the pointer, with the focus inside, and while the tab is hidden.
 *
 * Which sessions: the one of `src`, of the provider it names or stands in; those of `sessions`; and those handed to `watch`. Nothing is
 * told of a session whose card is in view, nor of what was there at first. The focus is never taken: `F8` goes to the notices, which are
 * a landmark of that name, and Escape dismisses one and goes back. It speaks by the one voice of the page, and leaves that to the cards
 * of the session where there are any.
 *
 * Everything outside of an open modal dialog is inert: meanwhile the notices stand in it, in an element of the same name that is added
 * at its end and goes with it.
 *
 * @tag progress-toasts
 * @summary Tells what ends or needs the reader while elsewhere on the page.
 *
 * @fires {ProgressOpenRequestEvent} progress-open-request - The reader asks to go to what a notice is about. A link is followed, and the notice
 *   dismissed, unless the page prevents it.
 *
 * @csspart stack - All notices, a popover in the corner of the page.
 * @csspart toast - One notice. Also has the part of its kind: `attention`, `failed`, `done`.
 * @csspart open - The link or button in it.
 * @csspart title - Title of the session.
 * @csspart body - What there is to tell.
 * @csspart dismiss - The button that takes it away.
 * @csspart more - The button that shows all.
 */
export class ProgressToasts extends ProgressElement {
  static override styles: CSSResultGroup = [tones, surfaces, lists, pillStyles, styles];

  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    sessions: namesAttribute,
    base: {},
    href: {},
    hotkey: {},
    stay: { type: Number },
  };

  /**
   * Further sessions to tell of: keys at `base`, or addresses. As an attribute divided by white space.
   * @attr
   */
  declare sessions: readonly string[] | null | undefined;

  /**
   * Address of the gateway's sessions, to which keys are added. Default: `/v1/sessions`.
   * @attr
   */
  declare base: string | undefined;

  /**
   * Address of the page of a session, with `{session}` where its key belongs: `/chats/{session}`. Absent, a notice is a button.
   * @attr
   */
  declare href: string | undefined;

  /**
   * The key that goes to the notices, as `KeyboardEvent.key` names it; empty for none. Default: `F8`.
   * @attr
   */
  declare hotkey: string | undefined;

  /**
   * Seconds a success stays; 0: until it is dismissed. Default: 8.
   * @attr
   */
  declare stay: number | undefined;

  readonly #slots = new Slots(() => this.requestUpdate());
  readonly #watching = new Watching(
    (step, session) => void this.#step(step, session),
    (session) => this.#drop(session),
  );
  readonly #teller = new Teller(() => this.language);
  /** What is about to be told, until it is known whether somebody sees it anyway; by session and sort. */
  readonly #due = new Map<string, News>();
  #box!: HTMLElement;
  #place!: Place;
  #focus!: Focus;
  /** Whose notices this one holds in a dialog. */
  #of: ProgressToasts | undefined;
  #all = false;
  #hovered = false;

  override connectedCallback(): void {
    if (this.#of) return;
    super.connectedCallback();
    document.addEventListener('keydown', this.#key);
    document.addEventListener('visibilitychange', this.#arrange);
    document.addEventListener('toggle', this.#toggled, true);
    document.addEventListener('focusin', this.#moved);
    if (this.hasUpdated) this.requestUpdate('sessions');
  }

  override disconnectedCallback(): void {
    // Whoever emptied the dialog did not mean the notices.
    if (this.#of) return this.#of.#place.settle();
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#key);
    document.removeEventListener('visibilitychange', this.#arrange);
    document.removeEventListener('toggle', this.#toggled, true);
    document.removeEventListener('focusin', this.#moved);
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#place.leave();
      this.#watching.clear();
      this.#slots.clear();
      this.#teller.stop();
      this.#due.clear();
    });
  }

  /** Tells of a session that the page itself reads, such as a store of the client, until the returned function is called. */
  watch(session: WatchedSession): () => void {
    const leave = session.subscribe((state) => this.#watching.take(session, state));
    return () => {
      leave();
      this.#watching.release(session);
    };
  }

  /** @internal */
  heard(state: FeedState): void {
    this.#watching.hear(this, state);
  }

  /** @internal */
  double(): HTMLElement {
    const double = this.cloneNode() as ProgressToasts;
    double.removeAttribute('id');
    double.#of = this;
    double.createRenderRoot();
    return double;
  }

  /** What is drawn lies in a box that can stand elsewhere. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    if (this.#of) return root;
    this.#box = make('div', '', 'box');
    this.#place = new Place(this, this.#box);
    this.#focus = new Focus(this.#box, this.#arrange);
    root.append(this.#box);
    this.renderOptions.renderBefore = null;
    return this.#box;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('sessions') || changed.has('base')) void this.#watching.follow(this.#addresses());
  }

  protected override render(): TemplateResult | typeof nothing {
    const all = this.#slots.all;
    if (all.length <= SHOWN) this.#all = false;
    const shown = this.#all ? all : all.slice(0, SHOWN);
    const more = all.length - shown.length;
    if (all.length === 0) return nothing;
    return html`<div
      part="stack"
      class="stack"
      popover="manual"
      role="region"
      aria-label=${tr('Notices', this.language)}
      @keydown=${this.#inside}
      @focusin=${this.#focus.note}
      @focusout=${this.#focus.note}
      @pointerenter=${this.#hover}
      @pointerleave=${this.#hover}
    >
      <ol
        class="list ${this.#all ? 'all' : ''}"
        role="list"
        tabindex=${this.#all ? '0' : nothing}
        aria-label=${this.#all ? tr('Notices', this.language) : nothing}
      >
        ${repeat(
          shown,
          ({ session, kind }) => `${kind} ${session}`,
          (toast) => this.#toast(toast),
        )}
      </ol>
      ${more > 0 ? html`<button part="more" class="more" type="button" @click=${this.#showAll}>${tr('Show {n} more', this.language, { n: more })}</button>` : nothing}
    </div>`;
  }

  protected override updated(): void {
    this.#place.settle();
    // What goes from under the pointer does not tell.
    if (!this.#box.querySelector('.stack')) this.#hovered = false;
    this.#arrange();
    this.#focus.keep();
  }

  #toast({ session, kind, operation, words }: News): TemplateResult {
    const { title, body } = words(this.language);
    const [path, tone] = look(LOOKS[kind]);
    const inner = html`${icon(path)}<bdi part="title" class="title">${title}</bdi><span part="body" class="body" dir="auto">${body}</span>`;
    const open = (event: Event): void => this.#open(event, session, operation);
    const href = this.href?.replaceAll('{session}', encodeURIComponent(session));
    return html`<li part="toast ${kind}" class="toast ${tone}" data-session=${session}>
      ${
        href
          ? html`<a part="open" class="open" href=${href} @click=${open}>${inner}</a>`
          : html`<button part="open" class="open" type="button" @click=${open}>${inner}</button>`
      }<button
        part="dismiss"
        class="dismiss"
        type="button"
        aria-label=${tr('{title}: {what}', this.language, { title, what: tr('Dismiss', this.language) })}
        @click=${() => this.#drop(session)}
      >
        ${icon(CLOSE)}
      </button>
    </li>`;
  }

  /** Where the sessions are read that are named. */
  #addresses(): ReadonlySet<string> {
    const addresses = new Set<string>();
    for (const name of this.sessions ?? []) {
      try {
        addresses.add(new URL(sessionAddress(name, this.base || SESSIONS), document.baseURI).href);
      } catch {
        // No address: there is nothing to tell of.
      }
    }
    return addresses;
  }

  async #step(step: Step, session: string): Promise<void> {
    if ('close' in step) {
      this.#due.delete(`attention ${session}`);
      return this.#empty(session, 'attention');
    }
    const { slot, kind } = step;
    const place = `${slot} ${session}`;
    const before = this.#due.get(place);
    const news = before?.alert ? { ...step, alert: true } : step;
    // What else is asked takes the place of what was answered; nobody is told of it anew.
    if (kind === 'attention' && !news.alert && !this.#slots.asks(session)) return;
    this.#due.set(place, news);
    const seen = await isInSight(session, this);
    // Something newer is under way, or it is over by now.
    if (this.#due.get(place) !== news) return;
    this.#due.delete(place);
    if (seen) return this.#empty(session, slot);
    const stay = this.stay ?? STAY;
    const shown = this.#slots.put(news, stay > 0 ? stay * 1000 : Infinity);
    // A failure is said also where what is asked stands before it.
    if (news.alert && (shown || kind === 'failed') && !isSpoken(session, this)) this.#teller.tell(news);
    this.requestUpdate();
  }

  #empty(session: string, slot: News['slot']): void {
    this.#slots.empty(session, slot);
    this.#teller.forget(session, slot);
    this.requestUpdate();
  }

  #open(event: Event, session: string, operation: Operation | undefined): void {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event as MouseEvent;
    if (this.href && (button !== 0 || metaKey || ctrlKey || shiftKey || altKey)) return;
    const request = new ProgressOpenRequestEvent(session, operation);
    if (this.dispatchEvent(request)) this.#drop(session);
    else event.preventDefault();
  }

  #drop(session: string): void {
    this.#slots.drop(session);
    this.#teller.forget(session);
    for (const slot of ['attention', 'status']) this.#due.delete(`${slot} ${session}`);
    this.requestUpdate();
  }

  readonly #showAll = (): void => {
    this.#all = true;
    this.requestUpdate();
    void this.updateComplete.then(() => this.#focus.toasts[SHOWN]?.querySelector<HTMLElement>('.open')?.focus());
  };

  readonly #arrange = (): void => {
    const visible = this.#focus.toasts.map(({ dataset }) => dataset['session']!);
    this.#slots.count(visible, !this.#hovered && !this.#focus.active && !document.hidden);
  };

  readonly #hover = (event: PointerEvent): void => {
    this.#hovered = event.type === 'pointerenter';
    this.#arrange();
  };

  /** The key that goes to the notices. */
  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== (this.hotkey ?? 'F8') || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (this.#focus.visit()) event.preventDefault();
  };

  readonly #inside = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const session = (event.target as Element).closest<HTMLElement>('.toast')?.dataset['session'];
    event.preventDefault();
    event.stopPropagation();
    if (session !== undefined) this.#drop(session);
    else this.#focus.leave();
  };

  /** The focus goes into a dialog when one opens, also into one that cannot be seen from here. */
  readonly #moved = (): void => {
    if (this.#focus.active) return;
    queueMicrotask(() => this.#place.settle());
  };

  /** What opens lies above what was there: the notices go above it again. */
  readonly #toggled = (event: Event): void => {
    const { localName, popover } = event.composedPath()[0] as HTMLElement;
    if ((localName !== 'dialog' && !popover) || event.composedPath().includes(this) || this.#focus.active) return;
    this.#place.settle();
    if ((event as ToggleEvent).newState === 'open') this.#place.raise();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-toasts': ProgressToasts;
  }
}
