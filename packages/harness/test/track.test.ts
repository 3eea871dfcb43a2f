import assert from 'node:assert/strict';
import { ReadableStream } from 'node:stream/web';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { createCallbackSink, createMemorySink } from '@sitrep/harness/sink';
import type { Sink } from '@sitrep/harness';
import { createReporter, currentReporter, track, trackStream } from '@sitrep/harness/reporter';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent } from '@sitrep/schema/wire';

const base = (sink: Sink) => ({ sink, session: 's', throttleMs: 0 });
/** The events without their times. */
const shape = (events: readonly unknown[]): readonly OperationEvent[] =>
  (events as readonly OperationEvent[]).map((event) => ({ ...event, at: 0 }));

describe('track', () => {
  it('makes the reporter current for the work and everything it awaits, and not outside', async () => {
    const reporter = createReporter(base(createMemorySink()));
    assert.equal(currentReporter(), undefined);
    await track(reporter, async () => {
      assert.equal(currentReporter(), reporter);
      await sleep(1);
      assert.equal(currentReporter(), reporter);
      await Promise.all(
        [1, 2].map(async () => {
          await Promise.resolve();
          assert.equal(currentReporter(), reporter);
        }),
      );
    });
    assert.equal(currentReporter(), undefined);
  });

  it('gives back exactly what the work gave back and completes', async () => {
    const sink = createMemorySink();
    const result = { deep: [1] };
    assert.equal(await createReporter(base(sink)).track(() => Promise.resolve(result)), result);
    assert.deepEqual(result, { deep: [1] });
    assert.deepEqual(
      shape(sink.events).map(({ state }) => state),
      ['running', 'completed'],
    );
  });

  it('throws exactly what the work threw, thrown values that are no errors included, and fails', async () => {
    for (const thrown of [new Error('no'), 'text', undefined, null, 0, Object.freeze({ a: 1 })]) {
      const sink = createMemorySink();
      const caught = await createReporter(base(sink))
        .track(() => {
          throw thrown;
        })
        .then(
          () => 'nothing',
          (error: unknown) => ({ error }),
        );
      assert.deepEqual(caught, { error: thrown });
      assert.equal(shape(sink.events).at(-1)?.state, 'failed');
    }
  });

  it('takes an abort for a cancellation and rethrows it unchanged', async () => {
    const sink = createMemorySink();
    const abort = new AbortController();
    const reporter = createReporter({ ...base(sink), signal: abort.signal });
    const work = reporter.track(() => sleep(60_000, undefined, { signal: abort.signal }));
    abort.abort();
    await assert.rejects(work, { name: 'AbortError' });
    assert.deepEqual(
      shape(sink.events).map(({ state }) => state),
      ['running', 'cancelled'],
    );
  });

  it('takes an AbortError of a signal it does not know for a cancellation too', async () => {
    const sink = createMemorySink();
    await assert.rejects(
      createReporter(base(sink)).track(() => {
        throw new DOMException('stop', 'AbortError');
      }),
    );
    assert.equal(shape(sink.events).at(-1)?.state, 'cancelled');
  });

  it('lets work that takes no notice of the abort go on, with its result and its reports late', async () => {
    const sink = createMemorySink();
    const abort = new AbortController();
    const reporter = createReporter({ ...base(sink), signal: abort.signal });
    const result = await reporter.track((own) => {
      abort.abort('stopped');
      assert.equal(own.update({ current: 1 }), 'late');
      return 'done all the same';
    });
    assert.equal(result, 'done all the same');
    assert.deepEqual(
      shape(sink.events).map(({ state, reason }) => [state, reason]),
      [
        ['running', undefined],
        ['cancelled', 'stopped'],
      ],
    );
    assert.equal(reporter.counts.late, 1);
  });

  it('leaves an end that the work reported itself', async () => {
    const sink = createMemorySink();
    await createReporter(base(sink)).track((reporter) => reporter.fail('no such file'));
    assert.equal(shape(sink.events).at(-1)?.state, 'failed');
  });
});

