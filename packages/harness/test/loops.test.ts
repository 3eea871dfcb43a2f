import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { collectMessage, runMessageTools } from '@sitrep/harness/anthropic';
import { createProgressCallbacks } from '@sitrep/harness/langchain';
import { collectChatMessage, collectResponse, runChatTools, runResponseTools } from '@sitrep/harness/openai';
import type { ChatChunkLike, ToolTable } from '@sitrep/harness/openai';
import { createMemorySink } from '@sitrep/harness/sink';
import type { OperationEvent } from '@sitrep/schema/wire';

function setup() {
  const sink = createMemorySink();
  const seen: unknown[] = [];
  const tools: ToolTable = { note: (input: unknown, { callId }) => (seen.push(input), callId), none: () => undefined };
  const ends = (): unknown[] =>
    (sink.events as readonly OperationEvent[])
      .filter(({ endedAt, state }) => endedAt !== undefined || state === 'completed' || state === 'failed')
      .map(({ id, state }) => [id, state]);
  return { sink, seen, tools, ends, options: { sink, session: 's', throttleMs: 0 } };
}

async function* streamOf<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

type Piece = NonNullable<NonNullable<ChatChunkLike['choices']>[number]['delta']['tool_calls']>[number];
const chunk = (...pieces: readonly Piece[]): ChatChunkLike => ({ choices: [{ index: 0, delta: { tool_calls: pieces } }] });

describe('a stream that is cut off', () => {
  const half = { function: { name: 'note', arguments: '{"n":' } };
  it('in the middle of a call rejects, for half an input is none', async () => {
    const expected = { message: 'The stream ended in the middle of a call of note.' };
    await assert.rejects(collectChatMessage(streamOf(chunk({ index: 0, id: 'a', ...half }))), expected);
  });
  it('by the API, which says so, is what the API made of it', async () => {
    const end: ChatChunkLike = { choices: [{ index: 0, delta: {}, finish_reason: 'length' }] };
    const message = await collectChatMessage(streamOf(chunk({ index: 0, id: 'a', ...half }), end));
    assert.equal(message.tool_calls?.[0]?.function.arguments, '{"n":');
  });
});

