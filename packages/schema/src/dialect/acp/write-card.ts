import type { CardEvent, Step } from '../../wire/card.ts';
import { bodyOf } from '../card-event.ts';
import type { AcpWords } from './words.ts';

/** An entry of a plan as it is written. The peer demands a priority; we have none. */
export interface AcpPlanEntry {
  readonly content: string;
  readonly priority: 'medium';
  readonly status: string;
}

/** The plan of a card as entries; none for a clear or a note alone. */
export function entriesOf({ card }: CardEvent, words: AcpWords): AcpPlanEntry[] {
  const plan: readonly Step[] = (card === null ? null : bodyOf(card.plan, card.markdown))?.plan ?? [];
  return plan.map(({ step, status }) => ({ content: step, priority: 'medium', status: words.step(status) }));
}

/** True when the list is the one that would be written for the card: whoever changed it meant something else. */
export function sameEntries(value: unknown, entries: readonly AcpPlanEntry[]): boolean {
  if (!Array.isArray(value) || value.length !== entries.length) return false;
  return entries.every(({ content, status }, index) => {
    const entry = value[index] as { content?: unknown; status?: unknown } | null | undefined;
    return entry?.content === content && entry.status === status;
  });
}
