import type { OperationEvent } from '../wire/operation.ts';

/** Division leaves 28.999999999999996 where 29 is meant. */
const TOLERANCE = 1e-9;

/** The part done that an event states, 0 to 1; undefined when it states none. What is completed is whole if it was counted. */
export function partDone({ state, current, total, fraction }: OperationEvent): number | undefined {
  const counted = typeof current === 'number' && typeof total === 'number' && total > 0;
  const part = counted ? current / total : (fraction ?? undefined);
  if (part === undefined) return undefined;
  return state === 'completed' ? 1 : Math.min(1, Math.max(0, part));
}

/** The same in whole hundredths, rounded down, for a peer that only keeps whole numbers. */
export function hundredthsDone(event: OperationEvent): number | undefined {
  const part = partDone(event);
  return part === undefined ? undefined : Math.floor(part * 100 + TOLERANCE);
}
