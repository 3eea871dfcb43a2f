/**
 * A value that travels with the flow of control. This is the fallback for platforms without async tracking: the value
 * is current while `run` executes synchronously, up to its first `await`; after that, hand the value on yourself.
 */
export interface AsyncContext<T> {
  /** The value of the innermost `run` around the caller. */
  get(): T | undefined;
  /** Calls `fn` with `value` as the current one and gives back what it gives back. */
  run<R>(value: T | undefined, fn: () => R): R;
}

/** Makes a context of its own. */
export function createAsyncContext<T>(): AsyncContext<T> {
  let current: T | undefined;
  return {
    get: () => current,
    run(value, fn) {
      const before = current;
      current = value;
      try {
        return fn();
      } finally {
        current = before;
      }
    },
  };
}