describe('tools that are no functions', () => {
  it('are told to the author, not to the model', async () => {
    const { options } = setup();
    const message = { tool_calls: [{ id: 'a', type: 'function', function: { name: 'scan', arguments: '{}' } }] } as const;
    const tools = { scan: { execute: () => 1 } } as unknown as ToolTable;
    const expected = {
      name: 'TypeError',
      message: /Tool scan must be a function .* not object\. Give its execute: \{ scan: tool\.execute \}/,
    };
    await assert.rejects(runChatTools(message, tools, options), expected);
    await assert.rejects(runResponseTools({ output: [] }, tools, options), expected);
    await assert.rejects(runMessageTools({ content: [] }, tools, options), expected);
    await assert.rejects(runChatTools(message, undefined as never, options), {
      name: 'TypeError',
      message: /Tools are needed as \{ name:/,
    });
    await assert.rejects(runChatTools(message, {}, undefined as never), { name: 'TypeError', message: /\{ sink, session \}/ });
  });
});

describe('a chat of a server that only looks like the API', () => {
  it('puts calls together that all have the same index, or none, by their ids', async () => {
    for (const index of [0, undefined]) {
      const at = index === undefined ? {} : { index };
      const message = await collectChatMessage(
        streamOf(
          chunk({ ...at, id: 'a', function: { name: 'note', arguments: '{"n"' } }),
          chunk({ ...at, function: { arguments: ':1}' } }),
          chunk({ ...at, id: 'b', function: { name: 'note', arguments: '{"n":2}' } }),
          { choices: [] },
          {},
        ),
      );
      assert.deepEqual(message.tool_calls, [
        { id: 'a', type: 'function', function: { name: 'note', arguments: '{"n":1}' } },
        { id: 'b', type: 'function', function: { name: 'note', arguments: '{"n":2}' } },
      ]);
    }
  });

  it('keeps calls in the order of their indexes, however their pieces come, and repeats of an id to one call', async () => {
    const message = await collectChatMessage(
      streamOf(
        chunk({ index: 2, id: 'c', function: { name: 'note' } }),
        chunk({ index: 0, id: 'a', function: { name: 'note' } }),
        chunk({ index: 1, id: '', function: { name: 'note' } }, { index: 0, id: 'a', function: { arguments: '{}' } }),
        chunk({ index: 1, id: 'b' }, { index: 2, function: { arguments: '[]' } }),
      ),
    );
    assert.deepEqual(
      message.tool_calls?.map(({ id, function: { arguments: text } }) => [id, text]),
      [
        ['a', '{}'],
        ['b', ''],
        ['c', '[]'],
      ],
    );
  });

  it('runs calls whose arguments are parsed already, missing, null or blank', async () => {
    const { seen, tools, options } = setup();
    const calls = [{ n: 1 }, undefined, null, ' ', '[1]'].map((text, index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name: 'note', arguments: text },
    }));
    const answers = await runChatTools({ tool_calls: calls as never }, tools, options);
    assert.deepEqual(seen, [{ n: 1 }, {}, {}, {}, [1]]);
    assert.equal(answers.length, 5);
  });

  it('answers calls without an id, a name or a function, and gives those of one id two invocations', async () => {
    const { tools, options, ends } = setup();
    const calls = [
      { id: 'a', function: { name: 'note' } },
      { id: 'a', function: { name: 'note' } },
      { id: '', function: { name: 'note' } },
      { id: 'x' },
      {},
    ];
    const answers = await runChatTools({ tool_calls: calls as never }, tools, options);
    assert.deepEqual(
      answers.map(({ tool_call_id: id }) => id),
      ['a', 'a', '', 'x', ''],
    );
    const ids = ends().map((end) => (end as unknown[])[0]);
    assert.equal(new Set(ids).size, 5);
    assert.deepEqual([ids.includes('a'), ids.includes('x')], [true, true]);
    assert.match(String(answers[4]?.content), /There is no tool ; there is note, none\./);
  });

  it('does not take a member of every object for a tool', async () => {
    const { tools, options } = setup();
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      const [answer] = await runChatTools(
        { tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }] },
        tools,
        options,
      );
      assert.match(String(answer?.content), new RegExp(`There is no tool ${name}`));
    }
  });
});

describe('a loop that is told to stop', () => {
  const ask = { tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'work', arguments: '' } }] };
  const statesOf = (events: readonly unknown[]): unknown[] => (events as readonly OperationEvent[]).map(({ state }) => state);

  it('waits for no approval any more, whatever becomes of it', async () => {
    for (const answer of ['never', 'later', 'fails'] as const) {
      const { sink, options } = setup();
      const abort = new AbortController();
      let hasRun = false;
      let settle: (() => void) | undefined;
      const approve = (): Promise<boolean> =>
        new Promise((resolve, reject) => {
          settle = answer === 'never' ? undefined : () => (answer === 'later' ? resolve(true) : reject(new Error('gone')));
          setImmediate(() => abort.abort('stop'));
        });
      const run = runChatTools(ask, { work: () => (hasRun = true) }, { ...options, signal: abort.signal, approve });
      await assert.rejects(run, (reason) => reason === 'stop');
      settle?.();
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([statesOf(sink.events), hasRun], [['pending', 'blocked', 'cancelled'], false]);
    }
  });

  it('runs nothing that is approved in the moment of the stop', async () => {
    const { options } = setup();
    const abort = new AbortController();
    let hasRun = false;
    const approve = (): boolean => (abort.abort('stop'), true);
    await assert.rejects(runChatTools(ask, { work: () => (hasRun = true) }, { ...options, signal: abort.signal, approve }));
    assert.equal(hasRun, false);
  });

  it('reads a generator no further, and closes it', async () => {
    const { sink, options } = setup();
    const abort = new AbortController();
    let isClosed = false;
    async function* work(): AsyncGenerator<number> {
      try {
        for (let step = 1; ; step += 1) {
          if (step === 3) abort.abort('stop');
          yield step;
        }
      } finally {
        isClosed = true;
      }
    }
    await assert.rejects(runChatTools(ask, { work }, { ...options, signal: abort.signal }), (reason) => reason === 'stop');
    assert.deepEqual([statesOf(sink.events), isClosed], [['running', 'cancelled'], true]);
  });
});

