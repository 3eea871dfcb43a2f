import type { Estimate } from '@sitrep/schema/select';
import { tell } from '../diagnostic.ts';
import type { SubjectOptions } from '../reporter/subject.ts';
import type { Reporter } from '../reporter/types.ts';
import { createMeter } from './meter.ts';
import type { Meter, MeterEnd } from './meter.ts';
import { byteSize } from './size.ts';

/** Options of a stream meter. The unit is `bytes` unless another is given. */
export interface StreamMeterOptions<T = unknown> extends SubjectOptions {
  /** What one chunk counts. Default: its bytes, text as UTF-8; chunks of other kinds count nothing and are told once. */
  readonly size?: ((chunk: T) => number) | undefined;
}

/** What a stream came to so far. */
export interface StreamCount {
  /** The invocation; undefined when there is nothing to report on. */
  readonly reporter: Reporter | undefined;
  /** Bytes (or what `size` counts) that have passed. */
  readonly current: number;
  /** Rate and time left, once they can be told; see `estimate` of the schema's selectors. */
  estimate(): Estimate;
}

/** Makes the meter of a stream and what counts its chunks. */
export function createStreamMeter<T>(options: StreamMeterOptions<T>): { readonly meter: Meter; readonly count: (chunk: T) => void } {
  const { size = byteSize, ...rest } = options;
  const meter = createMeter({ unit: 'bytes', ...rest });
  let isTold = false;
  const count = (chunk: T): void => {
    const amount = sizeOf(size, chunk);
    if (amount !== undefined) return meter.add(amount);
    if (isTold) return;
    isTold = true;
    tell(options.onDiagnostic, {
      code: 'invalid',
      message: 'A chunk of the stream has no size and was not counted; it passed all the same.',
    });
  };
  return { meter, count };
}

function sizeOf<T>(size: (chunk: T) => number | undefined, chunk: T): number | undefined {
  try {
    const amount = size(chunk);
    return Number.isFinite(amount) && (amount as number) >= 0 ? amount : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same stream, counted as it is read: chunks pass as they are, one is pulled only when one is asked for, an error or a
 * cancellation goes on with its reason. The invocation begins now, completes when the stream has ended, fails with its
 * error, and is `cancelled` (`reader_stopped`) when its reader gave up. A stream of bytes stays one, for readers that bring
 * a buffer of their own (BYOB).
 */
export function meterReadable<T>(source: ReadableStream<T>, options: StreamMeterOptions<T> = {}): ReadableStream<T> & StreamCount {
  const { meter, count } = createStreamMeter(options);
  return counted(passing(source, meter, count), meter);
}

/** Passes a stream on, chunk for chunk as it is asked for. */
export function passing<T>(source: ReadableStream<T>, meter: MeterEnd, count: (chunk: T) => void): ReadableStream<T> {
  const type = isOfBytes(source) ? 'bytes' : undefined;
  const reader = source.getReader();
  const passage = {
    async pull(controller: ReadableStreamDefaultController<T> | ReadableByteStreamController): Promise<void> {
      try {
        const { done, value } = await reader.read();
        if (done) {
          meter.complete();
          controller.close();
          // A reader that waits with its own buffer is only told of the end by an answer to it.
          if ('byobRequest' in controller) controller.byobRequest?.respond(0);
          return;
        }
        count(value);
        controller.enqueue(value as T & ArrayBufferView<ArrayBuffer>);
      } catch (error) {
        meter.fail(error);
        controller.error(error);
      }
    },
    cancel(reason: unknown): Promise<void> {
      meter.cancel('reader_stopped');
      return reader.cancel(reason);
    },
  };
  if (type === 'bytes') return new ReadableStream({ ...passage, type }) as unknown as ReadableStream<T>;
  return new ReadableStream<T>(passage, { highWaterMark: 0 });
}

/** Only a stream of bytes gives a reader that brings its own buffer. */
function isOfBytes(source: ReadableStream): boolean {
  try {
    source.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/**
 * A pair for `pipeThrough`, which counts what passes: `response.body.pipeThrough(createMeterStream({ title: 'Download' }))`.
 * Behaves as an identity `TransformStream` and reports as `meterReadable` does; a writer that aborts fails it, or cancels it
 * when the reason is an abort.
 */
export function createMeterStream<T = Uint8Array>(options: StreamMeterOptions<T> = {}): ReadableWritablePair<T, T> & StreamCount {
  const { meter, count } = createStreamMeter(options);
  // By hand rather than by a transformer, whose `cancel` is missing in engines that are still in use.
  const { readable, writable } = new TransformStream<T, T>();
  return counted({ readable: passing(readable, meter, count), writable }, meter);
}

function counted<S extends object>(stream: S, meter: Meter): S & StreamCount {
  return Object.defineProperties(stream, {
    reporter: { value: meter.reporter, enumerable: false },
    current: { get: () => meter.current, enumerable: false },
    estimate: { value: () => meter.estimate(), enumerable: false },
  }) as S & StreamCount;
}
