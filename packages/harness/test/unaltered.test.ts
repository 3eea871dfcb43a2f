import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProgressCallbacks } from '@sitrep/harness/langchain';
import { wrapToolSet } from '@sitrep/harness/ai-sdk';
import { wrapTool } from '@sitrep/harness/native';
import { createReporter, trackStream } from '@sitrep/harness/reporter';
import { createMemorySink } from '@sitrep/harness/sink';
import type { OperationEvent } from '@sitrep/schema/wire';

function setup() {
  const sink = createMemorySink();
  const options = { sink, session: 's', id: 'a', throttleMs: 0 };
  const ends = (): unknown => (sink.events as readonly OperationEvent[]).at(-1)?.state;
  return { options, ends };
}

/** What `make` answers, by way of a wrapped tool. */
function wrapped<T>(make: () => T): { output: T; ends: () => unknown } {
  const { options, ends } = setup();
  return { output: wrapTool(make, options)(undefined), ends };
}

/** As clients of model APIs give their streams: an iterator with private state and ways of its own. */
class Tokens {
  #count = 0;
  #limit = 2;
  get count(): number {
    return this.#count;
  }
  set limit(limit: number) {
    this.#limit = limit;
  }
  async next(): Promise<IteratorResult<number>> {
    return this.#count < this.#limit ? { done: false, value: (this.#count += 1) } : { done: true, value: undefined };
  }
  [Symbol.asyncIterator](): this {
    return this;
  }
  stop(): string {
    this.#limit = 0;
    return 'stopped';
  }
}

class Job extends Promise<string> {
  readonly #pid = 7;
  get pid(): number {
    return this.#pid;
  }
  kill(): number {
    return this.#pid;
  }
}

describe('the function of a wrapped tool', () => {
  it('has the name of the tool and its parameters, those of the caller', () => {
    const { options } = setup();
    async function scanDir(_input: string, _context: object, _reporter: unknown): Promise<void> {}
    const tool = wrapTool(scanDir, options);
    assert.deepEqual([tool.name, tool.length], ['scanDir', 2]);
    assert.deepEqual([wrapTool(() => 1, options).length, wrapTool((_input: string) => 1, options).length], [0, 1]);
    const inside = createProgressCallbacks(options).inside(scanDir);
    assert.deepEqual([inside.name, inside.length], ['scanDir', 3]);
    const set = wrapToolSet({ scan: { execute: scanDir } }, options);
    assert.deepEqual([set.scan.execute.name, set.scan.execute.length], ['scanDir', 2]);
  });

  it('inside of LangChain keeps the object it is called on', () => {
    const host = { name: 'host', read: createProgressCallbacks(setup().options).inside(nameOf) };
    function nameOf(this: { name: string }): string {
      return this.name;
    }
    assert.equal(host.read(), 'host');
  });
});

