import type { SessionHost } from '../display/session-link.ts';

/** Every element of the page that shows a session, with the key of it. */
const showing = new Map<SessionHost, () => string | undefined>();
/** What is less high is a mark of the session, and not what can be read of it: pixels. */
const READABLE = 40;
/** How long the browser may take to say what is in view, milliseconds. */
const PATIENCE = 500;

/** An element shows the session with this key from now on. */
export function show(host: SessionHost, session: () => string | undefined): void {
  showing.set(host, session);
}

/** An element shows nothing any more. */
export function hide(host: SessionHost): void {
  showing.delete(host);
}

const hostsOf = (session: string): readonly SessionHost[] => [...showing].filter(([, key]) => key() === session).map(([host]) => host);

/** True if an element other than `who` says aloud what happens in this session. */
export function isSpoken(session: string, who: object): boolean {
  return hostsOf(session).some((host) => host !== who && host.heard !== undefined);
}

/** True if somebody who looks at the page sees what is told of this session. */
export async function isInSight(session: string, who: object): Promise<boolean> {
  if (document.hidden) return false;
  const hosts = hostsOf(session).filter((host) => host !== who && host.checkVisibility?.() !== false);
  if (hosts.length === 0 || typeof IntersectionObserver === 'undefined') return false;
  return new Promise((resolve) => {
    const end = (seen: boolean): void => {
      clearTimeout(timer);
      observer.disconnect();
      resolve(seen);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    // The first call brings all of them, with what clips them on the way taken off.
    const observer = new IntersectionObserver((entries) =>
      end(entries.some(({ intersectionRect }) => intersectionRect.height >= READABLE)),
    );
    for (const host of hosts) observer.observe(host);
  });
}
