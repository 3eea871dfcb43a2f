import { track as trackWork } from '../reporter/track.ts';
import type { Reporter } from '../reporter/types.ts';
import { trackItems } from './track-items.ts';
import type { TrackItemsOptions } from './track-items.ts';
import { kindOf } from '../setup.ts';

/**
 * Reports on work or on a loop.
 * - `track(reporter, fn)` runs `fn` with `reporter` as the current one and reports how it ended, unless `fn` already did.
 *   Gives back what `fn` gave back and throws what it threw, unchanged.
 * - `for (const item of track(items, { unit: 'files' }))` and `for await (…)` count the items of a loop; see `trackItems`.
 */
export function track<T>(reporter: Reporter, fn: (reporter: Reporter) => T | PromiseLike<T>): Promise<T>;
export function track<T, R, N>(source: AsyncIterable<T, R, N>, options?: TrackItemsOptions<T>): AsyncIterableIterator<T, R, N>;
export function track<T, R, N>(source: Iterable<T, R, N>, options?: TrackItemsOptions<T>): IterableIterator<T, R, N>;
export function track(subject: unknown, how?: unknown): unknown {
  if (typeof how === 'function') return trackWork(subject as Reporter, how as (reporter: Reporter) => unknown);
  const items = (subject ?? {}) as { readonly [Symbol.iterator]?: unknown; readonly [Symbol.asyncIterator]?: unknown };
  if (typeof items[Symbol.iterator] !== 'function' && typeof items[Symbol.asyncIterator] !== 'function') {
    throw new TypeError(`track needs a reporter and a function, or what can be iterated over, not ${kindOf(subject)}.`);
  }
  return trackItems(subject as Iterable<unknown>, how as TrackItemsOptions);
}
