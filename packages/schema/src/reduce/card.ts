import type { Card, CardEvent, CardRecord } from '../wire/card.ts';
import { frozenCopy } from './frozen.ts';
import { orderCard } from './ordering.ts';
import type { Reduced } from './outcome.ts';

/** The card of a session that never had one. */
export const NO_CARD: CardRecord = Object.freeze({ revision: 0, card: null });

/**
 * Replaces the card by one write of the same session. A higher revision replaces the whole card, an equal one is a
 * `duplicate`, a lower one `stale`. A body without steps and without a readable note clears: the card becomes null and
 * the revision stays, so that an older write cannot come back.
 */
export function reduceCard(record: CardRecord | undefined, event: CardEvent): Reduced<CardRecord> {
  const held = record ?? NO_CARD;
  const verdict = orderCard(held.revision, event.revision);
  if (verdict !== 'merge') return { state: held, outcome: verdict };
  const next: { -readonly [Field in keyof CardRecord]: CardRecord[Field] } = {
    revision: event.revision,
    updatedAt: event.at,
    card: cardBody(event.card),
  };
  if (event.run !== undefined) next.run = event.run;
  return { state: Object.freeze(next), outcome: 'applied' };
}

/** A body with only the parts that say something, or null when none does. */
export function cardBody(card: Card | null): Card | null {
  if (card === null) return null;
  const body: { -readonly [Field in keyof Card]: Card[Field] } = {};
  if (card.plan !== undefined && card.plan.length > 0) body.plan = frozenCopy(card.plan);
  if (card.markdown !== undefined && card.markdown.trim() !== '') body.markdown = card.markdown;
  return body.plan === undefined && body.markdown === undefined ? null : Object.freeze(body);
}