describe('nested invocations', () => {
  it('get their parent by themselves, three deep and recursive, and end each on its own', async () => {
    const sink = createMemorySink();
    const depths: number[] = [];
    async function visit(depth: number): Promise<void> {
      const reporter = createReporter({ ...base(sink), run: 'r', id: `level-${depth}`, tool: { name: 'visit', origin: 'native' } });
      await reporter.track(async () => {
        depths.push(depth);
        await Promise.resolve();
        if (depth < 3) await visit(depth + 1);
        assert.equal(reporter.ended, false);
        reporter.update({ message: `back on ${depth}` });
      });
    }
    await visit(0);
    const started = shape(sink.events).filter(({ state }) => state === 'running');
    assert.deepEqual(
      started.map(({ id, parent }) => [id, parent]),
      [
        ['level-0', undefined],
        ['level-1', 'level-0'],
        ['level-2', 'level-1'],
        ['level-3', 'level-2'],
      ],
    );
    assert.deepEqual(
      shape(sink.events)
        .filter(({ state }) => state === 'completed')
        .map(({ id }) => id),
      ['level-3', 'level-2', 'level-1', 'level-0'],
    );
  });

  it('take the run of the reporter around them, and no parent from another session', async () => {
    const sink = createMemorySink();
    await createReporter({ ...base(sink), run: 'r', id: 'outer' }).track(() => {
      createReporter({ ...base(sink), id: 'inner' });
      createReporter({ ...base(sink), session: 'other', id: 'foreign' });
      createReporter({ ...base(sink), id: 'root', parent: null });
    });
    const byId = new Map(
      shape(sink.events)
        .filter(({ state }) => state === 'running')
        .map((event) => [event.id, event]),
    );
    assert.deepEqual([byId.get('inner')?.parent, byId.get('inner')?.run], ['outer', 'r']);
    assert.deepEqual([byId.get('foreign')?.parent, byId.get('foreign')?.run], [undefined, undefined]);
    assert.equal(byId.get('root')?.parent, undefined);
  });

  it('stop with the turn they are in, and only those', async () => {
    const sink = createMemorySink();
    const abort = new AbortController();
    const turn = createReporter({ ...base(sink), id: 'turn', signal: abort.signal });
    const work = turn.track(async () => {
      createReporter({ ...base(sink), id: 'inside' });
      createReporter({ ...base(sink), id: 'detached', signal: null });
      turn.child({ id: 'child' });
      turn.child({ id: 'finished' }).complete();
      assert.equal(currentReporter()?.signal, abort.signal);
      await sleep(60_000, undefined, { signal: abort.signal });
    });
    abort.abort();
    await assert.rejects(work);
    const index = new SessionIndex('s');
    for (const event of sink.events) index.apply(event);
    assert.deepEqual(
      [...index.operations.values()].map(({ id, state }) => [id, state]),
      [
        ['turn', 'cancelled'],
        ['inside', 'cancelled'],
        ['detached', 'running'],
        ['child', 'cancelled'],
        ['finished', 'completed'],
      ],
    );
  });

  it('listen to one signal once, however many they are, and not at all when they have ended', () => {
    const abort = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = abort.signal;
    abort.signal.addEventListener = (...args: unknown[]) => ((listeners += 1), Reflect.apply(addEventListener, abort.signal, args));
    abort.signal.removeEventListener = (...args: unknown[]) => ((listeners -= 1), Reflect.apply(removeEventListener, abort.signal, args));
    const sink = createMemorySink();
    const turn = createReporter({ ...base(sink), signal: abort.signal });
    const children = Array.from({ length: 100 }, () => turn.child());
    assert.equal(listeners, 1);
    for (const reporter of [turn, ...children]) reporter.complete();
    assert.equal(listeners, 0);
    const again = createReporter({ ...base(sink), signal: abort.signal });
    abort.abort();
    assert.equal(again.state, 'cancelled');
    assert.equal(sink.events.length, 2 * 102);
  });

  it('can be handed on by hand: child and parent', () => {
    const sink = createMemorySink();
    const outer = createReporter({ ...base(sink), run: 'r', id: 0 });
    outer.child({ id: 'a', title: 'Part' }).child({ id: 'b' });
    createReporter({ ...base(sink), id: 'c', parent: outer });
    assert.deepEqual(
      shape(sink.events).map(({ id, parent, run }) => [id, parent, run]),
      [
        [0, undefined, 'r'],
        ['a', 0, 'r'],
        ['b', 'a', 'r'],
        ['c', 0, undefined],
      ],
    );
  });

  it('of two identical concurrent calls never cross', async () => {
    const sink = createMemorySink();
    async function scan(amounts: readonly number[]): Promise<void> {
      await createReporter({ ...base(sink), title: 'scan', tool: { name: 'scan', origin: 'native' } }).track(async () => {
        for (const current of amounts) {
          await Promise.resolve();
          currentReporter()?.update({ current, total: 100 });
        }
      });
    }
    await Promise.all([scan([1, 2, 3]), scan([10, 20, 30])]);
    const index = new SessionIndex('s');
    for (const event of sink.events) index.apply(event);
    assert.deepEqual(
      [...index.operations.values()].map(({ state, current }) => [state, current]),
      [
        ['completed', 3],
        ['completed', 30],
      ],
    );
    assert.equal(index.outcomes.applied, sink.events.length);
  });
});

