import type { CardPutResult } from '@sitrep/harness';
import { cardBody } from '@sitrep/schema/reduce';
import { planCounts } from '@sitrep/schema/select';
import type { CardEvent, CardPut } from '@sitrep/schema/wire';
import type { LiveSession } from '../session/live-session.ts';

/**
 * Applies a checked card write: compares the expected revision, then replaces or clears. Clearing a card that never was
 * writes nothing, any other write takes the next revision.
 */
export function writeCard(live: LiveSession, put: CardPut, run: string | undefined, at: number): CardPutResult {
  const held = live.index.card;
  // What a run of the session before its reset still says must not bring its card back.
  if (live.isPast(run)) return { ok: false, code: 'conflict', revision: held.revision, card: held.card };
  if (put.expectedRevision !== undefined && put.expectedRevision !== held.revision) {
    return { ok: false, code: 'conflict', revision: held.revision, card: held.card };
  }
  const { expectedRevision: _, ...body } = put;
  const card = cardBody(body);
  if (!card && held.revision === 0) return { ok: true, revision: 0, steps: null, cleared: true };
  // Reached only when a producer sent a `card` event that says so.
  if (held.revision >= Number.MAX_SAFE_INTEGER)
    return { ok: false, code: 'unavailable', message: "The card's revision cannot rise any further." };
  const event: CardEvent = {
    type: 'card',
    session: live.session,
    revision: held.revision + 1,
    at,
    ...(run === undefined ? {} : { run }),
    card,
  };
  live.apply({ event, data: JSON.stringify(event) });
  return { ok: true, revision: event.revision, steps: card?.plan ? planCounts(card.plan) : null, cleared: card === null };
}
