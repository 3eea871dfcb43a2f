import type { Snapshot } from '@sitrep/schema';
import type { FeedState } from '../display/feed.ts';
import { addressOf } from '../session/address.ts';
import { given } from '../session/given.ts';
import { stillSession } from '../session/still-session.ts';

const read = new WeakSet<Element>();
const sessions = new Map<string, FeedState>();

/** The session at `src` as the server knew it when it drew the page. The first time, it is laid out for whoever connects, too. */
export function drawnSession(src: string): FeedState | undefined {
  for (const script of document.querySelectorAll<HTMLElement>('script[data-sitrep]')) {
    if (read.has(script)) continue;
    read.add(script);
    const address = addressOf(script.dataset['sitrep']!);
    try {
      const snapshot = JSON.parse(script.textContent!) as Snapshot;
      if (address === undefined) continue;
      given.set(address, snapshot);
      sessions.set(address, stillSession(snapshot));
    } catch {
      // A page that was cut off: what is missing is asked for.
    }
  }
  return sessions.get(addressOf(src) ?? '');
}
