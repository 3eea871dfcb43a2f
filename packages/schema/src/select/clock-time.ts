import { DEFAULT_LOCALE, intl } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';

/** How finely a time of day is told. */
export type TimeGrain = 'day' | 'minute' | 'second' | 'millisecond';

const HOUR_AND_MINUTE = { hour: 'numeric', minute: '2-digit' } as const;
const OPTIONS: Readonly<Record<TimeGrain, Intl.DateTimeFormatOptions>> = {
  day: { month: 'short', day: 'numeric' },
  minute: HOUR_AND_MINUTE,
  second: { ...HOUR_AND_MINUTE, second: '2-digit' },
  millisecond: { ...HOUR_AND_MINUTE, second: '2-digit', fractionalSecondDigits: 3 },
};
/** Latest time a `Date` can hold. */
const LATEST = 8.64e15;

/** A time of day as the reader's language writes it, in the reader's zone: "14:03:22"; undefined for a time no clock can hold. */
export function clockTime(
  at: number | undefined,
  language: LanguageLike = DEFAULT_LOCALE,
  grain: TimeGrain = 'second',
): string | undefined {
  if (at === undefined || !(Math.abs(at) <= LATEST)) return undefined;
  return intl(Intl.DateTimeFormat, localeOf(language), OPTIONS[grain], grain).format(at);
}
