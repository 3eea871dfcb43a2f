import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/**
 * A written number with its unit: "100 files". A unit that the language has a word for, such as `files` or `tests`, is said in
 * it, in the form that goes with the number `n`; any other stands as the producer wrote it.
 */
export function withUnit(text: string, unit: string | undefined, n: number, language: LanguageLike): string {
  if (unit === undefined || unit === '') return text;
  return `${text} ${/^[a-z]+$/.test(unit) ? say(unit, language, { n }) : unit}`;
}
