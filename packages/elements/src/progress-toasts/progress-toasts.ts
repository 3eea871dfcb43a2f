import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Operation } from '@sitrep/schema';
import { focused, holds } from '../display/composed.ts';
import type { FeedState, SessionState } from '../display/feed.ts';
import { icon, pillStyles } from '../display/pill.ts';
import { ProgressElement } from '../display/progress-element.ts';
import { namesAttribute, sessionAddress, SESSIONS } from '../display/session-name.ts';
import { sessions } from '../display/session-link.ts';
import { look } from '../display/shown-state.ts';
import { lists } from '../display/lists.styles.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr } from '../display/tr.ts';
import { prepareVoice, speak } from '../display/voice.ts';
import { ProgressOpenRequestEvent } from '../events/progress-open-request.ts';
import type { WatchedSession } from '../page/watched.ts';
import { isInSight, isSpoken } from '../session/showing.ts';
import { Reporter } from './news.ts';
import type { News, Step } from './news.ts';
import { styles } from './progress-toasts.styles.ts';
import { Slots } from './slots.ts';

export type { ProgressOpenRequestEvent };

const CLOSE = 'M4 4l8 8m0-8l-8 8';
/** Toasts shown before the reader asks for all. */
const SHOWN = 3;
/** Seconds a success stays. */
const STAY = 8;
/** Time in which a session is spoken of once, milliseconds: what follows takes the place of what is there without a sound. */
const QUIET = 5_000;

const LOOKS = { attention: 'needs-you', failed: 'failed', done: 'done' } as const;

