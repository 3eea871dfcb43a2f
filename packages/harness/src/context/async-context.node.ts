import { AsyncLocalStorage } from 'node:async_hooks';
import type { AsyncContext } from './async-context.ts';

export type { AsyncContext } from './async-context.ts';

/** Makes a context that follows promises, timers and callbacks: Node, Bun, Deno and workers with `node:async_hooks`. */
export function createAsyncContext<T>(): AsyncContext<T> {
  const storage = new AsyncLocalStorage<T | undefined>();
  return { get: () => storage.getStore(), run: (value, fn) => storage.run(value, fn) };
}
