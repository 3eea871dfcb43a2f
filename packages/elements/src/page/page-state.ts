import { formatPercent, fraction, percent, sessionState } from '@sitrep/schema/select';
import type { Language, SessionState as Word } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import type { SessionState } from '../display/feed.ts';
import { hasEnded, isSettled, look } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';

/** Where a session stands, as far as a tab can show it. */
export interface PageState {
  readonly word: Word | 'connecting';
  /** Part done, 0 to 1, while something goes on that says so. */
  readonly part: number | undefined;
  /** Requests to a person that nobody has answered. */
  readonly asks: number;
  /** What the title begins with: "42%", "needs you"; nothing where nothing goes on and nothing was missed. */
  readonly text: string | undefined;
}

/** What a tab says of a session. */
export function pageState(session: SessionState, now: number, language: Language): PageState {
  if (!session.loaded) return { word: 'connecting', part: undefined, asks: 0, text: undefined };
  const word = sessionState(session, { now, connection: session.connection });
  const asks = session.operations.filter(({ state }) => state === 'blocked').length;
  const lead = word === 'working' ? leading(session.operations) : undefined;
  const done = lead && percent(lead);
  return {
    word,
    part: lead && fraction(lead),
    asks,
    text: word === 'idle' ? undefined : done === undefined ? tr(look(word)[2], language) : formatPercent(done, language),
  };
}

/** True for what may stand in a title once nobody has to do anything about it any more. */
export const isOver = ({ word }: PageState): boolean => isSettled(word);

/** The newest outer operation that says how far it is. */
function leading(operations: readonly Operation[]): Operation | undefined {
  const fits = (operation: Operation): boolean =>
    !hasEnded(operation) && !operation.ambient && operation.parent === undefined && percent(operation) !== undefined;
  return operations.findLast(fits);
}
