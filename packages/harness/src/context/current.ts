import { createAsyncContext } from '#async-context';
import type { AsyncContext } from '#async-context';
import type { Reporter } from '../reporter/types.ts';

/** Shared by every copy of this package in one process, so that a tool built against another copy still nests. */
const KEY = Symbol.for('sitrep.harness.reporter.1');

function context(): AsyncContext<Reporter> {
  const shared = globalThis as { [KEY]?: AsyncContext<Reporter> };
  return (shared[KEY] ??= createAsyncContext<Reporter>());
}

/**
 * The reporter of the invocation that is running right now, if there is one: set by `withReporter`, `track` and
 * `trackStream`. Follows `await` in Node, Bun and Deno; elsewhere only up to the first `await`.
 */
export function currentReporter(): Reporter | undefined {
  return context().get();
}

/** Calls `fn` with `reporter` as the current one (`undefined`: with none). Does not complete or fail anything. */
export function withReporter<R>(reporter: Reporter | undefined, fn: () => R): R {
  return context().run(reporter, fn);
}
