import { installConnector } from '../display/feed.ts';

/** Answers `src` by the code that connects, loaded when the first element asks for it. */
export function installDefaultConnector(): void {
  installConnector(async (address) => (await import('../connect/sessions.ts')).openSession(address));
}
