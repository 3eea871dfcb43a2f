import assert from 'node:assert/strict';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMemorySink } from '@sitrep/harness/sink';
import { createReporter, currentReporter, track } from '@sitrep/harness/reporter';
import { createMeterStream, meterReadable } from '@sitrep/harness/meter';
import { createMeterTransform } from '@sitrep/harness/node';
import type { Diagnostic } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';

function setup() {
  const sink = createMemorySink();
  const clock = new ManualClock();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (each: Diagnostic): void => void diagnostics.push(each);
  const options = { sink, session: 's', id: 'stream', clock, throttleMs: 0, onDiagnostic };
  const events = sink.events as readonly OperationEvent[];
  const last = (): unknown[] => [events.at(-1)?.state, events.at(-1)?.current, events.at(-1)?.reason ?? events.at(-1)?.error?.message];
  return { sink, clock, options, events, last, diagnostics };
}

/** A source that gives these chunks, one per pull, and says how often it was pulled and what cancelled it. */
function sourceOf(chunks: readonly unknown[], failing?: unknown) {
  const seen = { pulls: 0, cancelled: undefined as unknown };
  const stream = new ReadableStream<unknown>(
    {
      pull(controller) {
        const chunk = chunks[seen.pulls];
        seen.pulls += 1;
        if (seen.pulls <= chunks.length) controller.enqueue(chunk);
        else if (failing === undefined) controller.close();
        else controller.error(failing);
      },
      cancel(reason) {
        seen.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const chunks: T[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const bytes = (...sizes: number[]): Uint8Array[] => sizes.map((size) => new Uint8Array(size).map((_, index) => index));

describe('a meter of a web stream', () => {
  for (const [name, metered] of [
    ['meterReadable', (source: ReadableStream<unknown>, options: object) => meterReadable(source, options)],
    ['createMeterStream', (source: ReadableStream<unknown>, options: object) => source.pipeThrough(createMeterStream<unknown>(options))],
  ] as const) {
    it(`${name} passes the very chunks and counts their bytes to the end`, async () => {
      const { options, events, last } = setup();
      const chunks = [...bytes(3, 0, 70_000), 'héé', new Uint16Array(2), new ArrayBuffer(5), new DataView(new ArrayBuffer(9), 2, 4)];
      const seen: unknown[] = [];
      for await (const chunk of metered(sourceOf(chunks).stream, { ...options, total: 70_021 })) seen.push(chunk);
      assert.equal(seen.length, chunks.length);
      for (const [index, chunk] of chunks.entries()) assert.equal(seen[index], chunk);
      assert.deepEqual([events[0]?.unit, events[0]?.total, ...last()], ['bytes', 70_021, 'completed', 70_021, undefined]);
    });

    it(`${name} goes on with an error of its source, the same one, and fails`, async () => {
      const { options, last } = setup();
      const error = new Error('disk');
      await assert.rejects(all(metered(sourceOf(bytes(4), error).stream, options)), (thrown) => thrown === error);
      assert.deepEqual(last(), ['failed', 4, 'disk']);
    });

    it(`${name} is cancelled by an abort of its source`, async () => {
      const { options, last } = setup();
      const error = new DOMException('stop', 'AbortError');
      await assert.rejects(all(metered(sourceOf(bytes(4), error).stream, options)), (thrown) => thrown === error);
      assert.deepEqual(last(), ['cancelled', 4, 'aborted']);
    });

    it(`${name} cancels its source with the reader's reason`, async () => {
      const { options, last } = setup();
      const { stream, seen } = sourceOf(bytes(4, 4, 4));
      const reader = metered(stream, options).getReader();
      await reader.read();
      await reader.cancel('enough');
      assert.deepEqual([seen.cancelled, ...last()], ['enough', 'cancelled', 4, 'reader_stopped']);
    });
  }

  it('pulls one chunk when one is asked for, and none before', async () => {
    const { options } = setup();
    const { stream, seen } = sourceOf(bytes(1, 1, 1));
    const reader = meterReadable(stream, options).getReader();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(seen.pulls, 0);
    await reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(seen.pulls, 1);
  });

  it('of bytes is one for readers with a buffer of their own, to its end and through its errors', async () => {
    const { options, events } = setup();
    const given = [[1, 2, 3], [4]];
    const source = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const chunk = given.shift();
        if (chunk !== undefined) return controller.enqueue(new Uint8Array(chunk));
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
    const reader = meterReadable<Uint8Array>(source, options).getReader({ mode: 'byob' });
    const read: number[][] = [];
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(2));
      if (done) break;
      read.push([...(value as Uint8Array)]);
    }
    assert.deepEqual(read, [[1, 2], [3], [4]]);
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.current], ['completed', 4]);
    const error = new Error('gone');
    const failing = new ReadableStream({ type: 'bytes', pull: (controller) => controller.error(error) });
    const failed = meterReadable<Uint8Array>(failing, options).getReader({ mode: 'byob' });
    await assert.rejects(failed.read(new Uint8Array(1)), (thrown) => thrown === error);
    assert.equal(events.at(-1)?.state, 'failed');
  });

  it('counts on when its clock was set back, and without a clock at all', async () => {
    let now = 1_700_000_000_000;
    const { options, events } = setup();
    const stream = new ReadableStream<string>({
      pull(controller) {
        now -= 60_000;
        controller.enqueue('ab');
      },
    });
    const reader = meterReadable(stream, { ...options, throttleMs: 100, clock: { now: () => now, after: () => () => {} } }).getReader();
    for (let step = 0; step < 3; step += 1) await reader.read();
    assert.deepEqual(
      events.map(({ current }) => current),
      [undefined, 2, 4, 6],
    );
    const broken = (): never => {
      throw new Error('no time');
    };
    const unclocked = meterReadable(new Blob(['abc']).stream(), { ...options, clock: { now: broken, after: broken } });
    assert.equal(await new Response(unclocked).text(), 'abc');
    assert.equal(unclocked.current, 3);
  });

  it('as a pair holds its writer back until its reader reads', async () => {
    const { options } = setup();
    const { readable, writable } = createMeterStream(options);
    const writer = writable.getWriter();
    let isWritten = false;
    const writing = writer.write(new Uint8Array(8)).then(() => (isWritten = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isWritten, false);
    await readable.getReader().read();
    await writing;
  });

  it('fails when its writer aborts, and is cancelled when that was an abort', async () => {
    for (const [reason, state] of [
      [new Error('gone'), 'failed'],
      [new DOMException('stop', 'AbortError'), 'cancelled'],
    ] as const) {
      const { options, last } = setup();
      const { readable, writable } = createMeterStream(options);
      const reading = readable.getReader().read();
      await writable.abort(reason);
      await assert.rejects(reading, (thrown) => thrown === reason);
      assert.equal(last()[0], state);
    }
  });

  it('counts no chunk of less than nothing', async () => {
    const { options, events, diagnostics } = setup();
    assert.equal(await new Response(meterReadable(new Blob(['abc']).stream(), { ...options, size: () => -5 })).text(), 'abc');
    assert.deepEqual([events.at(-1)?.current, diagnostics.length], [0, 1]);
  });

  it('lets chunks without a size pass uncounted and tells once, and counts by a size of one’s own', async () => {
    const { options, diagnostics, last } = setup();
    await all(meterReadable(sourceOf([{}, 7, null]).stream, options));
    assert.deepEqual([last()[1], diagnostics.map(({ code }) => code)], [0, ['invalid']]);
    const own = setup();
    const size = (chunk: unknown): number => (chunk === 7 ? Number.NaN : 2);
    await all(meterReadable(sourceOf([{}, 7, null]).stream, { ...own.options, size, unit: 'rows' }));
    assert.deepEqual([own.last()[1], own.events[0]?.unit], [4, 'rows']);
    const throwing = setup();
    const broken = (): number => {
      throw new Error('no');
    };
    assert.deepEqual(await all(meterReadable(sourceOf([1]).stream, { ...throwing.options, size: broken })), [1]);
  });

  it('knows its amount, its reporter and its estimate', async () => {
    const { options, clock } = setup();
    const metered = meterReadable(sourceOf(bytes(...Array.from({ length: 20 }, () => 1000))).stream, { ...options, total: 20_000 });
    const reader = metered.getReader();
    assert.deepEqual([metered.current, metered.reporter?.id, metered.estimate()], [0, 'stream', { confident: false }]);
    for (let second = 0; second < 10; second += 1) {
      clock.advance(1000);
      await reader.read();
    }
    const result = metered.estimate();
    assert.equal(metered.current, 10_000);
    assert.ok(result.confident && Math.abs(result.rate - 1000) < 1 && Math.abs((result.remainingMs ?? 0) - 10_000) < 10);
  });

  it('ends with its turn and goes on giving bytes; a given reporter is not ended', async () => {
    const abort = new AbortController();
    const { options, last } = setup();
    const reader = meterReadable(sourceOf(bytes(4, 4)).stream, { ...options, signal: abort.signal }).getReader();
    await reader.read();
    abort.abort();
    assert.deepEqual(await reader.read(), { done: false, value: bytes(4)[0] });
    assert.deepEqual(last().slice(0, 1), ['cancelled']);
    const own = setup();
    const reporter = createReporter(own.options);
    await all(meterReadable(sourceOf(bytes(4)).stream, { reporter, throttleMs: 0 }));
    assert.deepEqual([reporter.ended, own.events.at(-1)?.current], [false, 4]);
  });
});

describe('a meter of a Node stream', () => {
  it('passes bytes and text exactly, whatever the sizes, and completes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'grapheme' })), { maxLength: 20 }),
        async (chunks) => {
          const { options, last } = setup();
          const sent = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk)));
          const meter = createMeterTransform(options);
          const got: Buffer[] = [];
          const target = new Writable({ write: (chunk: Buffer, _, done) => (got.push(chunk), done()) });
          const source = new Readable({ read() {} });
          for (const chunk of sent) source.push(chunk);
          source.push(null);
          await pipeline(source, meter, target);
          const expected = Buffer.concat(sent.map((chunk) => Buffer.from(chunk)));
          assert.ok(Buffer.concat(got).equals(expected));
          assert.deepEqual(last(), ['completed', expected.length, undefined]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keeps an encoding other than UTF-8, and objects as they are', async () => {
    const { options, last } = setup();
    const meter = createMeterTransform(options);
    meter.end('00ff10', 'hex');
    assert.deepEqual(Buffer.concat((await meter.toArray()) as Buffer[]), Buffer.from([0, 255, 16]));
    assert.deepEqual(last(), ['completed', 3, undefined]);
    const objects = setup();
    const rows = createMeterTransform({ ...objects.options, unit: 'rows', size: () => 1 }, { objectMode: true });
    const row = { a: 1 };
    rows.write(row);
    rows.end('text');
    assert.deepEqual(await rows.toArray(), [row, 'text']);
    assert.deepEqual(objects.last(), ['completed', 2, undefined]);
  });

  it('holds its source back exactly as a PassThrough would', async () => {
    const accepted = (through: PassThrough | ReturnType<typeof createMeterTransform>): number => {
      let count = 0;
      while (count < 1000) {
        count += 1;
        if (!through.write(Buffer.alloc(1024))) break;
      }
      through.destroy();
      return count;
    };
    const options = { highWaterMark: 16_384 };
    const expected = accepted(new PassThrough(options));
    assert.equal(accepted(createMeterTransform(setup().options, options)), expected);
    assert.ok(expected < 1000);
  });

  it('takes and passes on the error of its source and of its target in a pipeline', async () => {
    const error = new Error('disk');
    for (const [source, target] of [
      [
        Readable.from(
          (async function* () {
            yield Buffer.alloc(4);
            throw error;
          })(),
        ),
        new PassThrough().resume(),
      ],
      [Readable.from([Buffer.alloc(4), Buffer.alloc(4)]), new Writable({ write: (_chunk, _encoding, done) => done(error) })],
    ] as const) {
      const { options, last } = setup();
      await assert.rejects(pipeline(source, createMeterTransform(options), target), (thrown) => thrown === error);
      assert.deepEqual([last()[0], last()[2]], ['failed', 'disk']);
    }
  });

  it('is cancelled by an abort, and when it is destroyed before its end', async () => {
    const { options, last } = setup();
    const abort = new AbortController();
    const piping = pipeline(new Readable({ read() {} }), createMeterTransform(options), new PassThrough(), { signal: abort.signal });
    abort.abort();
    await assert.rejects(piping, { name: 'AbortError' });
    assert.deepEqual(last().slice(0, 2), ['cancelled', 0]);
    const stopped = setup();
    const meter = createMeterTransform(stopped.options);
    meter.write(Buffer.alloc(3));
    await new Promise((resolve) => meter.destroy().once('close', resolve));
    assert.deepEqual(stopped.last(), ['cancelled', 3, 'reader_stopped']);
  });

  it('is an invocation inside the current one', async () => {
    const { options, events } = setup();
    await track(createReporter({ ...options, id: 'tool' }), async () => {
      await pipeline(Readable.from([Buffer.alloc(2)]), createMeterTransform({ title: 'Copy' }), new PassThrough().resume());
      assert.equal(currentReporter()?.id, 'tool');
    });
    const copy = events.filter(({ id }) => id !== 'tool');
    assert.deepEqual([copy[0]?.parent, copy[0]?.title, copy.at(-1)?.state, copy.at(-1)?.current], ['tool', 'Copy', 'completed', 2]);
  });
});
