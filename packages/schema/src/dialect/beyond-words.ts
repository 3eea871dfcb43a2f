import type { Operation } from '../wire/operation.ts';

/** Fields that no frame about a call of the peer's own gives it. */
const BEYOND = ['current', 'total', 'fraction', 'activeTitle', 'unit', 'usage', 'seq', 'waitingOn', 'cancellable'] as const;

/** True for an operation of the peer's own of which more was said than the peer has words for, and so by a place of ours. */
export function isBeyondWords(operation: Operation): boolean {
  if (operation.kind === 'tool' && operation.message !== undefined) return true;
  return BEYOND.some((field) => operation[field] !== undefined);
}
