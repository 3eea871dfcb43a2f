import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { convertToModelMessages, generateText, readUIMessageStream, simulateReadableStream, stepCountIs, streamText, tool } from 'ai';
import type { ToolSet, UIMessage, UIMessageChunk, UIMessageStreamWriter } from 'ai';
import { z } from 'zod';
import { createMemorySource, createStore } from '@sitrep/client';
import { currentReporter, createReporter } from '@sitrep/harness';
import { createMessageSink, reportDenied, reporterOf, wrapToolSet } from '@sitrep/harness/ai-sdk';
import { createMemorySink } from '@sitrep/harness/sink';
import { AI_SDK_PART, aiSdk } from '@sitrep/schema/dialect/ai-sdk';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { Operation, OperationEvent } from '@sitrep/schema';
import { call, chat, collect, model, recordsOf } from './ai-sdk/chat.ts';
import type { Turn } from './ai-sdk/chat.ts';
import { randomSession } from './random-session.ts';
import { recorder } from './record.ts';

const came = recorder('ai-sdk', { peer: 'ai 6.0.326', transport: 'HTTP, UI message stream' });
const any = z.object({}).loose();

/** Answers with these tools: the model makes its calls, and what the tools report goes into the same stream. */
function withTools(tools: (session: string) => ToolSet, ...turns: readonly Turn[]) {
  return async (writer: UIMessageStreamWriter, messages: readonly UIMessage[]): Promise<void> => {
    const sink = createMessageSink(writer, 'chat-1');
    // Under the id of the message the calls in its chunks and what is reported of them are the same.
    const report = { sink, session: 'chat-1', run: 'msg-1', throttleMs: 0 };
    const modelMessages = messages.length === 0 ? [{ role: 'user' as const, content: 'Go.' }] : await convertToModelMessages([...messages]);
    reportDenied(modelMessages, report);
    const result = streamText({
      model: model(...turns),
      messages: modelMessages,
      tools: wrapToolSet(tools('chat-1'), report),
      stopWhen: stepCountIs(3),
    });
    writer.merge(result.toUIMessageStream({ originalMessages: [...messages], generateMessageId: () => 'msg-1' }));
    await result.consumeStream();
    await sink.flush();
  };
}

const done: Turn = [
  { type: 'text-start' as const, id: 't' },
  { type: 'text-delta' as const, id: 't', delta: 'Done.' },
  { type: 'text-end' as const, id: 't' },
];
const states = ({ operations }: { operations: ReadonlyMap<string, { id: unknown; state: string }> }): string =>
  [...operations.values()].map(({ id, state }) => `${String(id)} ${state}`).join(', ');
const parts = (message: UIMessage | undefined): readonly { type: string; data?: unknown }[] =>
  (message?.parts ?? []).filter(({ type }) => type === AI_SDK_PART) as never;

