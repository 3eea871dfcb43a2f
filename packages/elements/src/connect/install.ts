import { installSessions } from '../display/session-link.ts';
import { SessionController } from '../session/session-controller.ts';
import { openSession } from './sessions.ts';

/** Lets every element of the page show sessions, those already there included. Doing it twice changes nothing. */
export function installSessionSupport(): void {
  installSessions((host) => new SessionController(host, openSession));
}