describe('a run that streams', () => {
  it('gives the same events as one that does not', async () => {
    const plain = createMemorySink();
    const streamed = createMemorySink();
    const options = { session: 's', id: 'x', throttleMs: 0 };
    await track(createReporter({ ...options, sink: plain }), async (reporter) => {
      for (let current = 1; current <= 3; current += 1) {
        await Promise.resolve();
        reporter.update({ current, total: 3 });
      }
    });
    async function* source(): AsyncGenerator<string, number> {
      for (let current = 1; current <= 3; current += 1) {
        await Promise.resolve();
        currentReporter()?.update({ current, total: 3 });
        yield `chunk ${current}`;
      }
      return 3;
    }
    const seen: string[] = [];
    const stream = trackStream(createReporter({ ...options, sink: streamed }), source);
    let step = await stream.next();
    while (step.done !== true) {
      assert.equal(currentReporter(), undefined);
      seen.push(step.value);
      step = await stream.next();
    }
    assert.deepEqual([seen, step.value], [['chunk 1', 'chunk 2', 'chunk 3'], 3]);
    assert.deepEqual(shape(streamed.events), shape(plain.events));
  });

  it('takes what its reader sends and throws in to the source, whose answer it is', async () => {
    const sink = createMemorySink();
    async function* source(): AsyncGenerator<unknown, string, unknown> {
      const seen: unknown[] = [yield 'first'];
      try {
        yield seen;
      } catch (error) {
        yield `caught ${String(error)}`;
      }
      return 'end';
    }
    const stream = trackStream(createReporter(base(sink)), source);
    assert.deepEqual(
      [await stream.next('lost'), await stream.next('sent'), await stream.throw('thrown'), await stream.next()],
      [
        { value: 'first', done: false },
        { value: ['sent'], done: false },
        { value: 'caught thrown', done: false },
        { value: 'end', done: true },
      ],
    );
    assert.deepEqual(
      shape(sink.events).map(({ state }) => state),
      ['running', 'completed'],
    );
  });

  it('fails with what its reader threw in where the source does not catch it, and closes a source that cannot be thrown into', async () => {
    const error = new Error('reader');
    let closed = 0;
    async function* source(): AsyncGenerator<number> {
      try {
        yield 1;
      } finally {
        closed += 1;
      }
    }
    const plain: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 1 }),
        return: async () => ((closed += 1), { done: true, value: undefined }),
      }),
    };
    for (const make of [source, () => plain]) {
      const sink = createMemorySink();
      const stream = trackStream(createReporter(base(sink)), make);
      await stream.next();
      await assert.rejects(stream.throw(error), (thrown) => thrown === error);
      assert.equal(shape(sink.events).at(-1)?.state, 'failed');
    }
    assert.equal(closed, 2);
  });

  it('fails with what the source threw, unchanged', async () => {
    const sink = createMemorySink();
    const error = new Error('broken');
    async function* source(): AsyncGenerator<number> {
      yield 1;
      throw error;
    }
    const stream = trackStream(createReporter(base(sink)), source);
    await stream.next();
    assert.equal(
      await stream.next().then(
        () => undefined,
        (thrown: unknown) => thrown,
      ),
      error,
    );
    assert.deepEqual(
      shape(sink.events).map(({ state }) => state),
      ['running', 'failed'],
    );
  });

  it('is cancelled when its reader stops, and its source is closed', async () => {
    const sink = createMemorySink();
    let closed = false;
    async function* source(): AsyncGenerator<number> {
      try {
        for (let value = 0; ; value += 1) yield value;
      } finally {
        closed = true;
      }
    }
    for await (const value of trackStream(createReporter(base(sink)), source)) if (value === 2) break;
    assert.deepEqual([closed, shape(sink.events).at(-1)?.state, shape(sink.events).at(-1)?.reason], [true, 'cancelled', 'reader_stopped']);
  });

  it('has completed where its source ended before its reader gave up', async () => {
    const sink = createMemorySink();
    const stream = trackStream(createReporter(base(sink)), async function* () {
      await Promise.resolve();
      yield* [] as number[];
    });
    const first = stream.next();
    const stop = stream.return(undefined);
    assert.deepEqual(
      [await first, await stop],
      [
        { done: true, value: undefined },
        { done: true, value: undefined },
      ],
    );
    assert.equal(shape(sink.events).at(-1)?.state, 'completed');
  });

  it('is over too when its reader gives up before the first value, and the source is not begun', async () => {
    let begun = false;
    async function* source(): AsyncGenerator<number> {
      begun = true;
      yield 1;
    }
    for (const [give, state, reason] of [
      [(stream: AsyncGenerator<number>) => stream.return(undefined), 'cancelled', 'reader_stopped'],
      [(stream: AsyncGenerator<number>) => stream.throw(new Error('no')), 'failed', undefined],
      [(stream: AsyncGenerator<number>) => ReadableStream.from(stream).cancel(), 'cancelled', 'reader_stopped'],
    ] as const) {
      const sink = createMemorySink();
      const stream = trackStream(createReporter(base(sink)), source);
      await Promise.resolve(give(stream)).catch(() => {});
      const last = shape(sink.events).at(-1);
      assert.deepEqual([last?.state, last?.reason, begun], [state, reason, false]);
      assert.deepEqual(await stream.next(), { value: undefined, done: true });
      assert.equal(sink.events.length, 2);
    }
  });
});

