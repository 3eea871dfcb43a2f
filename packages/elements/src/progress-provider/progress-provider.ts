import { ContextProvider } from '@lit/context';
import { css, html, LitElement, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import type { Source, Store } from '@sitrep/client';
import { StoreFeed } from '../connect/store-feed.ts';
import { addressOf, CONNECTING, NO_SESSION } from '../session/address.ts';
import { sessionContext } from '../session/context.ts';
import type { SessionFeed } from '../display/feed.ts';

/**
 * Hands one session to every element inside it, through Lit context.
 *
 * Give it one of three: the address of a session (`src`), a source, or a store of your own. It draws nothing, unless the
 * code that connects could not be loaded: the elements inside need it too, so nobody else could say so. A store it made
 * itself is closed when it is taken out of the document; one that was handed over stays open.
 *
 * @tag progress-provider
 * @summary Holds one session for the elements inside it.
 *
 * @slot - The elements that show the session.
 *
 * @csspart problem - Why the code that connects is missing.
 * @csspart retry - The button that loads it again.
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

  /**
   * Loads the code that connects, with reducer and checks: as heavy as the elements, so it comes with the first provider.
   * @internal
   */
  static load = (): Promise<typeof import('../connect/install.ts')> => import('../connect/install.ts');

  readonly #provider = new ContextProvider(this, { context: sessionContext });
  #held: object | string | undefined;
  #feed: SessionFeed | undefined;
  #close: (() => void) | undefined;
  /** Counts what was wanted, so that code that arrives late opens nothing that is wanted no more, or wanted anew. */
  #turn = 0;
  #failed = false;

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
    const problem =
      this.#failed &&
      html`<p part="problem" role="alert">
        The code that connects could not be loaded.
        <button part="retry" @click=${() => this.#open()}>Try again</button>
      </p>`;
    return html`${problem || nothing}<slot></slot>`;
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
    this.#provider.setValue(feed);
  }

  #drop(): void {
    this.#turn++;
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
