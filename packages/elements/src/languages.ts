/** Languages of the elements: which are shipped, and how to add one. */
export { addLanguage, SHIPPED } from './locales/languages.ts';
export type { Language, Phrases, PluralForms } from '@sitrep/schema/select';
export type { LanguagePack, Phrase } from './locales/phrases.ts';
