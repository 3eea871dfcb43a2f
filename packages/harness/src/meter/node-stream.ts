import { Transform } from 'node:stream';
import type { TransformOptions } from 'node:stream';
import type { Estimate } from '@sitrep/schema/select';
import type { Reporter } from '../reporter/types.ts';
import type { Meter } from './meter.ts';
import { createStreamMeter } from './web-stream.ts';
import type { StreamCount, StreamMeterOptions } from './web-stream.ts';

/** A Node transform that passes everything on and counts it. */
export interface MeterTransform extends Transform, StreamCount {}

/**
 * A transform for `pipeline(source, createMeterTransform({ title: 'Upload', total }), target)`: chunks pass as they are,
 * backpressure is that of an ordinary `PassThrough`. It completes when all of it has been written on, fails with the error
 * it was destroyed with, and is `cancelled` (`reader_stopped`) when it was destroyed without one. `source.pipe(meter)`
 * counts too, but Node's `pipe` does not say when its source fails: use `pipeline`, which does.
 */
export function createMeterTransform(
  options: StreamMeterOptions = {},
  stream: Pick<TransformOptions, 'objectMode' | 'highWaterMark' | 'signal'> = {},
): MeterTransform {
  return new CountingTransform(options, stream);
}

class CountingTransform extends Transform implements MeterTransform {
  readonly #meter: Meter;
  readonly #count: (chunk: unknown) => void;

  constructor(options: StreamMeterOptions, stream: TransformOptions) {
    // Text stays text, in the encoding it came in.
    super({ ...stream, decodeStrings: false });
    const { meter, count } = createStreamMeter(options);
    this.#meter = meter;
    this.#count = count;
  }

  get reporter(): Reporter | undefined {
    return this.#meter.reporter;
  }

  get current(): number {
    return this.#meter.current;
  }

  estimate(): Estimate {
    return this.#meter.estimate();
  }

  override _transform(chunk: unknown, encoding: BufferEncoding, done: (error: null) => void): void {
    this.#count(typeof chunk === 'string' && encoding !== 'utf8' && !this.writableObjectMode ? Buffer.from(chunk, encoding) : chunk);
    this.push(chunk, encoding);
    done(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (error !== null) this.#meter.fail(error);
    else if (this.readableEnded) this.#meter.complete();
    else this.#meter.cancel('reader_stopped');
    done(error);
  }
}
