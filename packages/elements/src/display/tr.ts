import { say, word as wordOf } from '@sitrep/schema/select';
import type { LanguageLike } from '@sitrep/schema/select';
import type { Phrase } from '../locales/phrases.ts';

/** `say` for the phrases that every shipped language has. */
export const tr: (phrase: Phrase, language: LanguageLike, values?: Readonly<Record<string, string | number>>) => string = say;

/** The same for a phrase without values. */
export const word: (phrase: Phrase, language: LanguageLike) => string = wordOf;

/** A sentence about what went wrong, as it came from further down; a number in it is a value. */
export function trProblem(sentence: string, language: LanguageLike): string {
  const [n] = /\d+/.exec(sentence) ?? [];
  return n === undefined ? say(sentence, language) : say(sentence.replace(n, '{n}'), language, { n });
}
