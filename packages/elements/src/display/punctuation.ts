import type { Language } from '@sitrep/schema/select';

/** What ends a sentence where that is no full stop. */
const STOPS: Readonly<Record<string, string>> = { hi: '।', ja: '。', zh: '。' };

/** The words as a sentence, with its end where they have none. */
export const sentence = (words: string, language: Language): string =>
  /[.!?…。।！？؟۔]$/.test(words) ? words : words + (STOPS[/^[a-z]*/.exec(language.locale.toLowerCase())![0]] ?? '.');
