import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE, intl } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';

/** Units of time with their seconds, the longest first. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long something took, milliseconds, at the grain a reader needs, rounded down: "8 sec", "1 min 5 sec", "2 hr 3 min". */
export function duration(milliseconds: number, language: LanguageLike = DEFAULT_LOCALE): string {
  const locale = localeOf(language);
  let left = Math.floor(Math.max(0, milliseconds) / 1000);
  // Anything below a second is a number of seconds, too.
  const first = UNITS.findIndex(([, size]) => left >= size) >>> 0;
  const parts = UNITS.slice(Math.min(first, 3)).map(([unit, size]) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return inUnit(amount, unit, locale);
  });
  return intl(Intl.ListFormat, locale, { type: 'unit', style: 'narrow' }).format(parts.slice(0, 2));
}

/** An amount of time in the language's short form: "25 sec", "3 Min.". */
export function inUnit(amount: number, unit: (typeof UNITS)[number][0], locale: string): string {
  return formatNumber(amount, locale, { style: 'unit', unit, unitDisplay: 'short' });
}
