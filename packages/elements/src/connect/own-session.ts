import { createStore } from '@sitrep/client';
import type { Source } from '@sitrep/client';
import { StoreFeed } from './store-feed.ts';

/** A session read from a source of the page's own, and how to end it. */
export function ownSession(source: Source): { readonly feed: StoreFeed; close(): void } {
  const store = createStore({ source });
  return { feed: new StoreFeed(store), close: () => store.close() };
}
