import { every } from '../display/clock.ts';
import { languageOf } from '../display/language.ts';
import { showBadge } from './badge.ts';
import { faviconStage, ring } from './favicon.ts';
import { NotificationSignal } from './notifications.ts';
import { isOver, pageState } from './page-state.ts';
import { titleStage } from './title.ts';
import type { WatchedSession } from './watched.ts';

export type { WatchedSession } from './watched.ts';

/** Milliseconds between two looks at a session, at least: a tab is not read more often. */
const SPACING = 250;

/** Which signals a page gives. All but notifications are given unless they are turned off. */
export interface PageSignalOptions {
  /** "(42%) Inbox" in the title. Default: true. */
  readonly title?: boolean | undefined;
  /** A ring in the icon of the tab, where the page's policy allows `img-src data:`. Default: true. */
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
 * one call for each session, and of several the last one that has something to show has title and icon.
 *
 * @returns stops it and gives the page its own title and icon back
 */
export function signalPage(session: WatchedSession, options: PageSignalOptions = {}): () => void {
  const title = options.title === false ? undefined : titleStage;
  const favicon = options.favicon === false ? undefined : faviconStage;
  const notifications = options.notifications ? new NotificationSignal(options.onOpen) : undefined;
  const who = { requestUpdate: show };
  let seenOver = false;
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** However often a session moves: the first move at once, the newest of the following ones after a while. */
  function moved(): void {
    // What is to be told must not get lost between two looks.
    notifications?.take(session.getSnapshot(), languageOf(document.documentElement));
    if (timer !== undefined) return;
    const wait = last + SPACING - performance.now();
    if (wait <= 0) show();
    else timer = setTimeout(show, wait);
  }

  function show(): void {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    const language = languageOf(document.documentElement);
    const now = session.getSnapshot();
    const state = pageState(now, Date.now(), language);
    if (options.badge !== false) showBadge(who, state.asks);
    const over = isOver(state);
    if (!over) seenOver = false;
    else if (document.visibilityState === 'visible' && document.hasFocus()) seenOver = true;
    const hidden = state.word === 'connecting' || state.word === 'idle' || (over && seenOver);
    title?.show(who, hidden ? undefined : state.text);
    favicon?.show(who, hidden ? undefined : ring(state.word, state.part));
    every(over ? 0 : 30, who);
  }

  const unsubscribe = session.subscribe(moved);
  document.addEventListener('visibilitychange', show);
  window.addEventListener('focus', show);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', show);
    window.removeEventListener('focus', show);
    clearTimeout(timer);
    every(0, who);
    notifications?.stop();
    if (options.badge !== false) showBadge(who, 0);
    title?.leave(who);
    favicon?.leave(who);
  };
}
