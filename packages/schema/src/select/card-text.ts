import type { Card } from '../wire/card.ts';
import { markdownText } from './markdown-text.ts';
import { planCounts } from './plan.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/**
 * A card as plain text, for channels that render nothing: "1/3 complete" when it has steps, else the readable words of
 * its note, else "Progress updated". Empty for no card.
 */
export function cardText(card: Card | null, language: LanguageLike = DEFAULT_LOCALE): string {
  if (card === null) return '';
  const counts = planCounts(card.plan);
  if (counts.total > 0) return say('{completed}/{total} complete', language, { completed: counts.completed, total: counts.total });
  return markdownText(card.markdown ?? '') || say('Progress updated', language);
}
