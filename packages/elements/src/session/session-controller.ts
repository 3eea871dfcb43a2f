import { ContextEvent } from '@lit/context';
import type { ReactiveController } from 'lit';
import type { CardRecord } from '@sitrep/schema';
import type { FeedHistory, FeedState, SessionFeed } from '../display/feed.ts';
import type { SessionHost, SessionLink, ShownOperation } from '../display/session-link.ts';
import { hasEnded } from '../display/shown-state.ts';
import { addressOf, NO_SESSION } from './address.ts';
import { named, seek } from './named.ts';
import { hide, show } from './showing.ts';
import { sessionContext } from './context.ts';
import { finding } from './finding.ts';

/** How long what was shown before a rest stays in place of a connection that is being made, milliseconds. */
const GRACE = 3_000;
const LOADING: FeedState = { session: undefined, error: undefined };

/**
 * Finds the session an element shows (its own `src`, the provider it names, or the provider around it) and keeps one subscription to
 * it. A move within the document keeps the subscription; a removal ends it.
 */
export class SessionController implements ReactiveController, SessionLink {
  readonly #host: SessionHost;
  readonly #open: (address: string) => SessionFeed;
  #opened: string | undefined;
  #feed: SessionFeed | undefined;
  #provided: SessionFeed | undefined;
  #leaveProvider: (() => void) | undefined;
  #leaveNames: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #drawn: readonly unknown[] = [];
  #resting = false;
  /** What was shown when the rest began, until something newer is there. */
  #kept: FeedState | undefined;
  #letGo: (() => void) | undefined;

  /** `open` answers the session at an absolute address. */
  constructor(host: SessionHost, open: (address: string) => SessionFeed) {
    this.#host = host;
    this.#open = open;
    host.addController(this);
  }

  get state(): FeedState | undefined {
    const now = this.#feed?.getSnapshot() ?? (this.#host.src ? LOADING : undefined);
    if (this.#kept && !this.#resting && !isComing(now)) this.#kept = undefined;
    return this.#kept ?? now;
  }

  get told(): boolean | undefined {
    return !!this.#feed && this.#feed === this.#provided && this.#feed.tells?.();
  }

  get history(): FeedHistory | undefined {
    return this.#feed?.history?.();
  }

  find(): ShownOperation | undefined {
    return this.state && finding.here?.findShown(this.#host, this.state);
  }

  get revisions(): (() => readonly CardRecord[]) | undefined {
    const feed = this.#feed;
    return feed?.revisions && (() => feed.revisions!());
  }

  retry(): void {
    this.#feed?.retry();
  }

  hostConnected(): void {
    show(this.#host, () => this.state?.session?.session);
    this.#request();
    document.addEventListener('context-provider', this.#request);
    this.#follow();
  }

  hostDisconnected(): void {
    hide(this.#host);
    document.removeEventListener('context-provider', this.#request);
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#leave();
      this.#seek(false);
      this.#use(undefined);
      this.#opened = undefined;
      this.#resting = false;
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
    if (!answered) this.#leave();
  };

  #leave(): void {
    this.#leaveProvider?.();
    this.#leaveProvider = undefined;
    this.#provided = undefined;
  }

  #follow(): void {
    const { src, provider, resting } = this.#host;
    if (resting) return this.#rest();
    if (this.#resting) this.#wake();
    this.#seek(!src && !!provider);
    if (!src) {
      this.#opened = undefined;
      this.#use(provider ? named(this.#host, provider) : this.#provided);
      return;
    }
    if (src === this.#opened) return;
    this.#opened = src;
    const address = addressOf(src);
    this.#use(address === undefined ? NO_SESSION : this.#open(address));
  }

  /** Goes by the name of a provider, which may come, go and be another one, or does not. */
  #seek(byName: boolean): void {
    if (!byName) this.#leaveNames?.();
    this.#leaveNames = byName ? (this.#leaveNames ?? seek(() => this.#follow())) : undefined;
  }

  #use(feed: SessionFeed | undefined): void {
    if (this.#feed === feed) return;
    this.#kept = undefined;
    this.#release();
    this.#unsubscribe?.();
    this.#feed = feed;
    this.#unsubscribe = feed?.subscribe(() => this.#changed(feed));
    if (feed) this.#changed(feed);
    else this.#host.requestUpdate();
  }

  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    this.#kept = this.#feed && this.state;
    this.#letGo = this.#feed?.hold?.();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #wake(): void {
    this.#resting = false;
    const feed = this.#feed;
    if (!feed) return;
    this.#unsubscribe ??= feed.subscribe(() => this.#changed(feed));
    this.#release();
    this.#host.requestUpdate();
    setTimeout(() => {
      if (this.#resting || !this.#kept) return;
      this.#kept = undefined;
      this.#host.requestUpdate();
    }, GRACE);
  }

  #release(): void {
    this.#letGo?.();
    this.#letGo = undefined;
  }

  /** An element that stands for one operation hears only of what it draws. */
  #changed(feed: SessionFeed): void {
    const { session, error } = feed.getSnapshot();
    this.#host.heard?.({ session, error });
    if (this.#host.operationId !== undefined && session && !this.#host.followsAll) {
      const found = this.find();
      const child = found?.nested.findLast((node) => !hasEnded(node.operation))?.operation;
      const next = [found?.operation, child, found?.view.run, session.connection, session.loaded, error];
      if (next.every((value, index) => value === this.#drawn[index])) return;
      this.#drawn = next;
    }
    this.#host.requestUpdate();
  }
}

/** True while what is shown is about to come, or to come back. */
function isComing(state: FeedState | undefined): boolean {
  if (!state || state.error || state.denied) return false;
  const connection = state.session?.loaded ? state.session.connection.state : 'connecting';
  return connection === 'connecting' || connection === 'reconnecting';
}
