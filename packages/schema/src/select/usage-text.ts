import type { Usage } from '../wire/parts.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/** What a session has used, in a line: the producer's own words, else "12,345 tokens · $0.42"; undefined when nothing is known. */
export function usageText(usage: Usage | undefined, language: LanguageLike = DEFAULT_LOCALE): string | undefined {
  const { label, tokens, cost } = usage ?? {};
  if (label) return label;
  const parts = [];
  if (tokens !== undefined) parts.push(say('{n} tokens', language, { n: tokens }));
  if (cost) parts.push(costText(cost, localeOf(language)));
  return parts.join(' · ') || undefined;
}

/** What is no currency to the platform stands behind the number as it is. */
function costText({ amount, currency }: { readonly amount: number; readonly currency: string }, locale: string): string {
  try {
    return formatNumber(amount, locale, { style: 'currency', currency });
  } catch {
    return `${formatNumber(amount, locale)} ${currency}`;
  }
}
