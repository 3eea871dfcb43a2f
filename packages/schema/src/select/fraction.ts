import type { Operation } from '../wire/operation.ts';
import { rawFraction } from './amounts.ts';

/**
 * The part done, 0 to 1: the width of a bar. Undefined when the source gave no amount or no usable total, and then no
 * bar may be filled. A completed operation is full if it ever was determinate; one that failed or was cancelled keeps
 * its last value.
 */
export function fraction(op: Pick<Operation, 'state' | 'current' | 'total' | 'fraction'>): number | undefined {
  const raw = rawFraction(op);
  if (raw === undefined) return undefined;
  return op.state === 'completed' ? 1 : Math.min(1, Math.max(0, raw));
}
