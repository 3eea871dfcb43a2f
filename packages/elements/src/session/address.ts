import type { SessionFeed } from '../display/feed.ts';

/** The absolute address of `src`, seen from this page; undefined for a text that is none. */
export function addressOf(src: string): string | undefined {
  try {
    return new URL(src, document.baseURI).href;
  } catch {
    return undefined;
  }
}

/** A feed that stands still: what is shown before there is a session, or why there is none. */
function still(error?: string): SessionFeed {
  const state = { session: undefined, error };
  return { getSnapshot: () => state, subscribe: () => () => {}, retry() {} };
}

/** What is shown while the code that connects is loaded. */
export const CONNECTING = still();
/** What is shown for a `src` that is no address. */
export const NO_SESSION = still('The address of the session cannot be read.');
