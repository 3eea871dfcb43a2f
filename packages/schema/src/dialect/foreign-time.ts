import { isNumber } from '../check/guards.ts';

/** How times of peers become ours: epoch milliseconds, 1970 to 2100. Whatever is outside of that is of no use: undefined. */

/** The latest time the wire carries. */
const LAST_TIME = 4_102_444_800_000;

/** A time in epoch milliseconds. */
export function timeOfMs(value: unknown): number | undefined {
  return isNumber(value, 0, LAST_TIME) ? value : undefined;
}

/** A time in epoch seconds, possibly with a fraction. */
export function timeOfSeconds(value: unknown): number | undefined {
  return isNumber(value, 0, LAST_TIME / 1000) ? Math.round(value * 1000) : undefined;
}

/** A moment this many milliseconds before or after another. */
export function timeAfter(at: number, milliseconds: unknown): number | undefined {
  return typeof milliseconds === 'number' ? timeOfMs(at + milliseconds) : undefined;
}
