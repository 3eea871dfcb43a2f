import { isFinal } from '../wire/states.ts';
import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import { bySilence, connectionFault, isWrittenIn, liveness } from './liveness.ts';
import type { Liveness } from './liveness.ts';
import type { View } from './view.ts';

/** The parts of a session that can be alive. */
interface LivingParts {
  readonly operations: Iterable<Operation>;
  readonly runs: Iterable<Run>;
  readonly card?: CardRecord | undefined;
}

/** From least to most alive: a session is as alive as its liveliest part. */
const RANKS = ['settled', 'paused', 'stale', 'quiet', 'moving'] as const;
type Rank = (typeof RANKS)[number];

/**
 * Whether anything in a session can be believed to go on: the best of its operations, and of its active runs, which live
 * by the newest word of the run, of its card or of its operations. `settled` when nothing is open.
 */
export function sessionLiveness(parts: LivingParts, view: Omit<View, 'run'>): Liveness {
  const active = new Map<string, number>();
  const ended = new Map<string, Run>();
  const { card } = parts;
  for (const run of parts.runs) {
    if (isFinal(run.state)) ended.set(run.run, run);
    else active.set(run.run, Math.max(run.updatedAt, (card && isWrittenIn(card, run) && card.updatedAt) || 0));
  }
  let best: Rank = 'settled';
  for (const operation of parts.operations) {
    if (operation.run !== undefined) hear(active, operation.run, operation.updatedAt);
    if (isFinal(operation.state) || operation.ambient === true) continue;
    const found = liveness(operation, {
      ...view,
      connection: undefined,
      run: operation.run === undefined ? undefined : ended.get(operation.run),
    });
    best = better(best, found as Rank);
  }
  for (const heard of active.values()) best = better(best, bySilence(heard, view));
  return best === 'settled' ? best : (connectionFault(view) ?? best);
}

/** Takes note of a newer word from an active run. */
function hear(active: Map<string, number>, run: string, at: number): void {
  const before = active.get(run);
  if (before !== undefined && before < at) active.set(run, at);
}

function better(a: Rank, b: Rank): Rank {
  return RANKS.indexOf(a) >= RANKS.indexOf(b) ? a : b;
}
