import { LitElement } from 'lit';
import type { PropertyDeclarations } from 'lit';
import { ClockController } from './clock.ts';
import type { FeedState } from './feed.ts';
import { nextBeat, nextFrame } from './frame.ts';
import { SessionController } from './session-controller.ts';
import { warnOnce } from './warn-once.ts';

/** What the three drawing elements share: one render per frame, the session they show, the clock and custom states. */
export abstract class ProgressElement extends LitElement {
  static override properties: PropertyDeclarations = {
    src: { type: String },
  };

  /**
   * Address of the session to show, for instance `/v1/sessions/demo`. Its live stream is expected at the same address
   * with `/stream` behind it. Elements with the same address share one connection.
   * @attr
   */
  declare src: string | undefined;

  /** @internal */
  protected readonly session: SessionController;
  /** @internal */
  protected readonly clock: ClockController;
  readonly #internals: ElementInternals | undefined;
  #outOfSight = false;
  #states: readonly string[] = [];

  constructor() {
    super();
    this.session = new SessionController(
      this,
      () => this.src,
      (state) => this.feedChanged(state),
    );
    this.clock = new ClockController(this);
    try {
      this.#internals = this.attachInternals();
    } catch {
      this.#internals = undefined;
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('contentvisibilityautostatechange', this.#onSight);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('contentvisibilityautostatechange', this.#onSight);
    this.#outOfSight = false;
  }

  /** Called with every new state of the session, before and independent of rendering. */
  protected feedChanged(_state: FeedState): void {}

  /** Renders once per frame at most, and about once a second while scrolled out of sight. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated) await (this.#outOfSight ? nextBeat() : nextFrame());
    super.scheduleUpdate();
  }

  /** Sets the element's custom states, for `:state(…)` in the page's styles. */
  protected showStates(...states: readonly (string | false | undefined)[]): void {
    const next = states.filter((state) => typeof state === 'string');
    const set = this.#internals?.states;
    if (!set) return;
    for (const state of this.#states) if (!next.includes(state)) set.delete(state);
    for (const state of next) {
      try {
        set.add(state);
      } catch {
        return; // an engine that knows only the older dashed form
      }
    }
    this.#states = next;
  }

  /** The value if it is a record. Anything else, such as the text of an attribute, is reported and not drawn. */
  protected record<T extends object>(name: string, value: T | null | undefined): T | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') return value;
    warnOnce(`<${this.localName}>.${name} must be an object, not text. Set it as a property; attributes carry text only.`);
    return undefined;
  }

  readonly #onSight = (event: Event): void => {
    if (event.target === this) this.#outOfSight = (event as Event & { readonly skipped?: boolean }).skipped === true;
  };
}
