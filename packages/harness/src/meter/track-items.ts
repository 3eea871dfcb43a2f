import { withReporter } from '../context/current.ts';
import { tell } from '../diagnostic.ts';
import type { SubjectOptions } from '../reporter/subject.ts';
import { createMeter } from './meter.ts';
import type { Meter } from './meter.ts';
import { passAsync, passSync } from './pass-items.ts';
import type { Passage } from './pass-items.ts';

/** Options of a tracked iteration. */
export interface TrackItemsOptions<T = unknown> extends Omit<SubjectOptions, 'total' | 'message'> {
  /** How many items there are; null or absent when nobody knows. Default: `length` or `size` of what is iterated. */
  readonly total?: number | null | undefined;
  /** What to say when an item begins. Undefined keeps what was said. */
  readonly message?: ((item: T, index: number) => string | undefined) | undefined;
}

/**
 * Counts the items of a loop: one is done when the next is asked for. Items, the value the iterator returns, and what is
 * sent or thrown into it pass through unchanged. The invocation begins with the first item asked for, completes when the
 * source has ended, fails with what the source threw, and is `interrupted` (`stopped_early`) when the loop was left early:
 * a `break` and an error in the body look the same from here.
 */
export function trackItems<T, R, N>(source: AsyncIterable<T, R, N>, options?: TrackItemsOptions<T>): AsyncIterableIterator<T, R, N>;
export function trackItems<T, R, N>(source: Iterable<T, R, N>, options?: TrackItemsOptions<T>): IterableIterator<T, R, N>;
export function trackItems<T>(source: AsyncIterable<T> | Iterable<T>, options: TrackItemsOptions<T> = {}): unknown {
  return isAsync(source) ? passAsync(source, new Count<T>(source, options)) : passSync(source, new Count<T>(source, options));
}

function isAsync<T>(source: AsyncIterable<T> | Iterable<T>): source is AsyncIterable<T> {
  return Symbol.asyncIterator in Object(source);
}

/** How many items a collection says it has. Not a text, whose length counts code units and whose items are characters. */
function sizeOf(source: unknown): number | undefined {
  if (typeof source === 'string') return undefined;
  const { length, size } = source as { readonly length?: unknown; readonly size?: unknown };
  return [length, size].find((count): count is number => typeof count === 'number' && Number.isFinite(count) && count > 0);
}

/** What one iteration came to so far. */
class Count<T> implements Passage<T> {
  readonly #source: unknown;
  readonly #options: TrackItemsOptions<T>;
  /** A list does no work of its own when it is read, so nothing in it asks who is current. */
  readonly #isStill: boolean;
  #meter: Meter | undefined;
  #items = 0;
  #over = false;

  constructor(source: unknown, options: TrackItemsOptions<T>) {
    this.#source = source;
    this.#options = options;
    this.#isStill = Array.isArray(source);
  }

  /** The item before the one that is asked for is done. */
  step<V>(take: () => V, ending?: 'stopped'): V {
    // A loop that is closed before its first item never was an invocation.
    if (this.#meter === undefined && ending !== undefined) this.#over = true;
    if (this.#over) return take();
    const meter = (this.#meter ??= this.#begin());
    if (ending === undefined && this.#items > meter.current) meter.add(this.#items - meter.current);
    return meter.reporter === undefined || this.#isStill ? take() : withReporter(meter.reporter, take);
  }

  #begin(): Meter {
    const { message: _, total = sizeOf(this.#source), ...rest } = this.#options;
    // The total of an empty list is 0, which is right and nothing to divide by.
    return createMeter({ ...rest, total: total === 0 ? undefined : (total ?? undefined) });
  }

  came<R>(result: IteratorResult<T, R>, ending?: 'stopped'): IteratorResult<T, R> {
    if (this.#over) return result;
    if (result.done === true) {
      this.#over = true;
      if (ending === undefined) this.#meter?.complete();
      else this.#meter?.stop('stopped_early');
      return result;
    }
    const message = this.#textOf(result.value);
    this.#items += 1;
    if (message !== undefined) this.#meter?.add(0, { message });
    return result;
  }

  failed(error: unknown): void {
    if (!this.#over) this.#meter?.fail(error);
    this.#over = true;
  }

  #textOf(item: T): string | undefined {
    try {
      return this.#options.message?.(item, this.#items);
    } catch {
      tell(this.#options.onDiagnostic, {
        code: 'invalid',
        message: 'The message of an item could not be made; the loop goes on without it.',
      });
      return undefined;
    }
  }
}
