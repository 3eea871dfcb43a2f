import type { Card } from '../wire/card.ts';
import { markdownText } from './markdown-text.ts';
import { planCounts } from './plan.ts';
import { fill, WORDS } from './words.ts';

/**
 * A card as plain text, for channels that render nothing: "1/3 complete" when it has steps, else the readable words of
 * its note, else "Progress updated". Empty for no card.
 */
export function cardText(card: Card | null): string {
  if (card === null) return '';
  const counts = planCounts(card.plan);
  if (counts.total > 0) return fill(WORDS.stepsComplete, { completed: counts.completed, total: counts.total });
  return markdownText(card.markdown ?? '') || WORDS.cardUpdated;
}
