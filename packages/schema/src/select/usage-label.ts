import type { Usage } from '../wire/parts.ts';
import { DEFAULT_LOCALE } from './format.ts';
import { fill, NOTICE_WORDS } from './words.ts';

/**
 * What was used, in a few characters: "12.4K tok · $0.03". The producer's own label where there is one. Undefined when
 * nothing is known. `locale` is a BCP 47 tag, default `en`.
 */
export function usageLabel(usage: Usage | undefined, locale: string = DEFAULT_LOCALE): string | undefined {
  if (usage?.label) return usage.label;
  const parts: string[] = [];
  if (isAmount(usage?.tokens)) {
    parts.push(fill(NOTICE_WORDS.tokens, { amount: format(usage.tokens, locale, { notation: 'compact', maximumFractionDigits: 1 }) }));
  }
  if (isAmount(usage?.cost?.amount)) parts.push(money(usage.cost.amount, usage.cost.currency, locale));
  return parts.length === 0 ? undefined : parts.join(NOTICE_WORDS.separator);
}

/** Cents where they say something, else the first digit that does. */
function money(amount: number, currency: string, locale: string): string {
  const digits = amount > 0 && amount < 0.01 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: 2 };
  try {
    return format(amount, locale, { style: 'currency', currency, ...digits });
  } catch {
    return `${format(amount, locale, digits)} ${currency}`;
  }
}

function format(value: number, locale: string, options: Intl.NumberFormatOptions): string {
  try {
    return new Intl.NumberFormat(locale, options).format(value);
  } catch {
    return new Intl.NumberFormat(DEFAULT_LOCALE, options).format(value);
  }
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
