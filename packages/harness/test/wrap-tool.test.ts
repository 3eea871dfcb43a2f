import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Diagnostic } from '@sitrep/harness';
import fc from 'fast-check';
import { createMemorySink } from '@sitrep/harness/sink';
import { currentReporter } from '@sitrep/harness/reporter';
import { runTool, wrapTool } from '@sitrep/harness/native';
import type { Sink } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';

interface Call {
  readonly callId: string;
  readonly signal?: AbortSignal;
}

function setup() {
  const sink = createMemorySink();
  const report = (_input: unknown, { callId, signal }: Call) => ({
    sink,
    session: 's',
    id: callId,
    signal,
    throttleMs: 0,
    tool: { name: 'scan', origin: 'native' as const },
  });
  const events = sink.events as readonly OperationEvent[];
  const states = (): unknown[] =>
    events.map(({ id, state, current, reason }) => [id, state ?? current, reason].filter((each) => each !== undefined));
  return { sink, report, events, states };
}

const call: Call = { callId: 'call-1' };

describe('a wrapped tool', () => {
  it('is handed its input, its context as it is, and its reporter, which is the current one too', async () => {
    const { report, states } = setup();
    const seen: unknown[] = [];
    const tool = wrapTool(async function (this: unknown, input: { dir: string }, context: Call, reporter) {
      seen.push(this, input, context, reporter === currentReporter(), reporter.id);
      await Promise.resolve();
      currentReporter()?.update({ current: 1, total: 2 });
      return { files: 2 };
    }, report);
    const input = { dir: '/' };
    const host = { tool };
    assert.deepEqual(await host.tool(input, call), { files: 2 });
    assert.equal(seen[0], host);
    assert.equal(seen[1], input);
    assert.equal(seen[2], call);
    assert.deepEqual(seen.slice(3), [true, 'call-1']);
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 1],
      ['call-1', 'completed'],
    ]);
  });

  it('that answers at once does so, the very object, and is over', () => {
    const { report, states } = setup();
    for (const value of [{ a: 1 }, [1, 2], new Map(), 'text', 0, undefined, null, () => 1, Object.freeze([1])]) {
      const tool = wrapTool((_input: undefined, _context: Call) => value, report);
      assert.equal(tool(undefined, call), value);
    }
    assert.deepEqual(states().slice(0, 2), [
      ['call-1', 'running'],
      ['call-1', 'completed'],
    ]);
  });

  it('throws what it threw, at once or later, and fails; an abort cancels', async () => {
    for (const [thrown, state] of [
      [new Error('no'), 'failed'],
      ['text', 'failed'],
      [new DOMException('stop', 'AbortError'), 'cancelled'],
    ] as const) {
      const now = setup();
      assert.throws(
        () =>
          wrapTool((): never => {
            throw thrown;
          }, now.report)(undefined, call),
        (error) => error === thrown,
      );
      const later = setup();
      await assert.rejects(wrapTool(async () => Promise.reject(thrown), later.report)(undefined, call), (error) => error === thrown);
      for (const { events } of [now, later]) assert.equal(events.at(-1)?.state, state);
    }
  });

  it('leaves a rejection that nobody handles unhandled', () => {
    const script = `
      import { createMemorySink, wrapTool } from '@sitrep/harness';
      const tool = wrapTool(async () => Promise.reject(new Error('nobody')), { sink: createMemorySink(), session: 's' });
      tool();
      setTimeout(() => console.log('went on'), 1000);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout, /Error: nobody/.test(stderr)], [1, '', true]);
  });

  it('takes a thenable for a promise, and asks it once', async () => {
    let asked = 0;
    const lazy = {
      // oxlint-disable-next-line unicorn/no-thenable
      then(resolve: (value: string) => void) {
        asked += 1;
        resolve('value');
      },
    };
    const { report, states } = setup();
    assert.equal(await wrapTool(() => lazy as unknown as Promise<string>, report)(undefined, call), 'value');
    assert.deepEqual([asked, states().at(-1)], [1, ['call-1', 'completed']]);
  });

  it('keeps an end of its own', async () => {
    const { report, states } = setup();
    assert.equal(
      await wrapTool(async (_input: undefined, _call: Call, reporter) => (reporter.deny('policy'), 'refused'), report)(undefined, call),
      'refused',
    );
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 'denied', 'policy'],
    ]);
  });

  it('ends with the signal of its call', async () => {
    const { report, states } = setup();
    const abort = new AbortController();
    const tool = wrapTool(
      async (_input: undefined, _call: Call, reporter) => (abort.abort('user'), reporter.update({ current: 1 }), 'done'),
      report,
    );
    assert.equal(await tool(undefined, { ...call, signal: abort.signal }), 'done');
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 'cancelled', 'user'],
    ]);
  });

  it('runs all the same when its report cannot be made', async () => {
    const tool = wrapTool(
      (input: number, _context: undefined, reporter) => (reporter.update({ current: input }), input + 1),
      () => {
        throw new Error('no session');
      },
    );
    assert.equal(tool(1), 2);
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    assert.equal(runToolOf(revoked.proxy), 3);
  });

  it('says why its report could not be made, and refuses at once what is no tool or no report', () => {
    const told: string[] = [];
    const report = { session: 's', onDiagnostic: ({ message }: Diagnostic) => void told.push(message) };
    assert.equal(wrapTool((input: number) => input + 1, report)(1), 2);
    assert.match(told[0] ?? '', /^The tool runs unreported, because its report could not be made: createReporter needs a sink/);
    const sink = createMemorySink();
    assert.throws(() => wrapTool(undefined as never, { sink, session: 's' }), { name: 'TypeError', message: /not undefined/ });
    assert.throws(() => wrapTool(() => 1, null as never), { name: 'TypeError', message: /\{ sink, session \}.* not null/ });
  });

  it('gives back what cannot be looked into: a revoked proxy, a stream that is being read, a stream that is over', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const locked = new Blob(['text']).stream();
    locked.getReader();
    const over = Readable.from(['a']).resume();
    await new Promise((resolve) => over.once('close', resolve));
    const trap = {
      // oxlint-disable-next-line unicorn/no-thenable -- that it throws is the point
      get then(): unknown {
        throw new Error('no');
      },
    };
    for (const value of [proxy, locked, over, trap]) {
      const { report, states } = setup();
      assert.equal(wrapTool((_input: undefined, _call: Call) => value, report)(undefined, call), value);
      assert.deepEqual(states().at(-1), ['call-1', 'completed']);
    }
  });

  it('gives any value as the bare function would, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (value, isAsync) => {
        const tool = wrapTool((input: unknown) => (isAsync ? Promise.resolve(input) : input), setup().report as never);
        assert.equal(await tool(value, call as never), value);
      }),
    );
  });
});

function runToolOf(options: object): number {
  return wrapTool((input: number) => input + 1, options as never)(2, undefined);
}

describe('a wrapped tool that streams', () => {
  it('as an async generator gives the same values, sent ones reaching it, and is over when it is', async () => {
    const { report, states } = setup();
    const tool = wrapTool(async function* (_input: undefined, _context: Call, reporter): AsyncGenerator<string, string, number> {
      const sent = yield 'first';
      await Promise.resolve();
      currentReporter()?.update({ current: sent });
      assert.equal(currentReporter(), reporter);
      yield 'second';
      return 'end';
    }, report);
    const stream = tool(undefined, call);
    assert.deepEqual(
      [await stream.next(0), await stream.next(7), await stream.next(0), await stream.next(0)],
      [
        { value: 'first', done: false },
        { value: 'second', done: false },
        { value: 'end', done: true },
        { value: undefined, done: true },
      ],
    );
    assert.equal(Object.prototype.toString.call(stream), '[object AsyncGenerator]');
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 7],
      ['call-1', 'completed'],
    ]);
  });

  it('as a generator likewise, and is cancelled when its reader stops', () => {
    const { report, states } = setup();
    let isClosed = false;
    const tool = wrapTool(function* (_input: undefined, _context: Call, reporter) {
      try {
        for (let index = 0; ; index += 1) {
          reporter.update({ current: index });
          yield index;
        }
      } finally {
        isClosed = true;
      }
    }, report);
    const seen = [];
    for (const value of tool(undefined, call)) {
      seen.push(value);
      if (value === 1) break;
    }
    assert.deepEqual([seen, isClosed], [[0, 1], true]);
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 0],
      ['call-1', 1],
      ['call-1', 'cancelled', 'reader_stopped'],
    ]);
  });

  it('fails with what its stream threw, unchanged', async () => {
    const error = new Error('broken');
    for (const make of [
      async function* (): AsyncGenerator<number> {
        yield 1;
        throw error;
      },
      () =>
        Promise.resolve(
          (async function* (): AsyncGenerator<number> {
            yield 1;
            throw error;
          })(),
        ),
    ]) {
      const { report, states } = setup();
      await assert.rejects(
        async () => {
          for await (const _ of (await wrapTool<undefined, Call, unknown>(make, report)(undefined, call)) as AsyncIterable<number>);
        },
        (thrown) => thrown === error,
      );
      assert.deepEqual(states().at(-1), ['call-1', 'failed']);
    }
  });

  it('as an iterable keeps its class, its members and its private state, and only its first reading counts', async () => {
    class Rows implements AsyncIterable<number> {
      readonly #rows = [1, 2];
      readonly controller = new AbortController();
      get count(): number {
        return this.#rows.length;
      }
      list(): readonly number[] {
        return this.#rows;
      }
      async *[Symbol.asyncIterator](): AsyncGenerator<number> {
        yield* this.#rows;
      }
    }
    const { report, states, events } = setup();
    const rows = new Rows();
    const output = wrapTool((_input: undefined, _call: Call) => rows, report)(undefined, call);
    assert.ok(output instanceof Rows);
    assert.equal(output.controller, rows.controller);
    assert.deepEqual([output.count, output.list()], [2, [1, 2]]);
    assert.equal(events.length, 1);
    for (let reading = 0; reading < 2; reading += 1) {
      const seen = [];
      for await (const row of output) seen.push(row);
      assert.deepEqual(seen, [1, 2]);
    }
    assert.deepEqual(states(), [
      ['call-1', 'running'],
      ['call-1', 'completed'],
    ]);
  });

  it('as a web stream stays one and is over when it is read', async () => {
    const { report, states } = setup();
    const tool = wrapTool((_input: undefined, _call: Call) => new Blob(['text']).stream(), report);
    const stream = tool(undefined, call);
    assert.equal(states().length, 1);
    assert.equal(await new Response(stream).text(), 'text');
    assert.deepEqual(states().at(-1), ['call-1', 'completed']);
    const stopped = setup();
    await wrapTool((_input: undefined, _call: Call) => new Blob(['text']).stream(), stopped.report)(undefined, call).cancel();
    assert.deepEqual(stopped.states().at(-1), ['call-1', 'cancelled', 'reader_stopped']);
  });

  it('as a Node stream is the very stream, with no listener that changes it, and ends with it', async () => {
    for (const [end, state] of [
      [(stream: Readable) => stream.resume(), ['call-1', 'completed']],
      [(stream: Readable) => stream.once('error', () => {}).destroy(new Error('disk')), ['call-1', 'failed']],
      [(stream: Readable) => stream.destroy(), ['call-1', 'cancelled', 'reader_stopped']],
    ] as const) {
      const { report, states } = setup();
      const source = Readable.from(['a', 'b']);
      const stream = wrapTool((_input: undefined, _call: Call) => source, report)(undefined, call);
      assert.equal(stream, source);
      assert.deepEqual([stream.listenerCount('error'), stream.listenerCount('data'), stream.readableFlowing], [0, 0, null]);
      const closed = new Promise((resolve) => stream.once('close', resolve));
      end(stream);
      await closed;
      assert.deepEqual(states().at(-1), state);
    }
  });

  it('tells the same story as one that does not stream', async () => {
    const story = async (streaming: boolean): Promise<unknown> => {
      const { report, sink } = setup();
      const work = async (index: number): Promise<void> => {
        await Promise.resolve();
        currentReporter()?.update({ current: index, total: 3 });
      };
      if (streaming) {
        const tool = wrapTool(async function* (_input: undefined, _call: Call) {
          for (let index = 1; index <= 3; index += 1) {
            await work(index);
            yield index;
          }
        }, report);
        for await (const _ of tool(undefined, call));
      } else {
        await wrapTool(async (_input: undefined, _call: Call) => {
          for (let index = 1; index <= 3; index += 1) await work(index);
        }, report)(undefined, call);
      }
      return sink.events.map((event) => ({ ...event, at: 0 }));
    };
    assert.deepEqual(await story(true), await story(false));
  });
});

describe('a wrapped tool whose sink misbehaves', () => {
  const broken: Record<string, Sink['send']> = {
    throws: () => {
      throw new Error('sink');
    },
    rejects: (() => Promise.reject(new Error('sink'))) as Sink['send'],
    hangs: (() => new Promise(() => {})) as Sink['send'],
  };
  for (const [name, send] of Object.entries(broken)) {
    it(`by way of one that ${name} gives the same results, errors and streams`, async () => {
      const sink: Sink = { send, flush: () => new Promise(() => {}), close: () => new Promise(() => {}) };
      const options = { sink, session: 's', throttleMs: 0 };
      const error = new Error('own');
      assert.equal(wrapTool((input: number) => input * 2, options)(21), 42);
      assert.equal(await wrapTool(async (input: number) => input * 2, options)(21), 42);
      await assert.rejects(wrapTool(async (_input: number) => Promise.reject(error), options)(1), (thrown) => thrown === error);
      const stream = wrapTool(async function* (input: number) {
        yield input;
        yield input + 1;
      }, options)(1);
      const seen = [];
      for await (const value of stream) seen.push(value);
      assert.deepEqual(seen, [1, 2]);
      assert.equal(
        runTool({ ...brokenReporter() }, () => 'result'),
        'result',
      );
    });
  }
});

/** A reporter of another package copy that has nothing to say. */
function brokenReporter(): Parameters<typeof runTool>[0] {
  return { ended: true } as Parameters<typeof runTool>[0];
}
