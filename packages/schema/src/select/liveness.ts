import { isFinal } from '../wire/states.ts';
import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import type { View } from './view.ts';

/**
 * Whether what is shown can be believed to go on. It does not repeat the state:
 * - `moving`: nothing speaks against it; the only value under which anything may be animated;
 * - `quiet`: it should be speaking and has not for `quietAfter`, or nothing at all comes over the connection;
 * - `paused`: held, or its run is over, or (card) it was written before this run;
 * - `stale`: silent for ten times as long, reported stalled, or its stream has ended;
 * - `reconnecting`, `lost`: the connection, not the work, is in question;
 * - `settled`: it is over; nothing is expected.
 * Silence never makes anything failed.
 */
export type Liveness = 'moving' | 'quiet' | 'paused' | 'stale' | 'reconnecting' | 'lost' | 'settled';

/** Silence after which something live is called quiet, where the view does not say: milliseconds. */
export const QUIET_AFTER = 30_000;
/** How many quiet times make it stale. */
const STALE_FACTOR = 10;
/** The stable word of a producer that has itself noticed it makes no headway. */
const STALLED = 'stalled';

/** Liveness of an operation. Pending and blocked ones owe no news, and neither does a wait whose end is known. */
export function liveness(record: Operation, view: View): Liveness {
  if (isFinal(record.state)) return 'settled';
  const broken = connectionFault(view);
  if (broken !== undefined) return broken;
  if (record.state === 'paused' || (view.run !== undefined && isFinal(view.run.state))) return 'paused';
  if (record.reason === STALLED) return 'stale';
  return owesNews(record, view.now) ? bySilence(Math.max(record.updatedAt, view.heard ?? 0), view) : 'moving';
}

/**
 * Liveness of a card. It moves only in the run it was written in; without a body, or with every step ended, it is
 * settled. Under a connection a card that names a run nobody knows any more is paused. While its run is active a card
 * owes no news for a while: a step takes its time, so it is never quiet, only stale at last.
 */
export function cardLiveness(card: CardRecord, view: View): Liveness {
  if (card.card === null || isSettledPlan(card.card.plan)) return 'settled';
  const broken = connectionFault(view);
  if (broken !== undefined) return broken;
  if (view.run === undefined) {
    if (view.connection !== undefined && card.run !== undefined) return 'paused';
  } else if (isFinal(view.run.state) || !isWrittenIn(card, view.run)) {
    return 'paused';
  }
  if (card.updatedAt === undefined) return 'moving';
  const found = bySilence(card.updatedAt, view);
  return found === 'quiet' && view.run !== undefined ? 'moving' : found;
}

/** True when the card was written in that run: by its own word, else by the times, ends included. */
export function isWrittenIn(card: CardRecord, run: Run): boolean {
  if (card.run !== undefined) return card.run === run.run;
  if (card.updatedAt === undefined) return false;
  return (run.startedAt === undefined || run.startedAt <= card.updatedAt) && (run.endedAt === undefined || card.updatedAt <= run.endedAt);
}

const FAULTS = { connecting: 'reconnecting', reconnecting: 'reconnecting', quiet: 'quiet', lost: 'lost', ended: 'stale' } as const;

/** What the connection says against it, if anything. */
export function connectionFault({ connection }: View): 'reconnecting' | 'quiet' | 'lost' | 'stale' | undefined {
  return FAULTS[connection?.state as keyof typeof FAULTS];
}

function owesNews(record: Operation, now: number): boolean {
  if (record.state === 'waiting') return record.waitingOn?.until === undefined || record.waitingOn.until <= now;
  return record.state === 'running';
}

/** How silence since `updatedAt` is to be read. */
export function bySilence(updatedAt: number, view: View): 'moving' | 'quiet' | 'stale' {
  const quietAfter = view.quietAfter ?? QUIET_AFTER;
  const silence = view.now - updatedAt;
  if (silence <= quietAfter) return 'moving';
  return silence <= quietAfter * STALE_FACTOR ? 'quiet' : 'stale';
}

function isSettledPlan(plan: NonNullable<CardRecord['card']>['plan']): boolean {
  return plan !== undefined && plan.every((step) => step.status !== 'pending' && step.status !== 'in_progress');
}