describe('what a wrapped tool answers', () => {
  it('as an iterator of its own class keeps its methods, accessors and private state, and is over when it is', async () => {
    const { output, ends } = wrapped(() => new Tokens());
    assert.ok(output instanceof Tokens);
    output.limit = 5;
    assert.deepEqual([await output.next(), output.count, ends()], [{ done: false, value: 1 }, 1, 'running']);
    assert.equal(output.stop, output.stop);
    assert.equal(output.stop(), 'stopped');
    assert.deepEqual([await output.next(), ends()], [{ done: true, value: undefined }, 'completed']);
  });

  it('may be frozen: an iterator, an iterable, a generator', async () => {
    let left = 2;
    const iterator = wrapped(() =>
      Object.freeze({
        next: (): IteratorResult<number> => (left > 0 ? { done: false, value: left-- } : { done: true, value: undefined }),
        [Symbol.iterator]() {
          return this;
        },
      }),
    );
    assert.deepEqual([...iterator.output], [2, 1]);
    assert.deepEqual(Object.keys(iterator.output), ['next']);
    assert.equal('next' in iterator.output, true);
    assert.equal(Reflect.set(iterator.output, 'next', 1), false);
    assert.equal(Reflect.defineProperty(iterator.output, 'own', { value: 1 }), false);
    assert.equal(Reflect.deleteProperty(iterator.output, 'next'), false);
    const iterable = wrapped(() =>
      Object.freeze({
        size: 1,
        async *[Symbol.asyncIterator]() {
          yield 'a';
        },
      }),
    );
    const items: string[] = [];
    for await (const item of iterable.output) items.push(item);
    assert.deepEqual([items, iterable.output.size], [['a'], 1]);
    const generator = wrapped(() =>
      Object.freeze(
        (function* () {
          yield 'b';
        })(),
      ),
    );
    assert.deepEqual([...generator.output], ['b']);
    for (const { ends } of [iterator, iterable, generator]) assert.equal(ends(), 'completed');
  });

  it('as a promise that is more than one keeps its class, its members and its private state', async () => {
    const { output, ends } = wrapped(() => Object.assign(new Job((resolve) => setImmediate(resolve, 'done')), { stdout: 'text' }));
    assert.ok(output instanceof Job && output instanceof Promise);
    assert.deepEqual([output.pid, output.kill(), output.stdout, ends()], [7, 7, 'text', 'running']);
    assert.deepEqual([await output, await output.then((text) => `${text}!`), ends()], ['done', 'done!', 'completed']);
    let isOver = false;
    await output.finally(() => (isOver = true));
    assert.equal(isOver, true);
    const error = new Error('own');
    const failing = wrapped(() => Object.assign(Promise.reject(error), { pid: 1 }));
    assert.equal(await failing.output.catch((thrown: unknown) => thrown), error);
    assert.equal(failing.ends(), 'failed');
  });

  it('as a promise that is more than one is asked only when somebody asks, and never by another way of giving it', async () => {
    /** As clients of model APIs answer: the body is read when the promise is asked, or left to who wants the response. */
    class Request extends Promise<string> {
      asked = 0;
      static override get [Symbol.species](): PromiseConstructor {
        return Promise;
      }
      // oxlint-disable-next-line unicorn/no-thenable -- as those clients have it
      override then<A = string, B = never>(
        onValue?: ((text: string) => A | PromiseLike<A>) | null,
        onError?: ((error: unknown) => B | PromiseLike<B>) | null,
      ): Promise<A | B> {
        this.asked += 1;
        return Promise.reject<string>(new Error('gone')).then(onValue, onError);
      }
      asResponse(): Promise<string> {
        return Promise.resolve('raw');
      }
      with(): this {
        return this;
      }
    }
    const { output, ends } = wrapped(() => new Request((resolve) => resolve('')));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([await output.asResponse(), output.asked, ends()], ['raw', 0, 'running']);
    assert.equal(output.with(), output);
    await assert.rejects(output.with(), { message: 'gone' });
    await assert.rejects(output, { message: 'gone' });
    assert.deepEqual([output.asked, ends()], [1, 'failed']);
  });

  it('may be a function that can be awaited', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- as query builders are
    const query = Object.assign(() => 'sql', { then: (resolve: (rows: string) => void) => void setImmediate(resolve, 'rows') });
    const { output, ends } = wrapped(() => query);
    assert.deepEqual([output(), ends()], ['sql', 'running']);
    assert.deepEqual([await output, ends()], ['rows', 'completed']);
  });

  it('is closed by what every iterator of the platform has', async () => {
    const { output, ends } = wrapped(async function* () {
      yield 1;
    });
    await output.next();
    const dispose = (output as Partial<AsyncDisposable>)[Symbol.asyncDispose];
    // Where the platform has it.
    if (dispose === undefined) await output.return(undefined);
    else await dispose.call(output);
    assert.equal(ends(), 'cancelled');
  });
});

describe('a tracked stream', () => {
  it('gives items that are promises, and waits for none of them', async () => {
    const { options, ends } = setup();
    const never = new Promise<never>(() => {});
    const items = [Promise.resolve(1), never, 'plain'];
    const source: AsyncIterable<unknown, unknown> = {
      [Symbol.asyncIterator]: () => {
        const from = items.values();
        return {
          next: () =>
            Promise.resolve(from.next().done === false ? { done: false, value: items[seen.length] } : { done: true, value: [never] }),
        };
      },
    };
    const seen: unknown[] = [];
    const stream = trackStream(createReporter(options), () => source);
    for (;;) {
      const step = await stream.next();
      if (step.done === true) {
        assert.deepEqual(step, { done: true, value: [never] });
        break;
      }
      seen.push(step.value);
    }
    assert.ok(seen.every((item, index) => item === items[index]));
    assert.deepEqual([seen.length, ends()], [3, 'completed']);
  });
});

describe('a set of tools of the AI SDK', () => {
  it('keeps the accessors and private state of a tool that is an object of a class', () => {
    class Scan {
      readonly #schema = { type: 'object' };
      get inputSchema(): object {
        return this.#schema;
      }
      execute(_input: unknown, _options: object): boolean {
        return this instanceof Scan && this.#schema.type === 'object';
      }
    }
    const tool = new Scan();
    const { options, ends } = setup();
    const set = wrapToolSet({ tool, frozen: Object.freeze({ execute: (_input: unknown, _options: object) => 1 }) }, options);
    assert.ok(set.tool instanceof Scan);
    assert.equal(set.tool.inputSchema, tool.inputSchema);
    assert.equal(set.tool.execute({}, { toolCallId: 'c' }), true);
    assert.equal(set.frozen.execute({}, { toolCallId: 'd' }), 1);
    assert.equal(ends(), 'completed');
  });
});
