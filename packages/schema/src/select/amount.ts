import type { Operation } from '../wire/operation.ts';
import { knownCurrent, knownTotal } from './amounts.ts';
import { formatBytes, isBytes } from './bytes.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';
import { withUnit } from './with-unit.ts';

/**
 * The amount as a person reads it: "42 of 100 files", "241 of 5", and where the total is unknown "8 MiB" or "3".
 * Raw numbers, never clamped. Undefined when the source counts nothing. The unit stands as the producer wrote it, unless the
 * language knows it; bytes are scaled. In English no singular is guessed.
 *
 * @param language the reader's language, or a BCP 47 tag. Default: `en`
 */
export function amount(
  op: Pick<Operation, 'current' | 'total' | 'fraction' | 'unit'>,
  language: LanguageLike = DEFAULT_LOCALE,
): string | undefined {
  const current = knownCurrent(op);
  if (current === undefined) return undefined;
  const total = knownTotal(op);
  return isBytes(op.unit) ? byteAmount(current, total, language) : plainAmount(current, total, op.unit, language);
}

function plainAmount(current: number, total: number | undefined, unit: string | undefined, language: LanguageLike): string {
  const locale = localeOf(language);
  const done = formatNumber(current, locale);
  const text = total === undefined ? done : say('{current} of {total}', language, { current: done, total: formatNumber(total, locale) });
  return withUnit(text, unit, total ?? current, language);
}

function byteAmount(current: number, total: number | undefined, language: LanguageLike): string {
  const done = formatBytes(current, localeOf(language));
  const text = `${done.number} ${done.unit}`;
  if (total === undefined) return text;
  const whole = formatBytes(total, localeOf(language));
  const first = done.unit === whole.unit ? done.number : text;
  return say('{current} of {total}', language, { current: first, total: `${whole.number} ${whole.unit}` });
}
