import { sessions } from '../display/session-link.ts';
import { SessionController } from '../session/session-controller.ts';
import { watchListLater } from './list-later.ts';
import { foresee, openSession } from './sessions.ts';

export { openSession } from './sessions.ts';
export { ownSession } from './own-session.ts';

/** Lets every element of the page show sessions, those already there included. Doing it twice changes nothing. */
export function installSessionSupport(): void {
  sessions.open = openSession;
  sessions.foresee = foresee;
  sessions.list = watchListLater;
  sessions.attach = (host) => new SessionController(host, openSession);
  for (const host of sessions.waiting) host.requestUpdate();
  sessions.waiting.clear();
}
