import { DEFAULT_LOCALE, intl } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';

/** From here on a number is written with an exponent: past what counts go to, and before it fills a line. */
const HUGE = 1e16;

/**
 * The first formatter of a page takes longer to make than a card to draw. What every English writes with plain digits needs none: whole
 * numbers below a thousand.
 */
const isPlain = (value: number, locale: string): boolean =>
  value >= 0 && value < 1000 && Number.isInteger(value) && /^en(-(?!.*-?u-)|$)/.test(locale);

/** A number in the reader's form. An unusable language tag falls back to English; nothing is thrown. */
export function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions = {}): string {
  if (isPlain(value, locale) && Object.keys(options).length === 0) return String(value + 0);
  const isHuge = Math.abs(value) >= HUGE;
  const use = JSON.stringify(options) + isHuge;
  const formatter = intl(Intl.NumberFormat, locale, isHuge ? { ...options, notation: 'scientific' } : options, use);
  // Nobody counts to minus zero.
  return formatter.format(value === 0 ? 0 : value);
}

/** A whole percent, 0 to 100, in the reader's form: "42%", "42 %", "%42". */
export function formatPercent(percent: number, language: LanguageLike = DEFAULT_LOCALE): string {
  const locale = localeOf(language);
  if (isPlain(percent, locale)) return `${percent + 0}%`;
  return formatNumber(percent / 100, locale, { style: 'percent', maximumFractionDigits: 0 });
}
