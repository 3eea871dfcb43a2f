import type { FeedState } from '../display/feed.ts';

/** What the card is told as it is. */
export const HANDED_ON = ['card', 'operations', 'runs', 'usage', 'heading', 'actions', 'milestones', 'showOperations', 'history'] as const;

/** The parts of the card, which have their own names in the surface, too. */
export const CARD_PARTS =
  'base,head,toggle,title,pill,label,meta,counts,updated,usage,meter,current,position,body,plan,step,note,operations,operation,problem,retry';

/** True if the card has something to say, a failure included; who may not read the session is shown nothing. */
export function hasContent(
  own: { readonly card?: unknown; readonly operations?: readonly unknown[] | null | undefined },
  feed: FeedState | undefined,
): boolean {
  if (own.card || own.operations?.length) return true;
  const { session, error, denied } = feed ?? {};
  if (denied) return false;
  return !!session?.card.card || !!session?.operations.length || (!!error && !session?.loaded);
}
