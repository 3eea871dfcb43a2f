import { withReporter } from '../context/current.ts';
import { abortReason, isAbort } from './failure.ts';
import type { Patch, Reporter } from './types.ts';

/** How thrown values end an invocation: an abort is a cancellation, everything else a failure. */
export function reportThrown(reporter: Reporter, error: unknown, patch?: Patch): void {
  if (reporter.ended) return;
  if (isAbort(error)) reporter.cancel(abortReason(error), patch);
  else reporter.fail(error, patch);
}

/**
 * Runs `fn` with `reporter` as the current one and reports how it ended, unless `fn` already did. Gives back what `fn`
 * gave back and throws what it threw, unchanged; observing it costs it nothing else.
 */
export async function track<T>(reporter: Reporter, fn: (reporter: Reporter) => T | PromiseLike<T>): Promise<T> {
  let result: T;
  try {
    result = await withReporter(reporter, () => fn(reporter));
  } catch (error) {
    reportThrown(reporter, error);
    throw error;
  }
  if (!reporter.ended) reporter.complete();
  return result;
}

type StreamSource<T, R> = (reporter: Reporter) => AsyncIterable<T, R> | PromiseLike<AsyncIterable<T, R>>;

/**
 * The same for a tool that streams its result: every step of `source` runs with `reporter` as the current one, the
 * values pass through unchanged, and so does what the reader sends or throws in. A reader that stops early ends the invocation as `cancelled` (`reader_stopped`).
 */
export function trackStream<T, R = unknown>(reporter: Reporter, source: StreamSource<T, R>): AsyncGenerator<T, R, unknown> {
  let begun = false;
  const stream = pass(reporter, (current) => {
    begun = true;
    return source(current);
  }) as AsyncGenerator<unknown, unknown, unknown>;
  const next = stream.next.bind(stream);
  // A generator that is stopped before its first step runs none of its own code, so nothing in it could tell.
  const stop = stream.return.bind(stream);
  const fail = stream.throw.bind(stream);
  return Object.assign(stream, {
    next: async (...sent: [] | [unknown]) => opened<T, R>(await next(...sent)),
    async return(value: R | PromiseLike<R>) {
      if (!begun && !reporter.ended) reporter.cancel('reader_stopped');
      return opened<T, R>(await stop(value));
    },
    async throw(error: unknown) {
      if (!begun) reportThrown(reporter, error);
      return opened<T, R>(await fail(error));
    },
  }) as AsyncGenerator<T, R, unknown>;
}

/** A value on its way through a generator, which would wait for one that is a promise. */
class Boxed<T> {
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
}

function opened<T, R>({ done, value }: IteratorResult<unknown, unknown>): IteratorResult<T, R> {
  return { done: done === true, value: value instanceof Boxed ? (value.value as unknown) : value } as IteratorResult<T, R>;
}

async function* pass<T, R>(reporter: Reporter, source: StreamSource<T, R>): AsyncGenerator<Boxed<T>, Boxed<R>, unknown> {
  let iterator: AsyncIterator<T, R> | undefined;
  let pulling = true;
  let finished = false;
  try {
    iterator = (await withReporter(reporter, () => source(reporter)))[Symbol.asyncIterator]();
    const from = iterator;
    let take = (): Promise<IteratorResult<T, R>> => from.next();
    for (;;) {
      pulling = true;
      const step = await withReporter(reporter, take);
      pulling = false;
      if (step.done === true) {
        finished = true;
        if (!reporter.ended) reporter.complete();
        return new Boxed(step.value);
      }
      take = yield* asked(from, step.value);
    }
  } catch (error) {
    // What the source threw ended it; what the reader threw in did not.
    finished = pulling;
    reportThrown(reporter, error);
    throw error;
  } finally {
    if (!finished) {
      if (!reporter.ended) reporter.cancel('reader_stopped');
      const from = iterator;
      await withReporter(reporter, () => from?.return?.());
    }
  }
}

/** Hands a value out; answers the step that the reader asks for next: what it sent or threw in goes to the source. */
function* asked<T, R>(from: AsyncIterator<T, R>, value: T): Generator<Boxed<T>, () => Promise<IteratorResult<T, R>>, unknown> {
  try {
    const sent = yield new Boxed(value);
    return () => (from.next as (value: unknown) => Promise<IteratorResult<T, R>>).call(from, sent);
  } catch (error) {
    if (from.throw === undefined) throw error;
    return () => from.throw!(error);
  }
}
