import type { OperationState } from '../wire/states.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/** The state in a word or two for a person: "running", "needs you". */
export function stateWord(state: OperationState, language: LanguageLike = DEFAULT_LOCALE): string {
  return say(state === 'blocked' ? 'needs you' : state, language);
}
