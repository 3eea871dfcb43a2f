import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMemorySink } from '@sitrep/harness/sink';
import { createReporter, currentReporter, track } from '@sitrep/harness/reporter';
import type { Diagnostic } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';

function setup() {
  const sink = createMemorySink();
  const clock = new ManualClock();
  const options = { sink, session: 's', id: 'loop', clock, throttleMs: 0 };
  const events = sink.events as readonly OperationEvent[];
  const told = (): unknown[] => events.map(({ state, current, total, reason }) => [state, current, total, reason]);
  return { sink, clock, options, events, told };
}

describe('a tracked loop', () => {
  it('counts items as they are done, with total and unit, and completes', () => {
    const { options, events, told } = setup();
    const seen: string[] = [];
    for (const item of track(['a', 'b', 'c'], { ...options, title: 'Hash files', unit: 'files' })) seen.push(item);
    assert.deepEqual(seen, ['a', 'b', 'c']);
    assert.deepEqual(told(), [
      ['running', undefined, 3, undefined],
      [undefined, 1, undefined, undefined],
      [undefined, 2, undefined, undefined],
      [undefined, 3, undefined, undefined],
      ['completed', 3, undefined, undefined],
    ]);
    assert.deepEqual([events[0]?.title, events[0]?.unit], ['Hash files', 'files']);
  });

  it('takes the size of a set or map, says none for a generator, and is told a total or that nobody knows', () => {
    const totalOf = (source: Iterable<unknown>, total?: number | null): number | null | undefined => {
      const { options, events } = setup();
      for (const _ of track(source, total === undefined ? options : { ...options, total }));
      return events[0]?.total;
    };
    assert.equal(totalOf(new Set([1, 2])), 2);
    assert.equal(totalOf(new Map([[1, 2]])), 1);
    assert.equal(totalOf(new Float64Array(4)), 4);
    assert.equal(totalOf([]), undefined);
    assert.equal(totalOf([1, 2].values()), undefined);
    assert.equal(totalOf([1, 2].values(), 2), 2);
    assert.equal(totalOf([1, 2], null), undefined);
  });

  it('knows a list without items for one, and no length of a text, whose items are characters', () => {
    const { options, events } = setup();
    const diagnostics: Diagnostic[] = [];
    const onDiagnostic = (each: Diagnostic): void => void diagnostics.push(each);
    assert.deepEqual([...track([], { ...options, onDiagnostic, total: 0, title: 'Hash', unit: 'files' })], []);
    assert.deepEqual(
      [events[0]?.title, events[0]?.unit, events[0]?.total, events.at(-1)?.state],
      ['Hash', 'files', undefined, 'completed'],
    );
    assert.deepEqual(diagnostics, []);
    assert.equal([...track('👍👍', options)].length, 2);
    assert.equal(events.filter(({ total }) => total !== undefined).length, 0);
  });

  it('says what it is at, item by item, and survives a text that cannot be made', () => {
    const { options, events } = setup();
    const diagnostics: Diagnostic[] = [];
    const message = (item: string, index: number): string | undefined => {
      if (item === 'b') throw new Error('no words');
      return index === 2 ? undefined : `${index}: ${item}`;
    };
    for (const _ of track(['a', 'b', 'c', 'd'], { ...options, message, onDiagnostic: (each) => diagnostics.push(each) }));
    assert.deepEqual(
      events.flatMap((event) => event.message ?? []),
      ['0: a', '3: d'],
    );
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['invalid'],
    );
  });

  it('left by break or by an error in its body is interrupted with what was done, its source closed, the error unchanged', () => {
    for (const leave of ['break', 'throw'] as const) {
      const { options, told } = setup();
      let closed = 0;
      function* source(): Generator<number> {
        try {
          for (let item = 0; ; item += 1) yield item;
        } finally {
          closed += 1;
        }
      }
      const error = new Error('body');
      const run = (): void => {
        for (const item of track(source(), options)) {
          if (item < 2) continue;
          if (leave === 'break') break;
          throw error;
        }
      };
      if (leave === 'throw') assert.throws(run, (thrown) => thrown === error);
      else run();
      assert.equal(closed, 1);
      assert.deepEqual(told().at(-1), ['interrupted', 2, undefined, 'stopped_early']);
    }
  });

  it('fails with what its source threw, unchanged, and is cancelled by an abort of it', async () => {
    for (const [error, state] of [
      [new Error('broken'), 'failed'],
      ['text', 'failed'],
      [new DOMException('stop', 'AbortError'), 'cancelled'],
    ] as const) {
      function* source(): Generator<number> {
        yield 1;
        throw error;
      }
      async function* later(): AsyncGenerator<number> {
        yield 1;
        throw error;
      }
      const sync = setup();
      assert.throws(
        () => {
          for (const _ of track(source(), sync.options));
        },
        (thrown) => thrown === error,
      );
      const slow = setup();
      await assert.rejects(
        async () => {
          for await (const _ of track(later(), slow.options));
        },
        (thrown) => thrown === error,
      );
      for (const { events } of [sync, slow]) assert.deepEqual([events.at(-1)?.state, events.at(-1)?.current], [state, 1]);
    }
  });

  it('passes on what is sent, thrown and returned, both ways', async () => {
    function* talk(): Generator<string, string, number> {
      const first = yield 'a';
      try {
        yield `got ${first}`;
      } catch (error) {
        yield `caught ${String(error)}`;
      }
      return 'end';
    }
    async function* later(): AsyncGenerator<string, string, number> {
      return yield* talk();
    }
    const drive = async (talking: Iterator<string, string, number> | AsyncIterator<string, string, number>): Promise<unknown[]> => [
      await talking.next(1),
      await talking.next(7),
      await talking.throw?.('x'),
      await talking.next(9),
      await talking.next(9),
    ];
    const expected = [
      { value: 'a', done: false },
      { value: 'got 7', done: false },
      { value: 'caught x', done: false },
      { value: 'end', done: true },
      { value: undefined, done: true },
    ];
    for (const source of [talk(), track(talk(), setup().options), later(), track(later(), setup().options)])
      assert.deepEqual(await drive(source as Iterator<string, string, number>), expected);
    function* stubborn(): Generator<number, string> {
      try {
        yield 1;
      } finally {
        yield 2;
      }
      return 'never';
    }
    const { options, told } = setup();
    const loop = track(stubborn(), options);
    assert.deepEqual(
      [loop.next(), loop.return?.('own'), loop.next(), told().at(-1)],
      [{ value: 1, done: false }, { value: 2, done: false }, { value: 'own', done: true }, ['completed', 2, undefined, undefined]],
    );
  });

  it('that is never begun, or closed before its first item, is no invocation', async () => {
    const { options, sink } = setup();
    track([1], options);
    assert.deepEqual((track([1], options) as Iterator<number, string>).return?.('x'), { value: 'x', done: true });
    assert.deepEqual(await (track((async function* () {})(), options) as AsyncIterator<never, string>).return?.('x'), {
      value: 'x',
      done: true,
    });
    assert.equal(sink.events.length, 0);
  });

  it('over an async source counts likewise, and its source runs inside the invocation', async () => {
    const { options, told } = setup();
    const inside: unknown[] = [];
    async function* source(): AsyncGenerator<number> {
      for (let item = 0; item < 2; item += 1) {
        await Promise.resolve();
        inside.push(currentReporter()?.id);
        yield item;
      }
    }
    for await (const _ of track(source(), { ...options, total: 2 })) assert.equal(currentReporter(), undefined);
    assert.deepEqual(inside, ['loop', 'loop']);
    assert.deepEqual(told(), [
      ['running', undefined, 2, undefined],
      [undefined, 1, undefined, undefined],
      [undefined, 2, undefined, undefined],
      ['completed', 2, undefined, undefined],
    ]);
  });

  it('closes a source that cannot be thrown into, and throws', () => {
    let closed = 0;
    const source = {
      [Symbol.iterator]: (): Iterator<number> => ({
        next: () => ({ done: false, value: 1 }),
        return: () => ((closed += 1), { done: true, value: undefined }),
      }),
    };
    const { options, events } = setup();
    const loop = track(source, options);
    loop.next();
    const error = new Error('own');
    assert.throws(
      () => loop.throw?.(error),
      (thrown) => thrown === error,
    );
    assert.deepEqual([closed, events.at(-1)?.state], [1, 'failed']);
  });

  it('tells a given reporter the last of it, whatever the throttle holds', () => {
    const { options, events } = setup();
    const reporter = createReporter(options);
    for (const _ of track([1, 2, 3], { reporter, clock: options.clock, throttleMs: 1000 }));
    assert.deepEqual([events.at(-1)?.current, reporter.ended], [3, false]);
  });

  it('counts on a given reporter without ending it', () => {
    const { options, told } = setup();
    const reporter = createReporter({ ...options, title: 'All of it' });
    for (const _ of track([1, 2], { reporter, unit: 'files', throttleMs: 0 }));
    for (const item of track([1, 2, 3], { reporter, throttleMs: 0 })) if (item === 2) break;
    assert.equal(reporter.ended, false);
    assert.deepEqual(told().slice(1), [
      [undefined, 0, 2, undefined],
      [undefined, 1, undefined, undefined],
      [undefined, 2, undefined, undefined],
      [undefined, 0, 3, undefined],
      [undefined, 1, undefined, undefined],
    ]);
  });

  it('is an invocation inside the current one, and reports nothing where there is none', async () => {
    const { options, events } = setup();
    await track(createReporter({ ...options, id: 'outer' }), () => {
      for (const _ of track([1], { title: 'inner', unit: 'files' }));
    });
    const inner = events.filter(({ parent }) => parent === 'outer');
    assert.deepEqual([inner.length, events.find(({ id }) => id === inner[0]?.id && id !== 'outer')?.title], [1, 'inner']);
    const seen: number[] = [];
    for (const item of track([1, 2])) seen.push(item);
    assert.deepEqual(seen, [1, 2]);
  });

  it('ends with the turn it is in, and goes on giving its items', () => {
    const { options, told } = setup();
    const abort = new AbortController();
    const seen: number[] = [];
    for (const item of track([1, 2, 3], { ...options, signal: abort.signal })) {
      seen.push(item);
      if (item === 2) abort.abort('user');
    }
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(told().at(-1), ['cancelled', undefined, undefined, 'user']);
  });

  it('tells many items as few updates: the newest by the throttle, all at the end', () => {
    const { options, events, clock, told } = setup();
    let pulled = 0;
    for (const _ of track(
      {
        *[Symbol.iterator]() {
          for (; pulled < 10_000; pulled += 1) yield pulled;
        },
      },
      { ...options, throttleMs: 100 },
    )) {
      if (pulled === 5000) clock.advance(100);
    }
    assert.ok(events.length <= 5, `${events.length}`);
    assert.ok(
      events.some(({ current }) => current === 4999 || current === 5000),
      JSON.stringify(told()),
    );
    assert.deepEqual(told().at(-1), ['completed', 10_000, undefined, undefined]);
    assert.deepEqual(clock.pending, []);
  });

  it('gives exactly the items of any array, whatever the throttle', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.nat(200), (items, throttleMs) => {
        const { options, events } = setup();
        assert.deepEqual([...track(items, { ...options, throttleMs })], items);
        assert.deepEqual([events.at(-1)?.state, events.at(-1)?.current], ['completed', items.length]);
      }),
    );
  });
});
