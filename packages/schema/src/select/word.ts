import type { LanguageLike, PluralForms } from './language.ts';

/** What the language has for a phrase, if anything. */
export function phraseIn(phrase: string, language: LanguageLike): string | PluralForms | undefined {
  const phrases = typeof language === 'string' ? undefined : language.phrases;
  return phrases && Object.hasOwn(phrases, phrase) ? phrases[phrase] : undefined;
}

/** A phrase without values in the reader's language, as `say` has it; less to load where nothing else is said. */
export function word(phrase: string, language: LanguageLike): string {
  const found = phraseIn(phrase, language);
  return typeof found === 'object' ? found.other : (found ?? phrase);
}
