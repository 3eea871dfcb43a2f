import { createStore } from '@sitrep/client';
import { SessionSource } from './session-source.ts';
import { StoreFeed } from './store-feed.ts';

/** How long a session without readers stays open, milliseconds: long enough to move an element to another place. */
const LINGER = 250;

interface Entry {
  readonly feed: StoreFeed;
  close: ReturnType<typeof setTimeout> | undefined;
}

const sessions = new Map<string, Entry>();

/** The live stream of a session at a gateway, by its address: the session itself is one step up. */
const OWN_STREAM = /(\/sessions\/[^/?#]+)\/stream\/?(?=$|[?#])/;

/** The session at an absolute address. Everything that names the same address shares one store and one connection. */
export function openSession(address: string): StoreFeed {
  address = address.replace(OWN_STREAM, '$1');
  const open = sessions.get(address);
  if (open) {
    clearTimeout(open.close);
    open.close = undefined;
    arrangeClose(address, open);
    return open.feed;
  }
  const source = new SessionSource(address, (message) => feed.fail(message));
  const store = createStore({ source });
  const feed = new StoreFeed(
    store,
    () => source.retry(),
    () => arrangeClose(address, entry),
  );
  const entry: Entry = { feed, close: undefined };
  sessions.set(address, entry);
  arrangeClose(address, entry);

  /** Closes the session unless somebody reads it again in time. */
  function arrangeClose(key: string, which: Entry): void {
    clearTimeout(which.close);
    which.close = setTimeout(() => {
      if (which.feed.size > 0) return;
      sessions.delete(key);
      store.close();
    }, LINGER);
  }
  return feed;
}

/** Number of sessions open and of elements reading them: what a leak test looks at. */
export function sessionLoad(): { readonly open: number; readonly listeners: number } {
  let listeners = 0;
  for (const { feed } of sessions.values()) listeners += feed.size;
  return { open: sessions.size, listeners };
}
