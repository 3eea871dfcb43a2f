import { every } from '../display/clock.ts';
import { languageOf } from '../display/language.ts';
import { showBadge } from './badge.ts';
import { FaviconSignal } from './favicon.ts';
import { NotificationSignal } from './notifications.ts';
import { isOver, pageState } from './page-state.ts';
import { TitleSignal } from './title.ts';
import type { WatchedSession } from './watched.ts';

export type { WatchedSession } from './watched.ts';

/** Which signals a page gives. All but notifications are given unless they are turned off. */
export interface PageSignalOptions {
  /** "(42%) Inbox" in the title. Default: true. */
  readonly title?: boolean | undefined;
  /** A ring in the icon of the tab. The page's policy must allow `img-src data:`. Default: true. */
  readonly favicon?: boolean | undefined;
  /** The number of open requests on the icon of an installed application. Default: true. */
  readonly badge?: boolean | undefined;
  /**
   * The system's notifications, while the page is not looked at, for what ended and what needs a person; where the permission was
   * given. Default: false.
   */
  readonly notifications?: boolean | undefined;
  /** Called when somebody follows a notification. */
  readonly onOpen?: ((session: string) => void) | undefined;
}

/**
 * Shows a session where the page itself is not seen: in the title, the icon of the tab, the badge of the application and the
 * system's notifications. What is over stays in title and icon until the page has been looked at. Give it a store of the client;
 * one call for each session, and of several the last one has title and icon.
 *
 * @returns stops it and gives the page its own title and icon back
 */
export function signalPage(session: WatchedSession, options: PageSignalOptions = {}): () => void {
  const title = options.title === false ? undefined : new TitleSignal();
  const favicon = options.favicon === false ? undefined : new FaviconSignal();
  const notifications = options.notifications ? new NotificationSignal(options.onOpen) : undefined;
  const who = { requestUpdate: show };
  let seenOver = false;

  function show(): void {
    const language = languageOf(document.documentElement);
    const now = session.getSnapshot();
    const state = pageState(now, Date.now(), language);
    notifications?.take(now, language);
    if (options.badge !== false) showBadge(who, state.asks);
    const over = isOver(state);
    if (!over) seenOver = false;
    else if (document.visibilityState === 'visible' && document.hasFocus()) seenOver = true;
    const hidden = state.word === 'connecting' || state.word === 'idle' || (over && seenOver);
    title?.show(hidden ? undefined : state.text);
    favicon?.show(hidden ? undefined : state.word, state.part);
    every(over ? 0 : 30, who);
  }

  const unsubscribe = session.subscribe(show);
  document.addEventListener('visibilitychange', show);
  window.addEventListener('focus', show);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', show);
    window.removeEventListener('focus', show);
    every(0, who);
    notifications?.stop();
    if (options.badge !== false) showBadge(who, 0);
    title?.show(undefined);
    favicon?.show(undefined, undefined);
  };
}
