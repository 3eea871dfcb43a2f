import type { Language } from '@sitrep/schema/select';
import { tr } from './tr.ts';

/** What ends a sentence where that is no full stop. */
const STOPS: Readonly<Record<string, string>> = { hi: '।', ja: '。', zh: '。' };

/** Several values in one line, as the language parts them: "4 of 9, 44%". What is empty is left out. */
export const listOf = (parts: readonly (string | false | null | undefined)[], language: Language): string =>
  parts.flatMap((part) => part || []).reduce((what, more) => (what ? tr('{what}, {more}', language, { what, more }) : more), '');

/** The words as a sentence, with its end where they have none. */
export const sentence = (words: string, language: Language): string =>
  /[.!?…。।！？؟۔]$/.test(words) ? words : words + (STOPS[/^[a-z]*/.exec(language.locale.toLowerCase())![0]] ?? '.');
