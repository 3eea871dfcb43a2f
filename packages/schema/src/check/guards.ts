import { codePointLength } from './text/code-points.ts';
import { isPlainLine } from './text/plain.ts';

/** The few questions the generated validators ask. Each is total: it answers for any value and runs no foreign code. */

/** An object that is not an array and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of `min` (0 or 1) to `max` code points. The cheap bounds come first: nothing is counted when they decide. */
export function isText(value: unknown, min: number, max: number): value is string {
  if (typeof value !== 'string') return false;
  const units = value.length;
  return units >= min && (units <= max || fitsCounted(value, max));
}

/** Apart, so that what is asked of every text stays small enough to be built into its callers. */
function fitsCounted(text: string, max: number): boolean {
  return text.length <= 2 * max && codePointLength(text) <= max;
}

/** A finite number of `min` to `max`. */
export function isNumber(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max && value - value === 0;
}

/** An integer of at least `min` that JavaScript carries without rounding. Most are small: the first test settles those. */
export function isInteger(value: unknown, min: number): value is number {
  return typeof value === 'number' && value >= min && ((value | 0) === value || Number.isSafeInteger(value));
}

/** What a walk over a value notes on its way: `odd` is true when there may be text to clean. */
export interface Look {
  odd: boolean;
}

/** Notes a text that is not plain, and any other value, whose parts were not looked at. */
export function lookAt(value: unknown, look: Look): void {
  if (typeof value !== 'string' || !isPlainLine(value)) look.odd = true;
}

/** True when every item passes. The caller has bounded the length before. */
export function everyItem(items: readonly unknown[], test: (item: unknown) => boolean): boolean {
  for (let index = 0; index < items.length; index++) if (!test(items[index])) return false;
  return true;
}

/** True when every own value of the object passes. */
export function everyValue(record: Record<string, unknown>, test: (value: unknown) => boolean): boolean {
  for (const key of Object.keys(record)) if (record[key] !== undefined && !test(record[key])) return false;
  return true;
}
