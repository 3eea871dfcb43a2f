import type { Operation } from '../wire/operation.ts';
import { fraction } from './fraction.ts';

/** Division leaves 28.999999999999996 where 29 is meant. */
const TOLERANCE = 1e-9;

/**
 * The whole percent shown everywhere: bar, pill, text, notification and terminal. Rounded down, and 100 only when the
 * amount has reached the total or the operation completed, so 99.8 % is shown as 99. Undefined when indeterminate.
 * 100 says nothing about the state.
 */
export function percent(op: Pick<Operation, 'state' | 'current' | 'total' | 'fraction'>): number | undefined {
  const part = fraction(op);
  if (part === undefined) return undefined;
  return part === 1 ? 100 : Math.min(99, Math.floor(part * 100 + TOLERANCE));
}
