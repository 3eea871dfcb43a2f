import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import { amount } from './amount.ts';
import { displayTitle } from './display-title.ts';
import { formatPercent } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';
import { percent } from './percent.ts';
import { stateWord } from './state-word.ts';

/**
 * One line for a pill, a tab or a notification: "Building project 42%"; "Downloading 8 MiB" where only a count is known;
 * "Waiting on tsc" where nothing is; "Building project needs you"; "Building project failed". The percent is written as
 * the language writes it.
 */
export function summary(op: Operation, language: LanguageLike = DEFAULT_LOCALE): string {
  const title = displayTitle(op, language);
  const rest = isFinal(op.state) || op.state === 'blocked' ? stateWord(op.state, language) : howFar(op, language);
  return rest === undefined ? title : say('{title} {rest}', language, { title, rest });
}

function howFar(op: Operation, language: LanguageLike): string | undefined {
  const done = percent(op);
  return done === undefined ? amount(op, language) : formatPercent(done, language);
}
