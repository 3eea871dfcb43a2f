import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { createProgressCallbacks } from '@sitrep/harness/langchain';
import type { ProgressCallbacksOptions, RunnableConfigLike } from '@sitrep/harness/langchain';
import { wrapTool } from '@sitrep/harness/native';
import { currentReporter } from '@sitrep/harness/reporter';
import { createMemorySink } from '@sitrep/harness/sink';
import { throughLoop } from './loops/scenarios.ts';
import { eventsOf, storyOf } from './loops/tools.ts';
import { recorder } from './record.ts';

function setup(more: Partial<ProgressCallbacksOptions> = {}) {
  const sink = createMemorySink();
  const progress = createProgressCallbacks({ sink, session: 's', run: 'turn-1', throttleMs: 0, ...more });
  return { sink, progress, config: { callbacks: [progress] } };
}

type Setup = ReturnType<typeof setup>;
const call = (id: string, name: string, args: Record<string, unknown> = {}) => ({ type: 'tool_call' as const, id, name, args });
const FILES = z.object({ files: z.number() });

/** A tool that counts what it does on the reporter of its call. */
function scanTool({ progress }: Setup) {
  return tool(
    progress.inside(async ({ files }: z.infer<typeof FILES>) => {
      for (let current = 1; current <= files; current += 1) {
        await Promise.resolve();
        currentReporter()?.update({ current, total: files });
      }
      return `${files} files`;
    }),
    { name: 'scan', description: 'Scans.', schema: FILES },
  );
}

