import { createLeanStore } from '@sitrep/client';
import { LaterHistory } from './later-history.ts';
import { fetchAhead } from './ahead.ts';
import { SessionSource } from './session-source.ts';
import { StoreFeed } from './store-feed.ts';

/** How long a session without readers stays open, milliseconds: long enough to move an element to another place. */
const LINGER = 250;

interface Entry {
  readonly feed: StoreFeed;
  /** Closes the session unless somebody reads it again in time. */
  readonly linger: () => void;
}

const sessions = new Map<string, Entry>();

/** The live stream of a session at a gateway, by its address: the session itself is one step up. */
const OWN_STREAM = /(\/sessions\/[^/?#]+)\/stream\/?(?=$|[?#])/;

/** The session at an absolute address. Everything that names the same address shares one store and one connection. */
export function openSession(address: string): StoreFeed {
  address = address.replace(OWN_STREAM, '$1');
  const open = sessions.get(address);
  if (open) {
    open.linger();
    return open.feed;
  }
  const source = new SessionSource(address, (message, denied) => feed.fail(message, denied));
  const history = new LaterHistory();
  const store = createLeanStore({ source, history });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const linger = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (feed.wanted) return;
      sessions.delete(address);
      store.close();
    }, LINGER);
  };
  const feed = new StoreFeed(store, () => source.retry(), linger, history.keep);
  sessions.set(address, { feed, linger });
  linger();
  return feed;
}

/** Fetches what `openSession` will need first, unless the session is open already. */
export function foresee(address: string): void {
  address = address.replace(OWN_STREAM, '$1');
  if (!sessions.has(address)) fetchAhead(address);
}

/** Number of sessions open and of elements reading them: what a leak test looks at. */
export function sessionLoad(): { readonly open: number; readonly listeners: number } {
  let listeners = 0;
  for (const { feed } of sessions.values()) listeners += feed.size;
  return { open: sessions.size, listeners };
}
