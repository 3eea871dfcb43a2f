import { LitElement } from 'lit';
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { ClockController } from './clock.ts';
import type { FeedState } from './feed.ts';
import { nextFrame } from './frame.ts';
import { linkSession, loadSessions, unlinkSession } from './session-link.ts';
import type { SessionLink } from './session-link.ts';
import { warnOnce } from './warn-once.ts';

/** What the three drawing elements share: one render per frame, the session they show, the clock and custom states. */
export abstract class ProgressElement extends LitElement {
  static override properties: PropertyDeclarations = { src: {} };

  /**
   * Address of the session to show, for instance `/v1/sessions/demo`. Its live stream is expected at the same address
   * with `/stream` behind it. Elements with the same address share one connection.
   * @attr
   */
  declare src: string | undefined;

  protected readonly clock: ClockController = new ClockController(this);
  protected link: SessionLink | undefined;
  #failure: string | undefined;
  #internals: ElementInternals | undefined;
  #states: readonly unknown[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#link();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unlinkSession(this);
  }

  /** @internal */
  feedChanged(_state: FeedState): boolean {
    return true;
  }

  /** False for an element that was handed everything it draws, and so looks for no session. */
  protected get wantsSession(): boolean {
    return true;
  }

  /** Where the session stands that this element shows; undefined when it shows none. */
  protected get feed(): FeedState | undefined {
    return this.link?.state ?? (this.src ? { session: undefined, error: this.#failure } : undefined);
  }

  /** Loads the session again, or the code for it. */
  protected reload(): void {
    this.#failure = undefined;
    this.link?.retry();
    this.requestUpdate('src');
  }

  /** Renders once per frame at most. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await this.turn();
    super.scheduleUpdate();
  }

  /** When the next render may happen. */
  protected turn(): Promise<void> {
    return nextFrame();
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.#link();
    if (this.link || !this.src || !changed.has('src')) return;
    loadSessions().catch((cause: unknown) => {
      this.#failure = (cause as Error).message;
      warnOnce(`<${this.localName} src>: ${this.#failure} Import its define module, or put it inside a <progress-provider>.`);
      this.requestUpdate();
    });
  }

  #link(): void {
    if (this.isConnected && this.wantsSession) this.link ??= linkSession(this);
  }

  /** Sets the element's custom states, for `:state(…)` in the page's styles. */
  protected showStates(...states: readonly unknown[]): void {
    if (states.every((state, index) => state === this.#states[index])) return;
    try {
      const set = (this.#internals ??= this.attachInternals()).states;
      for (const state of this.#states) if (!states.includes(state)) set.delete(state as string);
      for (const state of states) if (state) set.add(state as string);
    } catch {
      // An engine without custom states, or with only their older dashed form: the looks inside do not depend on them.
    }
    this.#states = states;
  }

  /** The value if it is a record. Anything else, such as the text of an attribute, is reported and not drawn. */
  protected record<T extends object>(name: string, value: T | null | undefined): T | undefined {
    if (typeof value === 'object' && value) return value;
    if (value) warnOnce(`<${this.localName}>.${name} must be an object, not text. Set it as a property; attributes carry text only.`);
    return undefined;
  }
}
