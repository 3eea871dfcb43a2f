import { LitElement } from 'lit';
import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { Language } from '@sitrep/schema/select';
import { every } from './clock.ts';
import type { FeedState } from './feed.ts';
import { beat, nextFrame } from './frame.ts';
import { follow, languageOf } from './language.ts';
import { afterDrawing } from './part.ts';
import type { Part } from './part.ts';
import { scope } from './scope.ts';
import { sessions } from './session-link.ts';
import type { SessionLink } from './session-link.ts';
import { look } from './shown-state.ts';
import type { ShownState } from './shown-state.ts';
import { warnOnce } from './warn-once.ts';

/** How long a render waits for a part that it needs, milliseconds. Then it does without, and the part is drawn when it comes. */
const PATIENCE = 1000;

/** Lets nothing go that has begun. */
const begun = (): void => {};

/** A property that is no attribute. */
export const property = { attribute: false };

/** What the three drawing elements share: one render per frame, the session they show, the clock and custom states. */
export abstract class ProgressElement extends LitElement {
  static override properties: PropertyDeclarations = { src: {}, provider: {} };

  /**
   * Address of the session to show, for instance `/v1/sessions/demo`. Its live stream is expected at the same address
   * with `/stream` behind it. Elements with the same address share one connection.
   * @attr
   */
  declare src: string | undefined;

  /**
   * The id of a `<progress-provider>` anywhere in the page whose session to show, looked up in the element's own shadow root first and
   * then outwards. It may come later, go, and come back. `src` goes before it, and it before the provider around the element.
   * @attr
   */
  declare provider: string | undefined;

  /**
   * What it speaks: the nearest `lang` around it decides.
   * @internal
   */
  language: Language = { locale: 'en' };
  protected link: SessionLink | undefined;
  #internals: ElementInternals | undefined;
  #state: ShownState | undefined;
  #open: boolean | undefined;
  #other = '';

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang'];
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'lang') this.requestUpdate(name);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What let the first update go is of no use any more, and each element would keep its own.
    this.enableUpdating = begun;
    follow(this);
    this.#attach();
    if (this.hasUpdated) this.requestUpdate('isConnected');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    follow(this);
    sessions.waiting.delete(this);
    every(0, this);
  }

  /** False for an element that was handed everything it draws, and so looks for no session. */
  protected get wantsSession(): boolean {
    return true;
  }

  /** Where the session stands that this element shows; undefined when it shows none. */
  protected get feed(): FeedState | undefined {
    return this.link?.state ?? (this.src || this.provider ? { session: undefined, error: sessions.error } : undefined);
  }

  /** Loads the session again, or the code for it. */
  protected reload(): void {
    sessions.error = undefined;
    this.link?.retry();
    this.requestUpdate('src');
  }

  /** Where what had the focus goes or is hidden, the focus stays in the element: on the button that opens it. */
  protected override performUpdate(): void {
    const before = this.shadowRoot?.activeElement;
    super.performUpdate();
    if (before && (!before.isConnected || before.closest('[hidden]'))) this.shadowRoot!.querySelector<HTMLElement>('.toggle')?.focus();
  }

  /** What a server drew is drawn anew, where nobody takes it over. */
  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    this.shadowRoot?.replaceChildren();
    scope(this);
    return super.createRenderRoot();
  }

  /** Renders once per frame at most, and when what it needs is there. */
  protected override async scheduleUpdate(): Promise<void> {
    // Who is handed nothing yet may be in a moment: with nothing on the page there is nothing to hurry for.
    if (this.hasUpdated || this.isBare) await this.turn();
    // What it shows says what it needs, and that may have become more while it waited.
    this.#attach();
    const asked = new Set<Part<unknown>>();
    for (let late = false; !late;) {
      const missing = this.needs().filter((one): one is Part<unknown> => !!one && !one.here && !asked.has(one));
      if (missing.length === 0) break;
      const coming = Promise.all(missing.map((one) => (asked.add(one), one.come())));
      void coming.then(() => this.requestUpdate('needs'));
      late = await Promise.race([coming.then(() => false), beat(PATIENCE).then(() => true)]);
    }
    super.scheduleUpdate();
    afterDrawing();
  }

  /** True while it has nothing to draw, and does not look for anything. */
  protected get isBare(): boolean {
    return false;
  }

  /** The parts that the next render needs. */
  protected needs(): readonly (Part<unknown> | false | undefined)[] {
    return [];
  }

  /** When the next render may happen. */
  protected turn(): Promise<void> {
    return nextFrame();
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.language = languageOf(this);
    if (this.link || !this.src || !changed.has('src')) return;
    sessions.load().catch(() => {
      sessions.error = 'The code that connects could not be loaded.';
      warnOnce(`<${this.localName} src>: ${sessions.error} Import its define module.`);
      this.requestUpdate();
    });
  }

  /**
   * Shows the session that another element has found.
   * @internal
   */
  borrow(link: SessionLink): void {
    this.link = link;
    this.requestUpdate();
  }

  #attach(): void {
    if (!this.isConnected || !this.wantsSession || this.link) return;
    if (sessions.attach) this.link = sessions.attach(this);
    else sessions.waiting.add(this);
  }

  /** Says how often the element needs the time, in seconds, and offers its states to the page's styles as `:state(…)`. */
  protected stand(pace: number, state: ShownState | undefined, open?: boolean, ...others: (string | undefined)[]): void {
    every(this.isConnected ? pace : 0, this);
    const other = others.join();
    if (this.#state === state && this.#open === open && this.#other === other) return;
    this.#state = state;
    this.#open = open;
    this.#other = other;
    const states = [state, state && look(state)[1] === 'accent' && 'moving', open && 'open', ...others];
    try {
      const set = (this.#internals ??= this.attachInternals()).states;
      set.clear();
      for (const one of states) if (one) set.add(one);
    } catch {
      // An engine with only the older, dashed form of custom states: the looks inside do not depend on them.
    }
  }

  /** The value if it is a record. Anything else, such as the text of an attribute, is reported and not drawn. */
  protected record<T extends object>(name: string, value: T | null | undefined): T | undefined {
    if (typeof value === 'object') return value ?? undefined;
    if (value) warnOnce(`<${this.localName}>.${name} must be an object, by property.`);
    return undefined;
  }
}
