import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import { amount } from './amount.ts';
import { displayTitle } from './display-title.ts';
import { DEFAULT_LOCALE, formatPercent } from './format.ts';
import { percent } from './percent.ts';
import { stateWord } from './state-word.ts';
import { fill, WORDS } from './words.ts';

/**
 * One line for a pill, a tab or a notification: "Building project 42%"; "Downloading 8 MiB" where only a count is known;
 * "Waiting on tsc" where nothing is; "Building project needs you"; "Building project failed". The percent is written as
 * the locale writes it.
 */
export function summary(op: Operation, locale: string = DEFAULT_LOCALE): string {
  const title = displayTitle(op);
  const rest = isFinal(op.state) || op.state === 'blocked' ? stateWord(op.state) : howFar(op, locale);
  return rest === undefined ? title : fill(WORDS.summary, { title, rest });
}

function howFar(op: Operation, locale: string): string | undefined {
  const done = percent(op);
  return done === undefined ? amount(op, locale) : formatPercent(done, locale);
}
