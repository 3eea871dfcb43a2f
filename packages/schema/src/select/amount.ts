import type { Operation } from '../wire/operation.ts';
import { knownCurrent, knownTotal } from './amounts.ts';
import { formatBytes, isBytes } from './bytes.ts';
import { DEFAULT_LOCALE, formatNumber } from './format.ts';
import { fill, WORDS } from './words.ts';

/**
 * The amount as a person reads it: "42 of 100 files", "241 of 5", and where the total is unknown "8 MiB" or "3".
 * Raw numbers, never clamped. Undefined when the source counts nothing. The unit stands as the producer wrote it, bytes
 * apart: no singular is guessed. `locale` is a BCP 47 tag, default `en`.
 */
export function amount(
  op: Pick<Operation, 'current' | 'total' | 'fraction' | 'unit'>,
  locale: string = DEFAULT_LOCALE,
): string | undefined {
  const current = knownCurrent(op);
  if (current === undefined) return undefined;
  const total = knownTotal(op);
  return isBytes(op.unit) ? byteAmount(current, total, locale) : plainAmount(current, total, op.unit, locale);
}

function plainAmount(current: number, total: number | undefined, unit: string | undefined, locale: string): string {
  const done = formatNumber(current, locale);
  const text = total === undefined ? done : fill(WORDS.of, { current: done, total: formatNumber(total, locale) });
  return unit === undefined || unit === '' ? text : fill(WORDS.withUnit, { amount: text, unit });
}

function byteAmount(current: number, total: number | undefined, locale: string): string {
  const done = formatBytes(current, locale);
  const withUnit = fill(WORDS.withUnit, { amount: done.number, unit: done.unit });
  if (total === undefined) return withUnit;
  const whole = formatBytes(total, locale);
  const first = done.unit === whole.unit ? done.number : withUnit;
  return fill(WORDS.of, { current: first, total: fill(WORDS.withUnit, { amount: whole.number, unit: whole.unit }) });
}
