import { withReporter } from '../context/current.ts';
import { tell } from '../diagnostic.ts';
import type { SubjectOptions } from '../reporter/subject.ts';
import { createMeter } from './meter.ts';
import type { Meter } from './meter.ts';

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
  return isAsync(source) ? asyncItems(source, new Count<T>(source, options)) : syncItems(source, new Count<T>(source, options));
}

function isAsync<T>(source: AsyncIterable<T> | Iterable<T>): source is AsyncIterable<T> {
  return Symbol.asyncIterator in Object(source);
}

/** How many items a collection says it has. */
function sizeOf(source: unknown): number | undefined {
  const { length, size } = source as { readonly length?: unknown; readonly size?: unknown };
  return [length, size].find((count): count is number => typeof count === 'number' && Number.isFinite(count) && count > 0);
}

/** What one iteration came to so far. */
class Count<T> {
  readonly #source: unknown;
  readonly #options: TrackItemsOptions<T>;
  #meter: Meter | undefined;
  #items = 0;
  #over = false;

  constructor(source: unknown, options: TrackItemsOptions<T>) {
    this.#source = source;
    this.#options = options;
  }

  /** Takes one step of the source with the iteration's reporter as the current one. The item before it is done. */
  step<V>(take: () => V, ending?: 'stopped'): V {
    // A loop that is closed before its first item never was an invocation.
    if (this.#meter === undefined && ending !== undefined) this.#over = true;
    if (this.#over) return take();
    const meter = (this.#meter ??= this.#begin());
    if (ending === undefined && this.#items > meter.current) meter.add(this.#items - meter.current);
    return meter.reporter === undefined ? take() : withReporter(meter.reporter, take);
  }

  #begin(): Meter {
    const { message: _, total = sizeOf(this.#source), ...rest } = this.#options;
    return createMeter({ ...rest, total: total ?? undefined });
  }

  /** What a step answered. */
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

  /** What a step threw; it goes on to the reader as it is. */
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

function syncItems<T, R, N>(source: Iterable<T, R, N>, count: Count<T>): IterableIterator<T, R, N> {
  let iterator: Iterator<T, R, N> | undefined;
  const from = (): Iterator<T, R, N> => (iterator ??= source[Symbol.iterator]());
  const step = (take: () => IteratorResult<T, R>, ending?: 'stopped'): IteratorResult<T, R> => {
    try {
      return count.came(count.step(take, ending), ending);
    } catch (error) {
      count.failed(error);
      throw error;
    }
  };
  return {
    next: (...sent) => step(() => from().next(...sent)),
    return: (value) => step(() => (from().return?.(value) as IteratorResult<T, R> | undefined) ?? ended<R>(value), 'stopped'),
    throw: (error) =>
      step(() => {
        if (from().throw !== undefined) return from().throw!(error);
        from().return?.();
        throw error;
      }),
    [Symbol.iterator]() {
      return this;
    },
  };
}

function asyncItems<T, R, N>(source: AsyncIterable<T, R, N>, count: Count<T>): AsyncIterableIterator<T, R, N> {
  let iterator: AsyncIterator<T, R, N> | undefined;
  const from = (): AsyncIterator<T, R, N> => (iterator ??= source[Symbol.asyncIterator]());
  const step = async (take: () => PromiseLike<IteratorResult<T, R>>, ending?: 'stopped'): Promise<IteratorResult<T, R>> => {
    try {
      return count.came(await count.step(take, ending), ending);
    } catch (error) {
      count.failed(error);
      throw error;
    }
  };
  return {
    next: (...sent) => step(() => from().next(...sent)),
    return: (value) =>
      step(async () => ((await from().return?.(value)) as IteratorResult<T, R> | undefined) ?? ended<R>(await value), 'stopped'),
    throw: (error) =>
      step(async () => {
        if (from().throw !== undefined) return from().throw!(error);
        await from().return?.();
        throw error;
      }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The answer of a source that has no way to be closed. */
function ended<R>(value: unknown): IteratorReturnResult<R> {
  return { done: true, value: value as R };
}
