import { DEFAULT_LOCALE, intl } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/** Latest time a `Date` can hold. */
const LATEST = 8.64e15;

/**
 * How long ago something was, in minutes at the finest: "just now", "2 min. ago", "3 hr. ago"; undefined for a time no clock
 * can hold. A time ahead of the reader's clock is now.
 */
export function relativeTime(then: number | undefined, now: number, language: LanguageLike = DEFAULT_LOCALE): string | undefined {
  if (then === undefined || !(Math.abs(then) <= LATEST)) return undefined;
  const minutes = Math.floor((now - then) / 60_000);
  if (now - then < 30_000) return say('just now', language);
  if (minutes < 60) return ago(Math.max(1, minutes), 'minute', language);
  return minutes < 1440 ? ago(Math.floor(minutes / 60), 'hour', language) : ago(Math.floor(minutes / 1440), 'day', language);
}

function ago(amount: number, unit: 'minute' | 'hour' | 'day', language: LanguageLike): string {
  return intl(Intl.RelativeTimeFormat, localeOf(language), { style: 'short' }).format(-amount, unit);
}
