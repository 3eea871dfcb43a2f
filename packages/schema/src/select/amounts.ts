import type { Operation } from '../wire/operation.ts';

/** The fields an amount is made of. */
export type Amounts = Pick<Operation, 'current' | 'total' | 'fraction'>;

/** The total when it is one: finite and above zero. Everything else is unknown. */
export function knownTotal(op: Amounts): number | undefined {
  return isNumber(op.total) && op.total > 0 ? op.total : undefined;
}

/** The amount done when it is a finite number. */
export function knownCurrent(op: Amounts): number | undefined {
  return isNumber(op.current) ? op.current : undefined;
}

/** The part done as the source gives it, not clamped: current by total, else the source's own fraction. */
export function rawFraction(op: Amounts): number | undefined {
  const current = knownCurrent(op);
  const total = knownTotal(op);
  if (current !== undefined && total !== undefined) return current / total;
  return isNumber(op.fraction) ? op.fraction : undefined;
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}
