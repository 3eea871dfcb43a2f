import type { Outcome } from './outcome.ts';

/** What became of one event, and which operations look different now (changed, cleared or let go). */
export interface Applied {
  readonly outcome: Outcome;
  readonly changed: boolean;
  readonly keys: readonly string[];
}

const NO_KEYS: readonly string[] = Object.freeze([]);
/** The answer for a change that touches no operation. */
export const CHANGED: Applied = Object.freeze({ outcome: 'applied', changed: true, keys: NO_KEYS });
/** The answer for each outcome that leaves the operations as they are. */
export const ANSWERS: Readonly<Record<Outcome, Applied>> = Object.freeze({
  applied: CHANGED,
  late: dropped('late'),
  stale: dropped('stale'),
  duplicate: dropped('duplicate'),
  unknown: dropped('unknown'),
  invalid: dropped('invalid'),
});

function dropped(outcome: Outcome): Applied {
  return Object.freeze({ outcome, changed: false, keys: NO_KEYS });
}
