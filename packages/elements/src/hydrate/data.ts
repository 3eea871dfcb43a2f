import type { Snapshot } from '@sitrep/schema';
import type { FeedState } from '../display/feed.ts';
import { addressOf } from '../session/address.ts';
import { given } from '../session/given.ts';
import { stillSession } from '../session/still-session.ts';

/** What is known of the data of one session in the page. */
interface Told {
  readonly address: string | undefined;
  /** Read again when it is asked for once more: nobody but those who show it holds it. */
  session: WeakRef<FeedState> | undefined;
}

const read = new WeakMap<Element, Told>();

/**
 * The session at `src` as the server knew it when it drew the page. The first time, it is laid out for whoever connects, too. The
 * page itself keeps it, for what is taken over later.
 */
export function drawnSession(src: string): FeedState | undefined {
  const asked = addressOf(src);
  let found: FeedState | undefined;
  for (const script of document.querySelectorAll<HTMLElement>('script[data-sitrep]')) {
    const known = read.get(script);
    const told: Told = known ?? { address: addressOf(script.dataset['sitrep']!), session: undefined };
    read.set(script, told);
    const { address } = told;
    if (address === undefined || (known && address !== asked)) continue;
    let session = told.session?.deref();
    try {
      if (!session) {
        const snapshot = JSON.parse(script.textContent!) as Snapshot;
        if (!known) given.set(address, snapshot);
        if (address !== asked) continue;
        session = stillSession(snapshot);
        told.session = new WeakRef(session);
      }
      found = session;
    } catch {
      // A page that was cut off: what is missing is asked for.
    }
  }
  return found;
}
