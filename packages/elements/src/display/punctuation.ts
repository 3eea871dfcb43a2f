import type { Language } from '@sitrep/schema/select';

/** What parts a list and what ends a sentence, by language; a comma and a full stop elsewhere. The platform's lists have units in mind. */
const MARKS: Readonly<Record<string, readonly [comma: string, stop: string]>> = {
  ar: ['، ', '.'],
  fa: ['، ', '.'],
  hi: [', ', '।'],
  ja: ['、', '。'],
  zh: ['，', '。'],
};
const LATIN = [', ', '.'] as const;

const marksOf = ({ locale }: Language): readonly [comma: string, stop: string] => MARKS[/^[a-z]*/.exec(locale.toLowerCase())![0]] ?? LATIN;

/** Several values in one line, as the language parts them: "4 of 9, 44%". What is empty is left out. */
export const listOf = (parts: readonly (string | false | null | undefined)[], language: Language): string =>
  parts.filter(Boolean).join(marksOf(language)[0]);

/** The words as a sentence, with its end where they have none. */
export const sentence = (words: string, language: Language): string =>
  /[.!?…。।！？؟۔]$/.test(words) ? words : words + marksOf(language)[1];
