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

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(Z)|([+-]\d\d):?(\d\d))?$/;

/**
 * A time written as ISO 8601 text. One without an offset is taken for UTC, which is what peers mean that leave it out: read
 * as a local time it would be another one on each machine.
 */
export function timeOfIso(value: unknown): number | undefined {
  const parts = typeof value === 'string' && value.length <= 40 ? ISO.exec(value) : null;
  if (parts === null) return undefined;
  const [, time, , hours, minutes] = parts;
  return timeOfMs(Date.parse(hours === undefined ? `${time}Z` : `${time}${hours}:${minutes}`));
}