describe('tools of the AI SDK', () => {
  it('give what they gave, and are reported under the id of their call', async () => {
    const events: OperationEvent[] = [];
    const tools = {
      scan: tool({
        title: 'Scan',
        inputSchema: any,
        execute: async (_, options) => {
          reporterOf(options)?.update({ current: 1, total: 2 });
          currentReporter()?.update({ current: 2 });
          return { found: 3 };
        },
      }),
    };
    const sink = createMemorySink();
    const plain = await generateText({ model: generating(), prompt: 'Go.', tools });
    const { toolResults } = await generateText({
      model: generating(),
      prompt: 'Go.',
      tools: wrapToolSet(tools, { sink, session: 's', throttleMs: 0 }),
    });
    assert.deepEqual(
      toolResults.map(({ output }) => output),
      plain.toolResults.map(({ output }) => output),
    );
    events.push(...(sink.events as OperationEvent[]));
    assert.deepEqual(
      events.map(({ id, state, title, current }) => [id, state, title, current]),
      [
        ['call-1', 'running', 'Scan', undefined],
        ['call-1', undefined, undefined, 1],
        ['call-1', undefined, undefined, 2],
        ['call-1', 'completed', undefined, undefined],
      ],
    );
  });
  it('behave the same when the sink throws or never answers', async () => {
    for (const send of [
      () => {
        throw new Error('broken');
      },
      () => new Promise(() => {}) as never,
    ]) {
      const sink = { send, flush: async () => {}, close: async () => {} };
      const tools = {
        good: tool({ inputSchema: any, execute: async () => 'ok' }),
        bad: tool({
          inputSchema: any,
          execute: async (): Promise<string> => {
            throw new Error('no');
          },
        }),
      };
      const turn = [call('a', 'good'), call('b', 'bad')];
      const steps = async (set: ToolSet): Promise<unknown> => {
        const result = streamText({ model: model(turn, done), prompt: 'Go.', tools: set, stopWhen: stepCountIs(2) });
        const [first] = await result.steps;
        return first?.content.map((part) => [part.type, 'output' in part ? part.output : 'error' in part ? String(part.error) : undefined]);
      };
      assert.deepEqual(await steps(wrapToolSet(tools, { sink, session: 's' })), await steps(tools));
    }
  });
  it('keep the preliminary results of a generator, and end with it', async () => {
    const sink = createMemorySink();
    const tools = wrapToolSet(
      {
        scan: tool({
          inputSchema: any,
          async *execute() {
            yield 'one';
            currentReporter()?.update({ message: 'between' });
            yield 'two';
          },
        }),
      },
      { sink, session: 's', throttleMs: 0 },
    );
    const result = streamText({ model: model([call('a', 'scan')], done), prompt: 'Go.', tools, stopWhen: stepCountIs(2) });
    const outputs: unknown[] = [];
    for await (const part of result.fullStream) if (part.type === 'tool-result') outputs.push([part.output, part.preliminary ?? false]);
    assert.deepEqual(outputs, [
      ['one', true],
      ['two', true],
      ['two', false],
    ]);
    assert.deepEqual(
      (sink.events as OperationEvent[]).map(({ state, message }) => message ?? state),
      ['running', 'between', 'completed'],
    );
  });
  it('are cancelled with the signal of their turn', async () => {
    const sink = createMemorySink();
    const stop = new AbortController();
    const tools = wrapToolSet(
      {
        wait: tool({
          inputSchema: any,
          execute: (_, { abortSignal }) => new Promise((resolve) => abortSignal?.addEventListener('abort', () => resolve('late'))),
        }),
      },
      { sink, session: 's' },
    );
    const result = streamText({ model: model([call('a', 'wait')]), prompt: 'Go.', tools, abortSignal: stop.signal });
    for await (const part of result.fullStream) if (part.type === 'tool-call') stop.abort('user');
    assert.deepEqual(
      (sink.events as OperationEvent[]).map(({ state, reason }) => reason ?? state),
      ['running', 'user'],
    );
  });
});

function generating() {
  const base = model();
  base.doGenerate = async () => ({
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'scan', input: '{}' }],
    finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
    usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    warnings: [],
  });
  return base;
}

describe('a page that reads the messages of a chat', () => {
  it('has the calls of the newest one, by giving it whole to one decoder as it grows', async () => {
    const bad = tool({ inputSchema: any, execute: (): Promise<string> => Promise.reject(new Error('password for db-7 refused')) });
    const scan = tool({
      inputSchema: any,
      execute: () => {
        for (let current = 1; current <= 3; current++) currentReporter()?.update({ current, total: 3, unit: 'files' });
        return 'done';
      },
    });
    await using server = await chat(withTools(() => ({ scan, bad }), [call('a', 'scan'), call('b', 'bad')], done));
    const { chunks } = await server.post();
    const source = createMemorySource();
    const store = createStore({ session: 'chat-1', source });
    const leave = store.subscribe(() => {});
    const decoder = createDecoder(aiSdk, { session: 'chat-1' });
    let messages = 0;
    for await (const message of readUIMessageStream({ stream: simulateReadableStream({ chunks: [...chunks], chunkDelayInMs: null }) })) {
      messages += 1;
      const decoded = decoder.decode(message, messages);
      assert.ok(decoded.ok);
      for (const event of decoded.events) source.push(event);
    }
    assert.ok(messages > 5);
    const shown = [...store.getSnapshot().operations.values()].map(({ id, run, state, current, total, error }) => [
      [run, id, state, current, total],
      error?.message,
    ]);
    leave();
    assert.deepEqual(shown, [
      [['msg-1', 'a', 'completed', 3, 3], undefined],
      [['msg-1', 'b', 'failed', undefined, undefined], 'An error occurred.'],
    ]);
  });
});

