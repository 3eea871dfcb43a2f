import { languages } from '../display/language.ts';
import { sessions } from '../display/session-link.ts';

/** Answers `src` by the code that connects, loaded when the first element asks for it. */
sessions.load = async () => (await import('../connect/install.ts')).installSessionSupport();

/** Answers the first `lang` that is not English; without the code for it the words stay English. */
languages.load = async () => (await import('../locales/languages.ts')).installLanguages();
