import type { FeedState, SessionFeed } from '../display/feed.ts';

/** The absolute address of `src`, seen from this page; undefined for a text that is none. */
export function addressOf(src: string): string | undefined {
  try {
    return new URL(src, document.baseURI).href;
  } catch {
    return undefined;
  }
}

const UNREADABLE: FeedState = { session: undefined, error: 'The address of the session cannot be read.' };

/** What is shown for a `src` that is no address. */
export const NO_SESSION: SessionFeed = {
  getSnapshot: () => UNREADABLE,
  subscribe: () => () => {},
  retry() {},
};
