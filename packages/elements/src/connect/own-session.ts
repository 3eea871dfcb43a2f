import { createLeanStore } from '@sitrep/client';
import type { Source } from '@sitrep/client';
import { DENIED, isDenied } from './fetch-snapshot.ts';
import { LaterHistory } from './later-history.ts';
import { StoreFeed } from './store-feed.ts';

/** A session read from a source of the page's own, and how to end it. */
export function ownSession(source: Source): { readonly feed: StoreFeed; close(): void } {
  const history = new LaterHistory();
  const store = createLeanStore({ source, history, onDiagnostic: ({ status }) => isDenied(status) && feed.fail(DENIED, true) });
  const feed = new StoreFeed(store, undefined, undefined, history.keep);
  return { feed, close: () => store.close() };
}
