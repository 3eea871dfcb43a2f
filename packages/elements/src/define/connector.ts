import { sessions } from '../display/session-link.ts';

/** Answers `src` by the code that connects, loaded when the first element asks for it. */
sessions.load = async () => (await import('../connect/install.ts')).installSessionSupport();
