/** Who watches an iteration pass. */
export interface Passage<T> {
  /** Takes one step of the source; `stopped` when the reader is closing it. */
  step<V>(take: () => V, ending?: 'stopped'): V;
  /** What a step answered; given back as it is. */
  came<R>(result: IteratorResult<T, R>, ending?: 'stopped'): IteratorResult<T, R>;
  /** What a step threw; it goes on to the reader as it is. */
  failed(error: unknown): void;
}

/** The steps of an iterator under the eyes of `passage`: what is sent, thrown or returned reaches the source as it is. */
export function passSync<T, R, N>(source: Iterable<T, R, N>, passage: Passage<T>): Required<IterableIterator<T, R, N>> {
  let iterator: Iterator<T, R, N> | undefined;
  const from = (): Iterator<T, R, N> => (iterator ??= source[Symbol.iterator]());
  const step = (take: () => IteratorResult<T, R>, ending?: 'stopped'): IteratorResult<T, R> => {
    try {
      return passage.came(passage.step(take, ending), ending);
    } catch (error) {
      passage.failed(error);
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

/** The same for an async iterator. */
export function passAsync<T, R, N>(source: AsyncIterable<T, R, N>, passage: Passage<T>): Required<AsyncIterableIterator<T, R, N>> {
  let iterator: AsyncIterator<T, R, N> | undefined;
  const from = (): AsyncIterator<T, R, N> => (iterator ??= source[Symbol.asyncIterator]());
  const step = async (take: () => PromiseLike<IteratorResult<T, R>>, ending?: 'stopped'): Promise<IteratorResult<T, R>> => {
    try {
      return passage.came(await passage.step(take, ending), ending);
    } catch (error) {
      passage.failed(error);
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