describe('the progress callbacks with @langchain/core', () => {
  it('report each call under the model’s call id, concurrent identical ones apart, results as they were', async () => {
    const own = setup();
    const scan = scanTool(own);
    const results = await Promise.all(['call_a', 'call_b'].map((id) => scan.invoke(call(id, 'scan', { files: 3 }), own.config)));
    const bare = await scan.invoke(call('call_a', 'scan', { files: 3 }));
    assert.deepEqual(results[0], bare);
    assert.deepEqual(storyOf(own.sink), {
      call_a: ['scan', 'completed', 3, 3, null, null],
      call_b: ['scan', 'completed', 3, 3, null, null],
    });
  });

  it('fall back to the run id where a tool is called without a tool call', async () => {
    const own = setup();
    const runId = '0197a3a0-0000-7000-8000-000000000001';
    assert.equal(await scanTool(own).invoke({ files: 1 }, { ...own.config, runId }), '1 files');
    assert.deepEqual(storyOf(own.sink), { [runId]: ['scan', 'completed', 1, 1, null, null] });
  });

  it('fail, cancel and answer with an error as the tool did, which still throws what it threw', async () => {
    const own = setup();
    const error = new Error('disk full');
    const failing = tool(() => Promise.reject(error), { name: 'fail', description: 'Fails.', schema: z.object({}) });
    await assert.rejects(failing.invoke(call('call_a', 'fail'), own.config), (thrown) => thrown === error);
    const abort = new AbortController();
    const hanging = tool(() => new Promise<string>(() => {}), { name: 'hang', description: 'Hangs.', schema: z.object({}) });
    const waiting = hanging.invoke(call('call_b', 'hang'), { ...own.config, signal: abort.signal });
    while (own.sink.events.length < 3) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await assert.rejects(waiting);
    const polite = tool(
      (_, config: RunnableConfig & RunnableConfigLike) =>
        new ToolMessage({ status: 'error', content: 'no such file', tool_call_id: config.toolCall?.id ?? '' }),
      {
        name: 'read',
        description: 'Reads.',
        schema: z.object({}),
      },
    );
    await polite.invoke(call('call_c', 'read'), own.config);
    assert.deepEqual(storyOf(own.sink), {
      call_a: ['fail', 'failed', null, null, null, 'disk full'],
      call_b: ['hang', 'cancelled', null, null, null, 'aborted'],
      call_c: ['read', 'failed', null, null, null, 'no such file'],
    });
  });

  it('do not report what never ran: an input that its schema refused', async () => {
    const own = setup();
    await assert.rejects(scanTool(own).invoke(call('call_a', 'scan', { files: 'many' }), own.config));
    assert.deepEqual(own.sink.events, []);
  });

  it('nest three deep, through chains', async () => {
    const own = setup();
    const leaf = scanTool(own);
    const middle = tool(
      async (_, config: RunnableConfig) =>
        RunnableLambda.from((input: number, inner) => leaf.invoke(call('leaf', 'scan', { files: input }), inner)).invoke(2, config),
      { name: 'middle', description: 'Calls.', schema: z.object({}) },
    );
    const outer = tool(async (_, config: RunnableConfig) => middle.invoke(call('middle', 'middle'), config), {
      name: 'outer',
      description: 'Calls.',
      schema: z.object({}),
    });
    await RunnableLambda.from((_: string, config) => outer.invoke(call('outer', 'outer'), config)).invoke('go', own.config);
    assert.deepEqual(storyOf(own.sink), {
      outer: ['outer', 'completed', null, null, null, null],
      middle: ['middle', 'completed', null, null, 'outer', null],
      leaf: ['scan', 'completed', 2, 2, 'middle', null],
    });
  });

  it('show what a streaming tool yields: words as a message, amounts as amounts, nothing else', async () => {
    const own = setup();
    const streaming = tool(
      own.progress.inside(async function* () {
        yield 'Reading the index';
        yield { current: 1, total: 2, state: 'completed', seq: 99 };
        yield 7;
        yield { unrelated: true };
        currentReporter()?.update({ current: 2 });
        return 'all rows';
      }),
      { name: 'rows', description: 'Streams.', schema: z.object({}) },
    );
    await streaming.invoke(call('call_a', 'rows'), own.config);
    const seen = own.sink.events.map((event) =>
      event.type === 'operation' ? [event.state, event.message, event.current, event.total] : [],
    );
    assert.deepEqual(seen, [
      ['running', undefined, undefined, undefined],
      [undefined, 'Reading the index', undefined, undefined],
      [undefined, undefined, 1, 2],
      [undefined, undefined, 2, undefined],
      ['completed', undefined, undefined, undefined],
    ]);
  });

  it('tell the same of a chain that streams and of one that does not', async () => {
    const story = async (streams: boolean): Promise<unknown> => {
      const own = setup();
      const chain = RunnableLambda.from((_: string, config) => scanTool(own).invoke(call('call_a', 'scan', { files: 2 }), config));
      if (streams) for await (const _ of await chain.stream('go', own.config));
      else await chain.invoke('go', own.config);
      return eventsOf(own.sink);
    };
    assert.deepEqual(await story(true), await story(false));
  });

  it('leave a call blocked when the graph is interrupted, and go on with it as the next attempt', async () => {
    const own = setup();
    let isAnswered = false;
    const asking = tool(
      () => {
        if (isAnswered) return 'went on';
        throw Object.assign(new Error('waiting for an answer'), { name: 'GraphInterrupt' });
      },
      { name: 'ask', description: 'Asks.', schema: z.object({}) },
    );
    await assert.rejects(asking.invoke(call('call_a', 'ask'), own.config), { name: 'GraphInterrupt' });
    assert.deepEqual(storyOf(own.sink), { call_a: ['ask', 'blocked', null, null, null, null] });
    isAnswered = true;
    await asking.invoke(call('call_a', 'ask'), own.config);
    assert.deepEqual(storyOf(own.sink), { call_a: ['ask', 'completed', null, null, null, null] });
    assert.deepEqual(
      own.sink.events.map((event) => (event.type === 'operation' ? [event.attempt, event.state] : [])),
      [
        [1, 'running'],
        [1, 'blocked'],
        [2, 'running'],
        [2, 'completed'],
      ],
    );
  });

  it('alter nothing when the sink throws or hangs', async () => {
    for (const send of [
      () => {
        throw new Error('sink');
      },
      () => new Promise(() => {}) as never,
    ]) {
      const own = setup({ sink: { send, flush: () => new Promise(() => {}), close: () => new Promise(() => {}) } });
      assert.equal(await scanTool(own).invoke({ files: 2 }, own.config), '2 files');
    }
  });

  it('are not needed for a tool that is wrapped itself, keyed by the call in its configuration', async () => {
    const sink = createMemorySink();
    const scan = tool(
      wrapTool(
        async ({ files }: z.infer<typeof FILES>, _config: RunnableConfig & RunnableConfigLike, reporter) => (
          reporter.update({ current: files }),
          `${files} files`
        ),
        (_input, config) => ({
          sink,
          session: 's',
          id: config.toolCall?.id,
          signal: config.signal,
          throttleMs: 0,
          tool: { name: 'scan', origin: 'native' },
        }),
      ),
      { name: 'scan', description: 'Scans.', schema: FILES },
    );
    const message: ToolMessage = await scan.invoke(call('call_a', 'scan', { files: 4 }));
    assert.equal(message.content, '4 files');
    assert.deepEqual(storyOf(sink), { call_a: ['scan', 'completed', 4, null, null, null] });
  });
});

const came = recorder('langchain', { peer: '@langchain/core 1.4.0', transport: 'callbacks in process' });

describe('the scenarios of every peer, through callbacks', () => {
  it('come through as recorded', async () => {
    await throughLoop(
      came,
      async ({ calls, tools, options: { sink, signal } }) => {
        const progress = createProgressCallbacks({ sink, session: 's', run: 'turn', throttleMs: 0 });
        const results = calls.map(async ({ id, name }) => {
          const run = tools[name] as (input: object, context: object) => unknown;
          const made = tool(
            progress.inside(async (input: object, _config: RunnableConfig) => String(await run(input, { callId: id }))),
            {
              name,
              description: 'Works.',
              schema: z.object({}),
            },
          );
          const config = { callbacks: [progress], ...(signal === undefined || signal === null ? undefined : { signal }) };
          try {
            const message: ToolMessage = await made.invoke(call(id, name), config);
            return String(message.content);
          } catch (error) {
            return `rejected: ${(error as Error).message}`;
          }
        });
        return `answers: ${(await Promise.all(results)).join('; ')}`;
      },
      {
        sent: 'a call that its tool denies',
        asked: (asked) => ({ ...asked, tools: { job: () => (currentReporter()?.deny('not in this folder'), 'refused') } }),
      },
    );
  });
});
