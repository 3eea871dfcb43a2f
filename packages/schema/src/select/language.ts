/** The forms of a phrase by the number in it, named as in CLDR; `other` is there always. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** Phrases of a language by the English they stand for. What is missing is said in English. */
export type Phrases = Readonly<Record<string, string | PluralForms>>;

/** How text is written for a reader. */
export interface Language {
  /** BCP 47 tag by which numbers, times and plurals are written: `de`, `pt-BR`, `zh-Hant`. */
  readonly locale: string;
  /** Default: English. */
  readonly phrases?: Phrases | undefined;
}

/** A language, or only the tag by which numbers are written in English text. */
export type LanguageLike = Language | string;

/** The tag of a language. */
export function localeOf(language: LanguageLike): string {
  return typeof language === 'string' ? language : language.locale;
}