describe('an answer of a tool', () => {
  it('comes of a tool that is called on its table', async () => {
    const tools = {
      suffix: (): string => '!',
      shout(this: { suffix(): string }, { text }: { text: string }) {
        return text + this.suffix();
      },
    };
    const call = { id: 'a', type: 'function' as const, function: { name: 'shout', arguments: '{"text":"yes"}' } };
    assert.equal((await runChatTools({ tool_calls: [call] }, tools as ToolTable, setup().options))[0]?.content, 'yes!');
  });

  it('is text as it is, nothing as nothing, content of the API as it is, and anything else as JSON', async () => {
    const parts = [{ type: 'text', text: 'a' }];
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    for (const [value, text] of [
      ['plain', 'plain'],
      [undefined, ''],
      [null, 'null'],
      [7, '7'],
      [[], '[]'],
      [[{ type: 'other' }], '[{"type":"other"}]'],
      [parts, parts],
      [{ a: undefined }, '{}'],
      [circular, 'The tool answered, but its answer cannot be written as JSON.'],
      [10n, 'The tool answered, but its answer cannot be written as JSON.'],
      [Symbol('x'), 'Symbol(x)'],
      [{ items: [1], next: () => Promise.resolve({ items: [] }) }, '{"items":[1]}'],
    ] as const) {
      const { options } = setup();
      const [answer] = await runChatTools(
        { tool_calls: [{ id: 'a', type: 'function', function: { name: 'give', arguments: '' } }] },
        { give: () => value },
        options,
      );
      assert.deepEqual(answer?.content, text);
    }
  });

  it('of a generator is its return value, or its last value without one', async () => {
    const tools: ToolTable = {
      *returns() {
        yield 'a';
        return 'end';
      },
      async *yields() {
        yield 'a';
        yield 'b';
      },
      // oxlint-disable-next-line no-empty-function -- gives nothing at all
      *nothing() {},
    };
    const { options } = setup();
    const calls = Object.keys(tools).map((name) => ({ id: name, type: 'function' as const, function: { name, arguments: '' } }));
    const answers = await runChatTools({ tool_calls: calls }, tools, options);
    assert.deepEqual(
      answers.map(({ content }) => content),
      ['end', 'b', ''],
    );
  });
});