describe('a session written into a message', () => {
  it('comes back out of the stream, and out of the stored message alone, whatever it holds', async () => {
    for (let seed = 1; seed <= 80; seed++) {
      const events = randomSession(seed);
      const encoder = createEncoder(aiSdk, 'chat-1');
      const written = events.flatMap((event) => encoder.encode(event));
      const start: UIMessageChunk = { type: 'start', messageId: 'msg-1' };
      const chunks = [start, ...(structuredClone(written) as unknown as UIMessageChunk[])];
      const told = await collect(simulateReadableStream({ chunks, chunkDelayInMs: null }));
      assert.equal(told.error, undefined);
      const direct = encoder.session.snapshot(0, 'e', 0);
      // The message itself is a run as well.
      const ours = told.ours.snapshot(0, 'e', 0);
      assert.deepEqual({ ...ours, runs: ours.runs.filter(({ run }) => run !== 'msg-1') }, direct, `seed ${seed}`);
      const stored = recordsOf([told.message]).snapshot(0, 'e', 0);
      assert.deepEqual(byKey(stored.operations), byKey(direct.operations), `seed ${seed}`);
      assert.deepEqual([stored.card, stored.revision, stored.title], [direct.card, direct.revision, direct.title], `seed ${seed}`);
      assert.deepEqual(stored.runs, direct.runs, `seed ${seed}`);
    }
  });
});

