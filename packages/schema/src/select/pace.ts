import { formatBytes, isBytes } from './bytes.ts';
import type { Estimate } from './estimate.ts';
import { DEFAULT_LOCALE, formatNumber } from './format.ts';
import { fill, PACE_WORDS, WORDS } from './words.ts';

/** An estimate as a person reads it. */
export interface Pace {
  /** "8.2 MiB/s", "12 files/s", "3 files/min". */
  readonly rate: string;
  /** "about 25 sec left"; absent when nothing is known of the end. */
  readonly left?: string;
}

/**
 * The words of an estimate; undefined without confidence, for then there is nothing to show, and for a rate that would read
 * as none. A rate is rounded down and the
 * time left up, to what it can be relied on: five seconds, a minute, an hour, a day. `locale` is a BCP 47 tag, default `en`.
 */
export function pace(estimate: Estimate, unit?: string, locale: string = DEFAULT_LOCALE): Pace | undefined {
  if (!estimate.confident) return undefined;
  const rate = isBytes(unit) ? byteRate(estimate.rate, locale) : countRate(estimate.rate, unit, locale);
  if (rate === undefined) return undefined;
  return estimate.remainingMs === undefined
    ? { rate }
    : { rate, left: fill(PACE_WORDS.left, { time: timeText(estimate.remainingMs, locale) }) };
}

function byteRate(perSecond: number, locale: string): string | undefined {
  if (perSecond < 1) return undefined;
  const { number, unit } = formatBytes(perSecond, locale);
  return fill(PACE_WORDS.perSecond, { amount: fill(WORDS.withUnit, { amount: number, unit }) });
}

function countRate(perSecond: number, unit: string | undefined, locale: string): string | undefined {
  const [pattern, amount] =
    perSecond >= 1
      ? [PACE_WORDS.perSecond, perSecond]
      : perSecond * 60 >= 1
        ? [PACE_WORDS.perMinute, perSecond * 60]
        : [PACE_WORDS.perHour, perSecond * 3600];
  const rounded = amount < 10 ? Math.floor(amount * 10 + 1e-9) / 10 : Math.floor(amount + 1e-9);
  if (rounded === 0) return undefined;
  const number = formatNumber(rounded, locale, { maximumFractionDigits: 1 });
  return fill(pattern, { amount: unit === undefined || unit === '' ? number : fill(WORDS.withUnit, { amount: number, unit }) });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function timeText(ms: number, locale: string): string {
  const [unit, amount] =
    ms <= 55 * SECOND
      ? ['second', Math.max(5, Math.ceil(ms / (5 * SECOND)) * 5)]
      : ms <= 3 * HOUR
        ? ['minute', Math.ceil(ms / MINUTE)]
        : ms <= 3 * DAY
          ? ['hour', Math.ceil(ms / HOUR)]
          : ['day', Math.ceil(ms / DAY)];
  return formatNumber(amount as number, locale, { style: 'unit', unit: unit as string, unitDisplay: 'short' });
}
