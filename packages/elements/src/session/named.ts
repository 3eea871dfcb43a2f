import { CONNECTING } from './address.ts';
import type { SessionFeed } from '../display/feed.ts';

/** The providers of the page, each with the session it hands out. */
const providers = new Map<Element, SessionFeed | undefined>();
const seekers = new Set<() => void>();

/** A provider hands out this session from now on, or has another name or place: whoever goes by a name looks again. */
export function offer(provider: Element, feed: SessionFeed | undefined): void {
  providers.set(provider, feed);
  for (const look of seekers) look();
}

/** A provider is gone. */
export function withdraw(provider: Element): void {
  if (!providers.delete(provider)) return;
  for (const look of seekers) look();
}

/** Calls `look` whenever a name may lead to another session, until the returned function is called. */
export function seek(look: () => void): () => void {
  seekers.add(look);
  return () => void seekers.delete(look);
}

/**
 * The session of the provider with this id, as seen from an element: in its own shadow root first, then outwards to the document. While
 * there is no such provider the session is on its way.
 */
export function named(from: Element, id: string): SessionFeed | undefined {
  for (let at: Element | undefined = from; at;) {
    const root = at.getRootNode() as Document | ShadowRoot;
    const found = root.getElementById?.(id);
    if (found && providers.has(found)) return providers.get(found);
    at = (root as ShadowRoot).host;
  }
  return CONNECTING;
}