describe('a sink that misbehaves', () => {
  const faults: Record<string, Sink> = {
    throws: {
      send() {
        throw new Error('sink');
      },
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    'answers a promise that rejects': {
      send: (() => Promise.reject(new Error('sink'))) as Sink['send'],
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    'answers a promise that never settles': {
      send: (() => new Promise(() => {})) as Sink['send'],
      flush: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    'is a callback that throws': createCallbackSink(() => {
      throw new Error('sink');
    }),
    'is a callback that rejects': createCallbackSink(() => Promise.reject(new Error('sink'))),
    'is a callback that hangs': createCallbackSink(() => new Promise(() => {})),
  };
  for (const [name, sink] of Object.entries(faults)) {
    it(`and ${name} alters neither result nor control flow`, async () => {
      const unhandled: unknown[] = [];
      const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
      process.on('unhandledRejection', onUnhandled);
      try {
        const reporter = createReporter({
          ...base(sink),
          onDiagnostic: () => {
            throw new Error('and so does the log');
          },
        });
        assert.equal(await reporter.track((own) => (own.update({ current: 1 }), own.update({ current: Number.NaN }), 'result')), 'result');
        const error = new Error('own');
        assert.equal(
          await createReporter(base(sink))
            .track(() => {
              throw error;
            })
            .catch((thrown: unknown) => thrown),
          error,
        );
        await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(unhandled, []);
      } finally {
        process.off('unhandledRejection', onUnhandled);
      }
    });
  }

  it('is waited for by a flush only as far as its newest promises', async () => {
    const never = new Promise(() => {});
    let calls = 0;
    const sink = createCallbackSink(() => ((calls += 1) === 1 ? never : Promise.resolve()), { maxPending: 2 });
    const reporter = createReporter({ sink, session: 's', throttleMs: 0 });
    for (let current = 1; current <= 3; current += 1) reporter.update({ current });
    await sink.flush();
    assert.equal(calls, 4);
  });

  it('is told of by a diagnostic', async () => {
    const codes: string[] = [];
    const reporter = createReporter({
      ...base(createCallbackSink(() => Promise.reject(new Error('x')), { onDiagnostic: ({ code }) => codes.push(code) })),
    });
    reporter.complete();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(codes, ['sink_failed', 'sink_failed']);
  });
});

describe('any sequence of calls', () => {
  it('never throws, numbers what it sends from 1 upwards, and sends nothing after the first final state', () => {
    const call = fc.constantFrom('update', 'wait', 'block', 'resume', 'complete', 'fail', 'cancel', 'deny', 'interrupt');
    fc.assert(
      fc.property(fc.array(fc.tuple(call, fc.anything()), { size: 'max', maxLength: 60 }), (calls) => {
        const sink = createMemorySink();
        const reporter = createReporter(base(sink));
        let ended = false;
        for (const [name, argument] of calls) {
          const answer = (reporter as unknown as Record<string, (value: unknown) => string>)[name]?.(argument);
          if (ended) assert.equal(answer, 'late');
          ended = reporter.ended;
        }
        const events = sink.events as readonly OperationEvent[];
        events.forEach(({ seq }, index) => assert.equal(seq, index + 1));
        const finals = events.filter(
          ({ state }) => state !== undefined && ['completed', 'failed', 'cancelled', 'denied', 'interrupted'].includes(state),
        );
        assert.ok(finals.length <= 1);
        assert.ok(finals.length === 0 || events.at(-1) === finals[0]);
        const index = new SessionIndex('s');
        for (const event of events) assert.notEqual(index.apply(event).outcome, 'invalid');
      }),
      { numRuns: 300 },
    );
  });
});