/**
 * Short notices for a reader who is elsewhere on the page, or in another tab: what a session needs, that it failed, that it is done. Each
 * session has one place, in which the newer notice stands. What is needed and what failed stays until it is dismissed or answered; a
 * success goes after a while, which stands still under the pointer, with the focus inside and while the tab is hidden, and which does not
 * end while a modal dialog keeps the reader from it.
 *
 * Which sessions: the one of `src`, of the provider it names or stands in; those of `sessions`; and those handed to `watch`. Nothing is
 * told of a session whose card is in view, nor of what was there at first. The focus is never taken: `F8` goes to the notices, which are
 * a landmark of that name, and Escape dismisses one and goes back. It speaks by the one voice of the page, and leaves that to the cards
 * of the session where there are any.
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

  readonly #slots = new Slots(
    () => this.requestUpdate(),
    (session) => this.#isUsable(session),
  );
  readonly #news = new Map<object, Reporter>();
  readonly #watched = new Map<string, () => void>();
  /** Sessions that were spoken of a moment ago. */
  readonly #spoken = new Map<string, number>();
  /** Where each session stands now. */
  readonly #newest = new Map<string, SessionState>();
  /** Counts changes of what is followed: what was on its way when the next came is not followed any more. */
  #following = 0;
  #own: string | undefined;
  #all = false;
  #hovered = false;
  #back: HTMLElement | undefined;
  /** The notice with the focus, by its session and its place in the row. */
  #focused: { readonly session: string; readonly at: number } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#key);
    document.addEventListener('visibilitychange', this.#arrange);
    document.addEventListener('toggle', this.#toggled, true);
    if (this.hasUpdated) this.requestUpdate('sessions');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#key);
    document.removeEventListener('visibilitychange', this.#arrange);
    document.removeEventListener('toggle', this.#toggled, true);
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#slots.clear();
      this.#following++;
      for (const leave of this.#watched.values()) leave();
      this.#watched.clear();
      this.#news.clear();
      this.#newest.clear();
      this.#spoken.clear();
    });
  }

  /** Tells of a session that the page itself reads, such as a store of the client, until the returned function is called. */
  watch(session: WatchedSession): () => void {
    const news = new Reporter();
    let key: string | undefined;
    const leave = session.subscribe((state) => {
      key = state.session;
      this.#take(news, state);
    });
    return () => {
      leave();
      if (key !== undefined) this.#forget(key);
    };
  }

  /** @internal */
  heard(state: FeedState): void {
    this.#heard(this, state);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('sessions') || changed.has('base')) void this.#follow();
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
      @focusin=${this.#focus}
      @focusout=${this.#focus}
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
    const stack = this.#stack;
    if (stack && !stack.matches(':popover-open')) raise(stack);
    this.#arrange();
    this.#keepFocus();
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

  /** Reads the sessions that are named, and no others. */
  async #follow(): Promise<void> {
    const following = ++this.#following;
    const wanted = new Set<string>();
    for (const name of this.sessions ?? []) {
      try {
        wanted.add(new URL(sessionAddress(name, this.base || SESSIONS), document.baseURI).href);
      } catch {
        // No address: there is nothing to tell of.
      }
    }
    for (const [address, leave] of this.#watched) {
      if (wanted.has(address)) continue;
      leave();
      this.#watched.delete(address);
    }
    if (wanted.size === 0) return;
    if (!sessions.open) await sessions.load().catch(() => undefined);
    if (!sessions.open || !this.isConnected || following !== this.#following) return;
    for (const address of wanted) {
      if (this.#watched.has(address)) continue;
      const feed = sessions.open(address);
      const who = {};
      const take = (): void => this.#heard(who, feed.getSnapshot());
      const leave = feed.subscribe(take);
      this.#watched.set(address, () => {
        leave();
        this.#news.delete(who);
        const key = feed.getSnapshot().session?.session;
        if (key) this.#forget(key);
      });
      take();
    }
  }

  /** What a feed says; of what the reader may not read any more nothing is left. */
  #heard(who: object, { session, denied }: FeedState): void {
    const news = this.#news.get(who) ?? new Reporter();
    this.#news.set(who, news);
    if (who === this && session?.loaded) this.#own = session.session;
    if (denied && who === this && this.#own) this.#drop(this.#own);
    if (session) this.#take(news, session);
  }

  #take(news: Reporter, session: SessionState): void {
    if (session.loaded) this.#newest.set(session.session, session);
    for (const step of news.take(session)) void this.#step(step, session.session);
  }

  async #step(step: Step, session: string): Promise<void> {
    if ('close' in step) {
      if (this.#slots.answered(session)) this.requestUpdate();
      return;
    }
    const { kind, operation, alert } = step;
    // What else is asked takes the place of what was answered; nobody is told of it anew.
    if (kind === 'attention' && !alert && !this.#slots.asks(session)) return;
    const seen = await isInSight(session, this);
    if (seen || !this.isConnected || (kind === 'attention' && !this.#isAsked(session, operation))) return;
    const stay = this.stay ?? STAY;
    if (this.#slots.put(step, stay > 0 ? stay * 1000 : Infinity) && alert) this.#say(step);
    this.requestUpdate();
  }

  /** Whether what was asked a moment ago still is. */
  #isAsked(session: string, operation: Operation | undefined): boolean {
    const now = this.#newest.get(session);
    const found = now?.operations.find(({ id, run }) => id === operation?.id && run === operation?.run);
    return !now || found?.state === 'blocked';
  }

  #say({ session, kind, words }: News): void {
    const now = performance.now();
    if (isSpoken(session, this) || now - (this.#spoken.get(session) ?? -Infinity) < QUIET) return;
    this.#spoken.set(session, now);
    prepareVoice();
    const { title, body } = words(this.language);
    const sentence = tr('{title}: {what}', this.language, { title, what: body });
    speak(/[.!?…。।]$/.test(sentence) ? sentence : `${sentence}.`, kind === 'failed' ? 'high' : 'normal', (n) =>
      tr('{n} more.', this.language, { n }),
    );
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
    this.requestUpdate();
  }

  /** Nothing is told of this session any more, and nothing of it is kept. */
  #forget(session: string): void {
    this.#newest.delete(session);
    this.#spoken.delete(session);
    this.#drop(session);
  }

  readonly #showAll = (): void => {
    this.#all = true;
    this.requestUpdate();
    void this.updateComplete.then(() => this.#toasts[SHOWN]?.querySelector<HTMLElement>('.open')?.focus());
  };

  get #stack(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.stack');
  }

  get #toasts(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.toast')];
  }

  get #active(): Element | null {
    return (this.renderRoot as ShadowRoot).activeElement;
  }

  readonly #arrange = (): void => {
    const visible = this.#toasts.map(({ dataset }) => dataset['session']!);
    this.#slots.count(visible, !this.#hovered && !this.#active && !document.hidden);
  };

  /** False while a modal dialog keeps the reader from a notice: it is seen, and cannot be used. */
  #isUsable(session: string): boolean {
    const toast = this.#toasts.find(({ dataset }) => dataset['session'] === session);
    if (!toast) return true;
    const { left, top, width, height } = toast.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return !hit || holds(hit, this);
  }

  readonly #hover = (event: PointerEvent): void => {
    this.#hovered = event.type === 'pointerenter';
    this.#arrange();
  };

  /** Notes where the focus is, so that it does not get lost with the notice it is on. */
  readonly #focus = (event: FocusEvent): void => {
    const toast = (event.type === 'focusin' ? event.target : event.relatedTarget) as Element | null;
    const at = this.#toasts.findIndex((one) => one.contains(toast));
    if (event.type === 'focusin') {
      this.#focused = at < 0 ? undefined : { session: this.#toasts[at]!.dataset['session']!, at };
      // Whoever came by the key goes back where they were; whoever tabbed or clicked, too.
      const from = event.relatedTarget;
      if (from instanceof HTMLElement && !this.renderRoot.contains(from)) this.#back ??= from;
    }
    const left = event.type === 'focusout' ? (event.target as Element) : undefined;
    queueMicrotask(() => {
      // It went by itself, and not with the notice it was on.
      if (left?.isConnected && !this.#active) this.#focused = this.#back = undefined;
      this.#arrange();
    });
  };

  /** The notice with the focus went: the next one has it, or whatever had it before. */
  #keepFocus(): void {
    const { session, at } = this.#focused ?? {};
    if (session === undefined || this.#active) return;
    const toasts = this.#toasts;
    const next = toasts.find(({ dataset }) => dataset['session'] === session) ?? toasts[Math.min(at!, toasts.length - 1)];
    if (next) next.querySelector<HTMLElement>('.open')!.focus();
    else this.#leave();
  }

  #leave(): void {
    this.#focused = undefined;
    if (this.#back?.isConnected) this.#back.focus();
    this.#back = undefined;
  }

  /** The key that goes to the notices. */
  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== (this.hotkey ?? 'F8') || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const first = this.renderRoot.querySelector<HTMLElement>('.open');
    if (!first) return;
    event.preventDefault();
    if (this.#active) return this.#leave();
    const active = focused();
    this.#back = active instanceof HTMLElement && active !== document.body ? active : undefined;
    first.focus();
  };

  readonly #inside = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const session = (event.target as Element).closest<HTMLElement>('.toast')?.dataset['session'];
    event.preventDefault();
    event.stopPropagation();
    if (session !== undefined) this.#drop(session);
    else this.#leave();
  };

  /** A dialog that opens lies above what was there: the notices go above it again. */
  readonly #toggled = (event: Event): void => {
    const stack = this.#stack;
    const { localName, popover } = event.composedPath()[0] as HTMLElement;
    if (localName !== 'dialog' && !popover) return;
    if ((event as ToggleEvent).newState !== 'open' || event.composedPath().includes(this) || !stack || this.#active) return;
    raise(stack);
  };
}

/** Puts a popover on top of everything that lies in the top layer. */
function raise(stack: HTMLElement): void {
  try {
    if (stack.matches(':popover-open')) stack.hidePopover();
    stack.showPopover();
  } catch {
    // Without popovers it is fixed in its corner, above everything but dialogs.
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-toasts': ProgressToasts;
  }
}
