import { installLoader } from '../display/session-link.ts';

/** Answers `src` by the code that connects, loaded when the first element asks for it. */
export function installConnector(): void {
  installLoader(async () => (await import('../connect/install.ts')).installSessionSupport());
}
