/// <reference lib="esnext.disposable" preserve="true" />
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Sink } from './sink.ts';

/** A sink that keeps what it is given: for tests, and for hosts that read the events themselves. */
export interface MemorySink extends Sink, AsyncDisposable {
  /** Every event so far, in order; the oldest are let go beyond `limit`. */
  readonly events: readonly ProgressEvent[];
}

/** Makes a memory sink that keeps the newest `limit` events. Default: 10,000. */
export function createMemorySink(options: { readonly limit?: number | undefined } = {}): MemorySink {
  const limit = options.limit ?? 10_000;
  const events: ProgressEvent[] = [];
  let closed = false;
  function close(): Promise<void> {
    closed = true;
    return Promise.resolve();
  }

  return {
    events,
    send(event) {
      if (closed) return;
      events.push(event);
      if (events.length > limit) events.shift();
    },
    flush: () => Promise.resolve(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
