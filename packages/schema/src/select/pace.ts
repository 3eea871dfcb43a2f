import { formatBytes, isBytes } from './bytes.ts';
import type { Estimate } from './estimate.ts';
import { inUnit } from './duration.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';
import { withUnit } from './with-unit.ts';

/** An estimate as a person reads it. */
export interface Pace {
  /** "8.2 MiB/s", "12 files/s", "3 files/min". */
  readonly rate: string;
  /** "about 25 sec left"; absent when nothing is known of the end. */
  readonly left?: string;
}

/**
 * The words of an estimate; undefined without confidence, for then there is nothing to show, and for a rate that would read
 * as none. A rate is rounded down and the time left up, to what it can be relied on: five seconds, a minute, an hour, a day.
 *
 * @param language the reader's language, or a BCP 47 tag. Default: `en`
 */
export function pace(estimate: Estimate, unit?: string, language: LanguageLike = DEFAULT_LOCALE): Pace | undefined {
  if (!estimate.confident) return undefined;
  const rate = isBytes(unit) ? byteRate(estimate.rate, language) : countRate(estimate.rate, unit, language);
  if (rate === undefined) return undefined;
  return estimate.remainingMs === undefined
    ? { rate }
    : { rate, left: say('about {time} left', language, { time: timeText(estimate.remainingMs, localeOf(language)) }) };
}

function byteRate(perSecond: number, language: LanguageLike): string | undefined {
  if (perSecond < 1) return undefined;
  const { number, unit } = formatBytes(perSecond, localeOf(language));
  return say('{amount}/s', language, { amount: `${number} ${unit}` });
}

function countRate(perSecond: number, unit: string | undefined, language: LanguageLike): string | undefined {
  const [pattern, amount] =
    perSecond >= 1
      ? (['{amount}/s', perSecond] as const)
      : perSecond * 60 >= 1
        ? (['{amount}/min', perSecond * 60] as const)
        : (['{amount}/h', perSecond * 3600] as const);
  const rounded = amount < 10 ? Math.floor(amount * 10 + 1e-9) / 10 : Math.floor(amount + 1e-9);
  if (rounded === 0) return undefined;
  const number = formatNumber(rounded, localeOf(language), { maximumFractionDigits: 1 });
  return say(pattern, language, { amount: withUnit(number, unit, rounded, language) });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time left, coarser the longer it is. */
function timeText(ms: number, locale: string): string {
  if (ms <= 55 * SECOND) return inUnit(Math.max(5, Math.ceil(ms / (5 * SECOND)) * 5), 'second', locale);
  if (ms <= 3 * HOUR) return inUnit(Math.ceil(ms / MINUTE), 'minute', locale);
  if (ms <= 3 * DAY) return inUnit(Math.ceil(ms / HOUR), 'hour', locale);
  return inUnit(Math.ceil(ms / DAY), 'day', locale);
}
