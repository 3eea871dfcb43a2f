import { ContextProvider } from '@lit/context';
import { css, html, LitElement } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import type { Source, Store } from '@sitrep/client';
import { StoreFeed } from '../connect/store-feed.ts';
import { addressOf, CONNECTING, NO_CODE, NO_SESSION } from '../session/address.ts';
import { sessionContext } from '../session/context.ts';
import type { SessionFeed } from '../display/feed.ts';

/** The code that connects, the reducer and the checks with it: as heavy as the elements, so it comes with the first provider. */
const loadLive = () => import('../connect/install.ts');
type Live = Awaited<ReturnType<typeof loadLive>>;

/**
 * Hands one session to every element inside it, through Lit context.
 *
 * Give it one of three: the address of a session (`src`), a source, or a store of your own. It draws nothing. A store it
 * made itself is closed when it is taken out of the document; one that was handed over stays open.
 *
 * @tag progress-provider
 * @summary Holds one session for the elements inside it.
 *
 * @slot - The elements that show the session.
 */
export class ProgressProvider extends LitElement {
  static override styles: CSSResultGroup = css`
    :host {
      display: contents;
    }
  `;

  static override properties: PropertyDeclarations = {
    src: { type: String },
    source: { attribute: false },
    store: { attribute: false },
  };

  /**
   * Address of the session, for instance `/v1/sessions/demo`.
   * @attr
   */
  declare src: string | undefined;
  /** A source to read the session from. Goes before `src`. */
  declare source: Source | null | undefined;
  /** A store that already holds the session. Goes before `source` and `src`. */
  declare store: Store | null | undefined;

  readonly #provider = new ContextProvider(this, { context: sessionContext });
  #held: object | string | undefined;
  #feed: SessionFeed | undefined;
  #close: (() => void) | undefined;
  readonly #live: Promise<Live> = loadLive();

  /** The session handed to the elements inside, as it stands; undefined when there is none. */
  get session(): ReturnType<SessionFeed['getSnapshot']>['session'] {
    return this.#feed?.getSnapshot().session;
  }

  /** Loads the session again. What is shown stays until the answer is there, and stays if there is none. */
  refresh(): void {
    this.#feed?.retry();
  }

  constructor() {
    super();
    this.#live.then(
      (live) => live.installSessionSupport(),
      () => {},
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#hold();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (!this.isConnected) this.#drop();
    });
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#hold();
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`;
  }

  #hold(): void {
    if (!this.isConnected) return;
    const wanted = this.store ?? this.source ?? (this.src || undefined);
    if (wanted === this.#held) return;
    this.#drop();
    this.#held = wanted;
    if (this.store) this.#hand(new StoreFeed(this.store));
    else if (wanted) void this.#open(wanted);
  }

  /** Hands over a session as soon as the code for it is there, unless another is wanted by then. */
  async #open(wanted: object | string): Promise<void> {
    this.#hand(CONNECTING);
    const live = await this.#live.catch(() => undefined);
    if (this.#held !== wanted) return;
    if (live === undefined) return this.#hand(NO_CODE);
    if (typeof wanted !== 'string') {
      const { feed, close } = live.ownSession(wanted as Source);
      this.#close = close;
      return this.#hand(feed);
    }
    const address = addressOf(wanted);
    this.#hand(address === undefined ? NO_SESSION : live.openSession(address));
  }

  #hand(feed: SessionFeed | undefined): void {
    this.#feed = feed;
    this.#provider.setValue(feed);
  }

  #drop(): void {
    this.#held = undefined;
    this.#hand(undefined);
    this.#close?.();
    this.#close = undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-provider': ProgressProvider;
  }
}
