import type { Store } from '@sitrep/client';
import type { CardRecord } from '@sitrep/schema';

/** Positions looked through at most. */
const POSITIONS = 5_000;

/** The versions of a session's card that the store's history still knows, oldest first; none without a history. */
export function cardVersions(store: Store): readonly CardRecord[] {
  const { seq } = store.getSnapshot();
  let from = Math.max(0, seq - POSITIONS);
  for (let to = seq; from < to;) {
    const middle = (from + to) >> 1;
    if (store.at(middle)) to = middle;
    else from = middle + 1;
  }
  const versions: CardRecord[] = [];
  for (let at = from; at <= seq; at++) {
    const card = store.at(at)?.card;
    if (card && card !== versions.at(-1)) versions.push(card);
  }
  return versions;
}
