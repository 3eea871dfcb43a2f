import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE, intl } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** How long something took, milliseconds, at the grain a reader needs, rounded down: "8 sec", "1 min 5 sec", "2 hr 3 min". */
export function duration(milliseconds: number, language: LanguageLike = DEFAULT_LOCALE): string {
  const locale = localeOf(language);
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  if (seconds < 60) return inUnit(seconds, 'second', locale);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return both(minutes, 'minute', seconds % 60, 'second', locale);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return both(hours, 'hour', minutes % 60, 'minute', locale);
  return both(Math.floor(hours / 24), 'day', hours % 24, 'hour', locale);
}

/** An amount of time in the language's short form: "25 sec", "3 Min.". */
export function inUnit(amount: number, unit: Unit, locale: string): string {
  return formatNumber(amount, locale, { style: 'unit', unit, unitDisplay: 'short' });
}

function both(first: number, unit: Unit, second: number, smaller: Unit, locale: string): string {
  const parts = [inUnit(first, unit, locale), inUnit(second, smaller, locale)];
  return intl(Intl.ListFormat, locale, { type: 'unit', style: 'narrow' }).format(parts);
}