function byKey(operations: readonly Operation[]): Map<string, Operation> {
  return new Map(operations.map((each) => [JSON.stringify([each.id, each.run]), each] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('came through the AI SDK', () => {
  it('a burst of updates in one go with the result', async () => {
    const tools = (): ToolSet => ({
      copy: tool({
        inputSchema: any,
        execute: async () => {
          for (let current = 1; current <= 50; current++) currentReporter()?.update({ current, total: 50 });
          return 'ok';
        },
      }),
    });
    await using server = await chat(withTools(tools, [call('a', 'copy')], done));
    const told = await server.post();
    assert.equal(told.error, undefined);
    const sent = told.chunks.filter(({ type }) => type === AI_SDK_PART).length;
    const [copy] = told.ours.operations.values();
    came('burst', {
      sent: '50 updates in one tick, then the result',
      peer: `${sent} data parts, of which the message keeps ${parts(told.message).length}, the newest`,
      ours: `${copy?.state}, ${copy?.current} of ${copy?.total}`,
    });
    assert.deepEqual(
      parts(told.message).map(({ data }) => (data as OperationEvent).state),
      ['completed'],
    );
  });
  it('updates after the final state', async () => {
    const chunks: UIMessageChunk[] = [
      { type: 'start', messageId: 'msg-1' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'scan', input: {} },
      { type: 'tool-output-available', toolCallId: 'a', output: 'whole' },
      { type: 'tool-output-available', toolCallId: 'a', output: 'half', preliminary: true },
    ];
    const told = await collect(simulateReadableStream({ chunks, chunkDelayInMs: null }));
    const part = told.message?.parts.find(({ type }) => type === 'tool-scan') as { preliminary?: boolean; output?: unknown };
    came('late', {
      sent: 'a preliminary result after the result',
      peer: `overwrites: output "${String(part.output)}", preliminary ${String(part.preliminary)}`,
      ours: `${states(told.ours)}, ${told.ours.outcomes.late} late dropped`,
    });
  });
  it('repeated and falling amounts', async () => {
    const amounts = [20, 20, 80, 40];
    const tools = (): ToolSet => ({
      copy: tool({
        inputSchema: any,
        execute: async () => {
          for (const current of amounts) currentReporter()?.update({ current, total: 100 });
          return 'ok';
        },
      }),
    });
    await using server = await chat(withTools(tools, [call('a', 'copy')], done));
    const told = await server.post();
    const seen = told.chunks.flatMap((chunk) => (chunk.type === AI_SDK_PART ? [(chunk.data as OperationEvent).current] : []));
    came('amounts', {
      sent: amounts.join(', '),
      peer: `data parts with ${seen
        .filter((current) => current !== undefined)
        .slice(0, 4)
        .join(', ')}`,
      ours: `ends at ${[...told.ours.operations.values()][0]?.current}, as it was said`,
    });
  });
  it('two identical calls at once', async () => {
    const tools = (): ToolSet => ({
      scan: tool({
        inputSchema: any,
        execute: async (_, { toolCallId }) => {
          currentReporter()?.update({ message: toolCallId });
          if (toolCallId === 'b') throw new Error('no');
          return toolCallId;
        },
      }),
    });
    await using server = await chat(withTools(tools, [call('a', 'scan'), call('b', 'scan')], done));
    const told = await server.post();
    const outputs = told.message?.parts.flatMap((part) => (part.type === 'tool-scan' ? [`${part.toolCallId} ${part.state}`] : []));
    const own = [...told.ours.operations.values()];
    came('concurrent', {
      sent: 'two calls of one tool with the same input, the second throws',
      peer: outputs?.join(', ') ?? '',
      ours: own.map(({ id, state, message }) => `${String(id)} ${state} ("${message}")`).join(', '),
    });
  });
  it('calls nested three deep', async () => {
    const tools = (): ToolSet => ({
      outer: tool({
        inputSchema: any,
        execute: () => {
          const middle = currentReporter()?.child({ id: 'middle', title: 'Middle' });
          return middle?.track((reporter) => reporter.child({ id: 'inner', title: 'Inner' }).track(() => 'ok'));
        },
      }),
    });
    await using server = await chat(withTools(tools, [call('a', 'outer')], done));
    const told = await server.post();
    const own = [...told.ours.operations.values()];
    came('nested', {
      sent: 'a call, work in it, work in that',
      peer: `one tool part, ${parts(told.message).length} data parts`,
      ours: own.map(({ id, parent }) => `${String(id)} in ${String(parent ?? 'the run')}`).join(', '),
    });
  });
  it('a cancel, then a completion', async () => {
    const chunks: UIMessageChunk[] = [
      { type: 'start', messageId: 'msg-1' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'scan', input: {} },
      { type: 'abort', reason: 'user' },
      { type: 'tool-output-available', toolCallId: 'a', output: 'late' },
    ];
    const told = await collect(simulateReadableStream({ chunks, chunkDelayInMs: null }));
    const part = told.message?.parts.find(({ type }) => type === 'tool-scan') as { state?: string };
    came('cancel-completed', {
      sent: 'an abort, then the result of what was under way',
      peer: `the part says ${part.state}`,
      ours: `${states(told.ours)}; the run ${told.ours.runs.get('msg-1')?.state}`,
    });
  });
  it('a call that was not allowed', async () => {
    let ran = 0;
    const tools = (): ToolSet => ({ deploy: tool({ inputSchema: any, needsApproval: true, execute: async () => (ran += 1) }) });
    await using first = await chat(withTools(tools, [call('a', 'deploy')]));
    const asked = await first.post([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Deploy.' }] }]);
    const own = (told: typeof asked): string => [...told.ours.operations.values()].map(({ state }) => state).join();
    const part = asked.message?.parts.find(({ type }) => type === 'tool-deploy') as unknown as { state: string; approval: { id: string } };
    assert.equal(part.state, 'approval-requested');
    assert.equal(asked.ours.runs.get('msg-1')?.state, 'running');
    assert.equal(own(asked), 'blocked');
    const answered = structuredClone(asked.message) as UIMessage;
    const held = answered.parts.find(({ type }) => type === 'tool-deploy') as unknown as Record<string, unknown>;
    Object.assign(held, { state: 'approval-responded', approval: { ...part.approval, approved: false, reason: 'not now' } });
    await using second = await chat(withTools(tools, done));
    const refused = await second.post([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Deploy.' }] }, answered]);
    const after = refused.message?.parts.find(({ type }) => type === 'tool-deploy') as unknown as { state: string };
    assert.equal(refused.error, undefined);
    assert.equal(ran, 0);
    came('denied', {
      sent: 'a call that needs an approval, and an answer that refuses it',
      peer: `${part.state}, then ${after.state}`,
      ours: `blocked, then ${own(refused)}: the tool never ran`,
    });
  });
  it('a call that is allowed in another request', async () => {
    const tools = (): ToolSet => ({ deploy: tool({ inputSchema: any, needsApproval: async () => true, execute: async () => 'out' }) });
    await using first = await chat(withTools(tools, [call('a', 'deploy')]));
    const asked = await first.post([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Deploy.' }] }]);
    const answered = structuredClone(asked.message) as UIMessage;
    const held = answered.parts.find(({ type }) => type === 'tool-deploy') as unknown as Record<string, unknown>;
    Object.assign(held, { state: 'approval-responded', approval: { ...(held['approval'] as object), approved: true } });
    await using second = await chat(withTools(tools, done));
    const told = await second.post([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Deploy.' }] }, answered]);
    assert.equal(told.error, undefined);
    assert.deepEqual([states(told.ours), told.ours.runs.get('msg-1')?.state], ['a completed', 'completed']);
  });
  it('a chunk of a newer peer', async () => {
    const chunks = [
      { type: 'start', messageId: 'msg-1' },
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'scan', input: {} },
      { type: 'reset-step' },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'scan', input: {} },
      { type: 'tool-output-available', toolCallId: 'b', output: 1 },
      { type: 'finish', finishReason: 'paused' },
    ];
    await using server = await chat((writer) => chunks.forEach((chunk) => writer.write(chunk as UIMessageChunk)));
    const told = await server.post();
    const ours = recordsOf(chunks);
    came('unknown-state', {
      sent: 'a step taken back as version 7 does, and a finish reason nobody knows',
      peer: told.error === undefined ? 'taken' : `gives the stream up: ${told.error.split(':').slice(0, 2).join(':')}`,
      ours: `read from the wire: ${states(ours)}; the run ${ours.runs.get('msg-1')?.state}, reason "${ours.runs.get('msg-1')?.reason}"`,
    });
  });
  it('a call that reports nothing', async () => {
    const tools = (): ToolSet => ({ scan: tool({ inputSchema: any, execute: async () => 'ok' }) });
    await using server = await chat(withTools(tools, [call('a', 'scan')], done));
    const told = await server.post();
    for (const { current, total, fraction } of told.ours.operations.values()) assert.equal(current ?? total ?? fraction, undefined);
    came('silence', { sent: 'a call without any progress', peer: 'input, output', ours: 'running, completed, no amount' });
  });
  it('a reconnect with and without a cursor', async () => {
    came('resume-cursor', { none: 'The stream has no positions: a reader that comes back gets it from its beginning.' });
    const answer = (writer: UIMessageStreamWriter): void => {
      const sink = createMessageSink(writer, 'chat-1');
      const reporter = createReporter({ sink, session: 'chat-1', id: 'a', title: 'Build', throttleMs: 0 });
      for (let current = 1; current <= 5; current++) reporter.update({ current, total: 5, message: `${current}.ts` });
      reporter.complete({ message: null });
    };
    await using server = await chat(answer);
    const first = await server.post();
    const again = await server.reconnect();
    assert.deepEqual(again?.ours.snapshot(0, 'e', 0), first.ours.snapshot(0, 'e', 0));
    assert.deepEqual(again?.message?.parts, first.message?.parts);
    const stored = recordsOf([first.message]);
    assert.deepEqual([...stored.operations.values()], [...first.ours.operations.values()]);
    came('resume-none', {
      sent: 'the same stream again over GET; and the stored message alone',
      peer: `the same message, ${parts(again?.message).length} data part`,
      ours: `${states(again?.ours ?? first.ours)}, the same records all three times`,
    });
  });
});
