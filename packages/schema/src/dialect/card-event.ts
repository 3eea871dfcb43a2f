import type { Card, CardEvent, Step } from '../wire/card.ts';
import type { DecodeContext } from './dialect.ts';
import { present } from './finish.ts';

/** How dialects whose peers keep a list or a note come to our card, which has a revision and is replaced whole. */

/** What a stream of lists without revisions is to be remembered by: the revision given to the newest of them. */
export interface CardMemory {
  readonly revision?: number | undefined;
}

/** The revision of a list that carries none: one above what the caller holds and what was given out before. */
export function nextRevision(context: DecodeContext, memory?: CardMemory): number {
  return Math.max(context.revision ?? 0, memory?.revision ?? 0) + 1;
}

/** The body of a card, or null when there is nothing in it, which clears. */
export function bodyOf(plan: Step[] | undefined, markdown: string | undefined): Card | null {
  const steps = plan === undefined || plan.length === 0 ? undefined : plan;
  const note = markdown === undefined || markdown.trim() === '' ? undefined : markdown;
  return steps === undefined && note === undefined ? null : present({ plan: steps, markdown: note });
}

/** A card event in this session and run. */
export function cardEvent({ session, run }: DecodeContext, revision: number, at: number, card: Card | null): CardEvent {
  return { type: 'card', session, revision, at, ...(run === undefined ? undefined : { run }), card };
}
