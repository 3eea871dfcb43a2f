import type { Usage } from '../wire/parts.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/**
 * What was used, in a few characters: "12.4K tok · $0.03". The producer's own label where there is one. Undefined when
 * nothing is known. Default language: English.
 */
export function usageLabel(usage: Usage | undefined, language: LanguageLike = DEFAULT_LOCALE): string | undefined {
  if (usage?.label) return usage.label;
  const locale = localeOf(language);
  const parts: string[] = [];
  if (isAmount(usage?.tokens)) {
    const amount = formatNumber(usage.tokens, locale, { notation: 'compact', maximumFractionDigits: 1 });
    parts.push(say('{amount} tok', language, { amount }));
  }
  if (isAmount(usage?.cost?.amount)) parts.push(money(usage.cost.amount, usage.cost.currency, locale));
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Cents where they say something, else the first digit that does. */
function money(amount: number, currency: string, locale: string): string {
  const digits = amount > 0 && amount < 0.01 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: 2 };
  try {
    return formatNumber(amount, locale, { style: 'currency', currency, ...digits });
  } catch {
    return `${formatNumber(amount, locale, digits)} ${currency}`;
  }
}

function isAmount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}
