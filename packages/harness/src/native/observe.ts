import { withReporter } from '../context/current.ts';
import type { MeterEnd } from '../meter/meter.ts';
import { passAsync, passSync } from '../meter/pass-items.ts';
import type { Passage } from '../meter/pass-items.ts';
import { passing } from '../meter/web-stream.ts';
import { reportThrown } from '../reporter/track.ts';
import type { Reporter } from '../reporter/types.ts';
import { isThenable } from '../sink/hand-over.ts';
import { inPlaceOf } from './in-place-of.ts';

/** Ends the invocation when `output` has: at once for a value, later for what arrives later. Gives back the same, or as good. */
export function observed<Output>(reporter: Reporter, output: Output): Output {
  try {
    return watch(reporter, output) as Output;
  } catch {
    // It cannot be looked into (a revoked proxy, a stream that somebody reads already); it is the tool's answer all the same.
    endOf(reporter).complete();
    return output;
  }
}

function watch(reporter: Reporter, output: unknown): unknown {
  if (isThenable(output)) return promised(reporter, output);
  const end = endOf(reporter);
  if (typeof output === 'object' && output !== null) {
    if (has(output, 'getReader', 'tee')) return passing(output as unknown as ReadableStream, end, () => {});
    if (has(output, 'pipe', 'on') && 'readableEnded' in output) return nodeStream(end, output as unknown as NodeReadable);
    if (has(output, Symbol.asyncIterator)) return asyncItems(reporter, output as object & AsyncIterable<unknown>);
    // An iterator does its work as it is read; a list, a map or a set has done it.
    if (has(output, Symbol.iterator, 'next'))
      return inPlaceOf(output, passSync(output as object as Iterable<unknown>, passageOf(reporter)));
  }
  end.complete();
  return output;
}

function has(value: object, ...names: readonly (string | symbol)[]): boolean {
  return names.every((name) => typeof (value as Record<string | symbol, unknown>)[name] === 'function');
}

function endOf(reporter: Reporter): MeterEnd {
  return {
    complete: () => void (reporter.ended || reporter.complete()),
    fail: (error) => reportThrown(reporter, error),
    cancel: (reason) => void (reporter.ended || reporter.cancel(reason)),
  };
}

/** A rejection that nobody handles stays one: the promise that observes it is the one that is handed out. */
async function settled(reporter: Reporter, output: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await output;
  } catch (error) {
    reportThrown(reporter, error);
    throw error;
  }
  // A promise of a stream ends with the stream.
  return observed(reporter, value);
}

/**
 * What settles in place of `output`. A plain promise is as good as another. One that is more than that keeps what it is, and
 * is asked only when somebody asks: clients and query builders do their work then, or another way of giving it.
 */
function promised(reporter: Reporter, output: PromiseLike<unknown>): unknown {
  if (Object.getPrototypeOf(output) === Promise.prototype && Object.getOwnPropertyNames(output).length === 0)
    return settled(reporter, output);
  let promise: Promise<unknown> | undefined;
  const asked = (): Promise<unknown> => (promise ??= settled(reporter, output));
  return inPlaceOf(output, {
    // oxlint-disable-next-line unicorn/no-thenable -- it takes the place of one
    then: (...next: Parameters<Promise<unknown>['then']>) => asked().then(...next),
    catch: (...next: Parameters<Promise<unknown>['catch']>) => asked().catch(...next),
    finally: (...next: Parameters<Promise<unknown>['finally']>) => asked().finally(...next),
  });
}

interface NodeReadable {
  on(event: 'close', listener: () => void): unknown;
  readonly readableEnded: boolean;
  readonly errored?: Error | null;
  readonly closed?: boolean;
}

/** Listens to `close` alone: a listener for `error` or `data` would change what the stream does. */
function nodeStream(end: MeterEnd, stream: NodeReadable): NodeReadable {
  const close = (): void => {
    if (stream.errored !== null && stream.errored !== undefined) end.fail(stream.errored);
    else if (stream.readableEnded) end.complete();
    else end.cancel('reader_stopped');
  };
  if (stream.closed === true) close();
  else stream.on('close', close);
  return stream;
}

/** The steps run inside the invocation; what ends the iteration ends it. */
function passageOf(reporter: Reporter): Passage<unknown> {
  const end = endOf(reporter);
  return {
    step: (take) => withReporter(reporter, take),
    came(result, ending) {
      if (result.done === true) {
        if (ending === undefined) end.complete();
        else end.cancel('reader_stopped');
      }
      return result;
    },
    failed: end.fail,
  };
}

/** Runs work inside an invocation that somebody else ends: a generator's steps too. */
export function inside<Output>(reporter: Reporter, work: () => Output): Output {
  const output = withReporter(reporter, work);
  if (typeof output !== 'object' || output === null || !has(output, Symbol.asyncIterator, 'next')) return output;
  const passage: Passage<unknown> = { step: (take) => withReporter(reporter, take), came: (result) => result, failed: () => {} };
  return inPlaceOf(output, passAsync(output as unknown as AsyncIterable<unknown>, passage));
}

/** An async generator, or what else can be iterated: its first reading is the invocation. */
function asyncItems(reporter: Reporter, source: object & AsyncIterable<unknown>): unknown {
  if (has(source, 'next')) return inPlaceOf(source, passAsync(source, passageOf(reporter)));
  let isTaken = false;
  const iterate = (): AsyncIterator<unknown> => {
    if (isTaken) return source[Symbol.asyncIterator]();
    isTaken = true;
    return passAsync(source, passageOf(reporter));
  };
  return inPlaceOf(source, { [Symbol.asyncIterator]: iterate });
}
