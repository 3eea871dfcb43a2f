import { formatNumber } from './format.ts';
import { intl } from './intl.ts';
import { localeOf } from './language.ts';
import { phraseIn } from './word.ts';
import type { LanguageLike, PluralForms } from './language.ts';

/**
 * A phrase in the reader's language, with values put where it names them: `say('{what} and {n} more', language, { what, n: 3 })`. Its plural
 * form is chosen by `n`, and numbers are written as the language writes them. A value is never read as a pattern.
 */
export function say(phrase: string, language: LanguageLike, values?: Readonly<Record<string, string | number>>): string {
  const found = phraseIn(phrase, language);
  const text = typeof found === 'object' ? pluralForm(found, values?.['n'], localeOf(language)) : (found ?? phrase);
  return values ? fill(text, values, localeOf(language)) : text;
}

function pluralForm(forms: PluralForms, n: string | number | undefined, locale: string): string {
  return (typeof n === 'number' ? forms[intl(Intl.PluralRules, locale).select(n)] : undefined) ?? forms.other;
}

function fill(text: string, values: Readonly<Record<string, string | number>>, locale: string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : whole;
    return typeof value === 'number' ? formatNumber(value, locale) : String(value);
  });
}