describe('the tool loops', () => {
  it('never reject and answer every call, whatever an API and a tool come up with', async () => {
    const block = fc.record(
      {
        type: fc.constantFrom('tool_use', 'text', 'function_call', 'custom_tool_call', 'reasoning'),
        id: fc.anything(),
        call_id: fc.anything(),
        name: fc.oneof(fc.constantFrom('note', 'none', 'throws'), fc.anything()),
        input: fc.anything(),
        arguments: fc.anything(),
        function: fc.option(fc.record({ name: fc.anything(), arguments: fc.anything() }), { nil: undefined }),
      },
      { requiredKeys: ['type'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), async (blocks) => {
        const { tools, options } = setup();
        const all: ToolTable = { ...tools, throws: () => Promise.reject(Object.freeze({ message: 7 })) };
        const used = blocks.filter(({ type }) => type === 'tool_use').length;
        assert.equal((await runMessageTools({ content: blocks }, all, options)).length, used);
        const called = blocks.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call').length;
        assert.equal((await runResponseTools({ output: blocks }, all, options)).length, called);
        assert.equal((await runChatTools({ tool_calls: blocks as never }, all, options)).length, blocks.length);
      }),
      { numRuns: 200 },
    );
  });

  it('put together whatever a stream holds', async () => {
    const event = fc.record(
      {
        type: fc.constantFrom(
          'content_block_start',
          'content_block_delta',
          'message_delta',
          'response.output_item.done',
          'response.completed',
          'other',
        ),
        index: fc.nat(3),
        output_index: fc.nat(3),
        content_block: fc.record({ type: fc.constant('tool_use'), id: fc.string(), name: fc.string() }),
        delta: fc.record(
          {
            type: fc.constantFrom('input_json_delta', 'text_delta', 'citations_delta', 'new_delta'),
            partial_json: fc.string(),
            text: fc.string(),
          },
          { requiredKeys: ['type'] },
        ),
        item: fc.record({ type: fc.string() }),
      },
      { requiredKeys: ['type'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 20 }), async (events) => {
        const message = await collectMessage<(typeof events)[number], { type: string }>(streamOf(...events));
        assert.ok(message.content.length <= 4);
        assert.ok((await collectResponse(streamOf(...events))).output.length <= 4);
      }),
    );
  });

  it('put nothing together of a stream that says it failed', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'note', arguments: '{}' } };
    const seen: unknown[] = [];
    const chat = streamOf<ChatChunkLike>(chunk({ index: 0, ...call }), {
      error: { message: 'Overloaded.', type: 'server_error' },
    } as ChatChunkLike);
    await assert.rejects(
      collectChatMessage(chat, (each) => seen.push(each)),
      { message: 'Overloaded.', code: 'server_error' },
    );
    assert.equal(seen.length, 2);
    const message = streamOf({ type: 'message_start' }, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    await assert.rejects(collectMessage(message), { message: 'Overloaded', code: 'overloaded_error' });
    await assert.rejects(collectResponse(streamOf({ type: 'error', code: 'rate_limit', message: 'Too much.' })), {
      message: 'Too much.',
      code: 'rate_limit',
    });
    await assert.rejects(collectResponse(streamOf({ type: 'error' })), { message: 'The stream ended with an error.' });
  });

  it('tell the model of an input that broke off in its stream, and show nobody else', async () => {
    const block = { type: 'tool_use', id: 'a', name: 'note', input: {} };
    const message = await collectMessage<{ type: string }, { type: string }>(
      streamOf(
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"text": "ha' } },
      ),
    );
    assert.equal(JSON.stringify(message.content), JSON.stringify([block]));
    const { tools, options, seen } = setup();
    const [answer] = await runMessageTools(message, tools, options);
    assert.deepEqual([answer?.is_error, seen], [true, []]);
    assert.match(String(answer?.content), /no valid JSON/);
  });

  it('take a response that failed for what the API says it came to, streamed or whole', async () => {
    const item = { type: 'function_call', call_id: 'a', name: 'note', arguments: '{}' };
    const response = { status: 'failed', output: [item], error: { code: 'server_error', message: 'Gone.' } };
    const collected = await collectResponse(streamOf({ type: 'response.created' }, { type: 'response.failed', response }));
    assert.equal(collected, response);
  });

  it('of LangChain survive callbacks without a start, twice ended, and with anything in them', () => {
    const { sink, options } = setup();
    const progress = createProgressCallbacks(options);
    progress.handleToolEnd('x', 'unknown');
    progress.handleToolError(undefined, 'unknown');
    progress.handleToolEvent({ current: Number.NaN }, 'unknown');
    progress.handleChainEnd({}, 'unknown');
    progress.handleToolStart(undefined, '', 'run-1');
    for (const yielded of [null, 7, Symbol('x'), { current: Number.NaN }, { current: '5' }, [1]])
      progress.handleToolEvent(yielded, 'run-1');
    progress.handleToolEnd(undefined, 'run-1');
    progress.handleToolEnd(undefined, 'run-1');
    assert.deepEqual(
      (sink.events as readonly OperationEvent[]).map(({ id, state, title }) => [id, state, title]),
      [
        ['run-1', 'running', 'tool'],
        ['run-1', 'completed', undefined],
      ],
    );
    assert.equal(progress.reporterOf(undefined), undefined);
    assert.equal(progress.inside((value: number) => value + 1)(1), 2);
  });
});
