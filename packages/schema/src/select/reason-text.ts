import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/** Words for reasons that are told apart by many producers. */
const WORDS: Readonly<Record<string, string>> = {
  by_user: 'by the user',
  user: 'by the user',
  timeout: 'took too long',
  run_ended: 'Its run ended first.',
  producer_lost: 'Nothing more was heard from whoever ran it.',
};

/**
 * A reason as a person reads it: "by the user" for `by_user`. A stable word that is not known is written with spaces, and what a producer
 * wrote for people stays as it is. Default language: English.
 */
export function reasonText(reason: string, language: LanguageLike = DEFAULT_LOCALE): string {
  if (Object.hasOwn(WORDS, reason)) return say(WORDS[reason]!, language);
  return /^[a-z\d]+(_[a-z\d]+)+$/.test(reason) ? reason.replaceAll('_', ' ') : reason;
}
