import { ContextProvider } from '@lit/context';
import { css, html, LitElement, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import type { Source, Store } from '@sitrep/client';
import type { Connection } from '@sitrep/schema/select';
import { StoreFeed } from '../connect/store-feed.ts';
import { addressOf, CONNECTING, NO_SESSION } from '../session/address.ts';
import { sessionContext } from '../session/context.ts';
import type { SessionFeed } from '../display/feed.ts';
import { follow, languageOf } from '../display/language.ts';
import { tr } from '../display/tr.ts';
import { offer, withdraw } from '../session/named.ts';
import type { Banner } from './banner.ts';

/**
 * Hands one session to every element inside it, through Lit context, and to every element elsewhere that names it by its id
 * (`provider="…"`).
 *
 * Give it one of three: the address of a session (`src`), a source, or a store of your own. It draws nothing, unless what
 * it hands out is not up to date: then a banner lies on the edge of its content and takes no place (and says so if the code that
 * connects could not be loaded: the elements inside need it too). A store it made
 * itself is closed when it is taken out of the document; one that was handed over stays open.
 *
 * @tag progress-provider
 * @summary Holds one session for the elements inside it.
 *
 * @slot - The elements that show the session.
 * @slot banner - What to show, in place of the built-in banner, while the session is not up to date.
 *
 * @csspart problem - Why the code that connects is missing.
 * @csspart retry - The button that loads it again.
 * @csspart banner - The banner. Also has the part of what it tells: `reconnecting`, `lost`, `quiet`, `back`.
 * @csspart banner-retry - Its button that has a lost connection made again.
 */
export class ProgressProvider extends LitElement {
  static override styles: CSSResultGroup = css`
    :host {
      display: contents;
    }
  `;

  static override properties: PropertyDeclarations = {
    src: { type: String },
    banner: { type: String },
    source: { attribute: false },
    store: { attribute: false },
  };

  /**
   * Address of the session, for instance `/v1/sessions/demo`.
   * @attr
   */
  declare src: string | undefined;
  /**
   * How the banner is shown: on the edge of the content, without a place of its own; `inline` as a block before the content; `none` not
   * at all.
   * @attr
   */
  declare banner: 'inline' | 'none' | undefined;
  /** A source to read the session from. Goes before `src`. */
  declare source: Source | null | undefined;
  /** A store that already holds the session. Goes before `source` and `src`. */
  declare store: Store | null | undefined;

  /**
   * Loads the code that connects, with reducer and checks: as heavy as the elements, so it comes with the first provider.
   * @internal
   */
  static load = (): Promise<typeof import('../connect/install.ts')> => import('../connect/install.ts');

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'id', 'lang'];
  }

  readonly #provider = new ContextProvider(this, { context: sessionContext });
  #held: object | string | undefined;
  #feed: SessionFeed | undefined;
  /** The same, as it is handed out. */
  #given: SessionFeed | undefined;
  #close: (() => void) | undefined;
  /** Counts what was wanted, so that code that arrives late opens nothing that is wanted no more, or wanted anew. */
  #turn = 0;
  #failed = false;
  #connection: Connection | undefined;
  #banner: Banner | undefined;
  #loadingBanner = false;

  /** The session handed to the elements inside, as it stands; undefined when there is none. */
  get session(): ReturnType<SessionFeed['getSnapshot']>['session'] {
    return this.#feed?.getSnapshot().session;
  }

  /** Loads the session again. What is shown stays until the answer is there, and stays if there is none. */
  refresh(): void {
    this.#feed?.retry();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    this.#hold();
    offer(this, this.#given);
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'lang') this.requestUpdate();
    else if (name === 'id' && this.hasUpdated && this.isConnected) offer(this, this.#given);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#drop();
      follow(this);
      withdraw(this);
    });
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#hold();
  }

  protected override render(): TemplateResult {
    const banner = this.banner === 'none' ? undefined : this.#banner;
    if (!banner) this.#banner?.stop();
    return html`${this.#failed ? this.#problem() : nothing}${banner?.render(this.#connection, this.banner === 'inline') ?? nothing}<slot
      ></slot>`;
  }

  #problem(): TemplateResult {
    follow(this);
    const language = languageOf(this);
    return html`<p part="problem" role="alert">
      <bdi>${tr('The code that connects could not be loaded.', language)}</bdi>
      <button part="retry" type="button" @click=${() => this.#open()}>${tr('Try again', language)}</button>
    </p>`;
  }

  #hold(): void {
    if (!this.isConnected) return;
    const wanted = this.store ?? this.source ?? (this.src || undefined);
    if (wanted === this.#held) return;
    this.#drop();
    this.#held = wanted;
    if (wanted) void this.#open();
  }

  /** Hands over what is wanted, as soon as the code is there by which the elements inside can read it. */
  async #open(): Promise<void> {
    const turn = ++this.#turn;
    this.#fail(false);
    this.#hand(this.store ? new StoreFeed(this.store) : CONNECTING);
    const live = await ProgressProvider.load().catch(() => undefined);
    live?.installSessionSupport();
    if (turn !== this.#turn) return;
    this.#fail(live === undefined);
    if (live === undefined || this.store) return;
    if (this.source) {
      const { feed, close } = live.ownSession(this.source);
      this.#close = close;
      return this.#hand(feed);
    }
    const address = addressOf(this.src ?? '');
    this.#hand(address === undefined ? NO_SESSION : live.openSession(address));
  }

  #fail(failed: boolean): void {
    if (failed === this.#failed) return;
    this.#failed = failed;
    this.requestUpdate();
  }

  #hand(feed: SessionFeed | undefined): void {
    this.#feed = feed;
    this.#connection = undefined;
    this.#given = feed && this.#watched(feed);
    this.#provider.setValue(this.#given);
    if (this.isConnected) offer(this, this.#given);
  }

  /** Looks at the connection whenever somebody who reads the session is told of a change: the provider itself does not read it. */
  #watched(feed: SessionFeed): SessionFeed {
    return {
      getSnapshot: () => feed.getSnapshot(),
      retry: () => feed.retry(),
      revisions: () => feed.revisions?.() ?? [],
      history: () => feed.history?.() ?? { window: undefined, at: () => undefined },
      hold: () => feed.hold?.() ?? (() => {}),
      tells: () => this.banner !== 'none' && this.#loadingBanner,
      subscribe: (listener) => {
        const leave = feed.subscribe(() => {
          if (feed === this.#feed) this.#look(feed);
          listener();
        });
        this.#look(feed);
        return leave;
      },
    };
  }

  #look(feed: SessionFeed): void {
    const { session } = feed.getSnapshot();
    const connection = session?.loaded ? session.connection : undefined;
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (this.#banner) this.requestUpdate();
    else void this.#loadBanner();
  }

  /** Loads the banner while there is a connection to load it over. */
  async #loadBanner(): Promise<void> {
    if (this.#loadingBanner || this.banner === 'none') return;
    this.#loadingBanner = true;
    try {
      const { Banner } = await import('./banner.ts');
      this.#banner = new Banner(this, () => this.#feed?.retry());
      this.requestUpdate();
    } catch {
      this.#loadingBanner = false;
    }
  }

  #drop(): void {
    this.#turn++;
    this.#held = undefined;
    this.#hand(undefined);
    this.#banner?.stop();
    this.#close?.();
    this.#close = undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-provider': ProgressProvider;
  }
}
