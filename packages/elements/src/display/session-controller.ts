import { ContextEvent } from '@lit/context';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { currentConnector, sessionContext } from './feed.ts';
import type { FeedState, SessionFeed } from './feed.ts';
import { warnOnce } from './warn-once.ts';

type Host = ReactiveControllerHost & HTMLElement;

/**
 * Finds the session an element shows (its own `src`, or the provider around it) and keeps one subscription to it. A move
 * within the document keeps the subscription; a removal ends it.
 */
export class SessionController implements ReactiveController {
  readonly #host: Host;
  readonly #src: () => string | undefined;
  readonly #changed: (state: FeedState) => void;
  #wanted: string | undefined;
  #feed: SessionFeed | undefined;
  #provided: SessionFeed | undefined;
  #leaveProvider: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #failure: FeedState | undefined;

  /** `src` answers the element's own address; `changed` is told of every new state before the element renders. */
  constructor(host: Host, src: () => string | undefined, changed: (state: FeedState) => void = () => {}) {
    this.#host = host;
    this.#src = src;
    this.#changed = changed;
    host.addController(this);
  }

  /** Where the session stands, or undefined when the element has none to show. */
  get state(): FeedState | undefined {
    return this.#feed?.getSnapshot() ?? this.#failure ?? (this.#wanted === undefined ? undefined : LOADING);
  }

  /** Loads the session again. */
  retry(): void {
    if (this.#feed) this.#feed.retry();
    else this.#wanted = undefined;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#request();
    document.addEventListener('context-provider', this.#request);
    this.#follow();
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    document.removeEventListener('context-provider', this.#request);
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#leave();
      this.#use(undefined);
      this.#wanted = undefined;
    });
  }

  hostUpdate(): void {
    if (this.#host.isConnected) this.#follow();
  }

  /** Asks the elements around the host for a session; a provider that is defined later announces itself. */
  readonly #request = (): void => {
    let answered = false;
    this.#host.dispatchEvent(
      new ContextEvent(
        sessionContext,
        this.#host,
        (feed, leave) => {
          answered = true;
          if (this.#leaveProvider !== leave) this.#leaveProvider?.();
          this.#leaveProvider = leave;
          this.#provided = feed;
          this.#follow();
        },
        true,
      ),
    );
    if (!answered && this.#leaveProvider) this.#leave();
  };

  #leave(): void {
    this.#leaveProvider?.();
    this.#leaveProvider = undefined;
    this.#provided = undefined;
    this.#follow();
  }

  #follow(): void {
    const src = this.#src();
    if (!src) {
      this.#wanted = undefined;
      this.#failure = undefined;
      if (this.#feed !== this.#provided) this.#use(this.#provided);
      return;
    }
    if (src === this.#wanted) return;
    this.#wanted = src;
    this.#failure = undefined;
    this.#use(undefined);
    const connect = currentConnector();
    if (!connect) {
      this.#fail('This element was registered without a connector.');
      warnOnce(`<${this.#host.localName} src> needs a connector: import the define module of the element, or put it inside a <progress-provider>.`);
      return;
    }
    connect(new URL(src, document.baseURI).href).then(
      (feed) => {
        if (this.#wanted === src) this.#use(feed);
      },
      () => {
        if (this.#wanted === src) this.#fail('The code that connects could not be loaded.');
      },
    );
  }

  #fail(error: string): void {
    this.#failure = { session: undefined, error };
    this.#host.requestUpdate();
  }

  #use(feed: SessionFeed | undefined): void {
    if (this.#feed === feed) return;
    this.#unsubscribe?.();
    this.#feed = feed;
    this.#unsubscribe = feed?.subscribe(() => {
      this.#changed(feed.getSnapshot());
      this.#host.requestUpdate();
    });
    if (feed) this.#changed(feed.getSnapshot());
    this.#host.requestUpdate();
  }
}

const LOADING: FeedState = { session: undefined, error: undefined };
