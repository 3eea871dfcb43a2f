import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { collectChatMessage, collectResponse, runChatTools, runResponseTools } from '@sitrep/harness/openai';
import type { ToolLoopOptions } from '@sitrep/harness/openai';
import { createMemorySink } from '@sitrep/harness/sink';
import { startApi } from './loops/api.ts';
import type { ApiAnswer, ApiRequest } from './loops/api.ts';
import { throughLoop } from './loops/scenarios.ts';
import { eventsOf, storyOf, toolTable } from './loops/tools.ts';
import { recorder } from './record.ts';

interface Asked {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

const CALLS: readonly Asked[] = [
  { id: 'call_a', name: 'scan', text: '{"files":3}' },
  { id: 'call_b', name: 'scan', text: '{"files":3}' },
  { id: 'call_c', name: 'nest', text: '' },
  { id: 'call_d', name: 'fail', text: '{}' },
  { id: 'call_e', name: 'stream', text: '{"rows":2}' },
  { id: 'call_f', name: 'silent', text: '{}' },
  { id: 'call_g', name: 'missing', text: '{}' },
  { id: 'call_h', name: 'scan', text: '{"files":' },
];
const STORY = {
  call_a: ['scan', 'completed', 3, 3, null, null],
  call_b: ['scan', 'completed', 3, 3, null, null],
  call_c: ['nest', 'completed', null, null, null, null],
  'call_c-inside': [null, 'completed', null, null, 'call_c', null],
  call_d: ['fail', 'failed', null, null, null, 'disk full'],
  call_e: ['stream', 'completed', 2, null, null, null],
  call_f: ['silent', 'completed', null, null, null, null],
  call_g: ['missing', 'failed', null, null, null, 'There is no tool missing; there is scan, nest, stream, silent, fail, slow.'],
  call_h: ['scan', 'failed', null, null, null, 'The arguments of scan are no valid JSON; nothing was run. Send the whole object again.'],
};
const ANSWERS = [
  '{"callId":"call_a","files":3}',
  '{"callId":"call_b","files":3}',
  'nested',
  'fail failed: disk full',
  'row 2',
  '',
  'There is no tool missing; there is scan, nest, stream, silent, fail, slow.',
  'The arguments of scan are no valid JSON; nothing was run. Send the whole object again.',
];

const isStream = ({ body }: ApiRequest): boolean => body['stream'] === true;

/** Cuts a text into pieces of three, as a model writes. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [''];

function chatAnswer(request: ApiRequest, calls: readonly Asked[]): ApiAnswer {
  const messages = request.body['messages'] as { role: string; tool_call_id?: string }[];
  const answered = messages.flatMap(({ tool_call_id: id }) => id ?? []);
  const toolCalls = calls.map(({ id, name, text }) => ({ id, type: 'function', function: { name, arguments: text } }));
  if (answered.length > 0) {
    // As the API does: every call must be answered.
    if (calls.some(({ id }) => !answered.includes(id))) return { status: 400, json: { error: { message: 'unanswered tool call' } } };
    return { json: completion({ role: 'assistant', content: 'done' }, 'stop') };
  }
  if (!isStream(request)) return { json: completion({ role: 'assistant', content: 'Looking.', tool_calls: toolCalls }, 'tool_calls') };
  const chunk = (delta: object, reason: string | null = null): object => ({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const parts = toolCalls.map(({ id, function: { name, arguments: text } }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...pieces(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  // The calls interleaved, as the index allows.
  const most = Math.max(...parts.map(({ length }) => length));
  const woven = Array.from({ length: most }, (_, at) => parts.flatMap((each) => each[at] ?? [])).flat();
  const events = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces('Looking.').map((content) => chunk({ content })),
    ...woven,
    chunk({}, 'tool_calls'),
  ];
  return { events: [...events, { ...chunk({}), choices: [] }].map((data) => ({ data })), last: 'data: [DONE]\n\n' };
}

function completion(message: object, reason: string): object {
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: reason, logprobs: null }],
  };
}

const DECLARED: ChatCompletionTool[] = [{ type: 'function', function: { name: 'scan', parameters: { type: 'object' } } }];

async function chatLoop(stream: boolean, calls: readonly Asked[] = CALLS, more: Partial<ToolLoopOptions> = {}) {
  const api = await startApi((request) => chatAnswer(request, calls));
  const sink = createMemorySink();
  try {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${api.url}/v1`, maxRetries: 0 });
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }];
    const request = { model: 'm', messages, tools: DECLARED };
    let text = '';
    const message = stream
      ? await collectChatMessage(
          await client.chat.completions.create({ ...request, stream: true }),
          (chunk) => (text += chunk.choices[0]?.delta.content ?? ''),
        )
      : (await client.chat.completions.create(request)).choices[0]?.message;
    assert.ok(message);
    if (stream) assert.equal(text, 'Looking.');
    const answers = await runChatTools(message, toolTable(sink), { sink, session: 's', run: 'turn-1', throttleMs: 0, ...more });
    messages.push(message, ...answers);
    const end = await client.chat.completions.create({ model: 'm', messages });
    return { sink, message, answers, end: end.choices[0]?.message.content, requests: api.requests };
  } finally {
    await api.close();
  }
}

describe('a tool loop over chat completions of the openai client', () => {
  it('runs every call under its own id and answers each, whole and streamed alike', async () => {
    const [whole, streamed] = [await chatLoop(false), await chatLoop(true)];
    for (const { sink, answers, end } of [whole, streamed]) {
      assert.deepEqual(storyOf(sink), STORY);
      assert.deepEqual(
        answers.map(({ role, tool_call_id: id, content }) => [role, id, content]),
        CALLS.map(({ id }, index) => ['tool', id, ANSWERS[index]]),
      );
      assert.equal(end, 'done');
    }
    assert.deepEqual(eventsOf(streamed.sink), eventsOf(whole.sink));
    assert.deepEqual(streamed.message, whole.message);
    assert.deepEqual(streamed.requests[1]?.body, whole.requests[1]?.body);
  });

  it('runs the same calls one after the other when told to', async () => {
    const { sink, answers } = await chatLoop(true, CALLS, { parallel: false });
    assert.deepEqual(storyOf(sink), STORY);
    assert.equal(answers.length, CALLS.length);
  });

  it('denies what is not approved, tells the model, and shows the question while it stands', async () => {
    const calls = CALLS.slice(0, 3);
    const { sink, answers } = await chatLoop(false, calls, {
      approve: async ({ id }) => (await Promise.resolve(), id === 'call_a' ? true : id === 'call_b' ? 'the folder is private' : false),
    });
    const states = (id: string): unknown[] =>
      sink.events.flatMap((event) => (event.type === 'operation' && event.id === id ? (event.state ?? []) : []));
    assert.deepEqual(states('call_a'), ['pending', 'blocked', 'running', 'completed']);
    assert.deepEqual(states('call_b'), ['pending', 'blocked', 'denied']);
    assert.deepEqual(states('call_c'), ['pending', 'blocked', 'denied']);
    assert.deepEqual(
      answers.map(({ content }) => content),
      ['{"callId":"call_a","files":3}', 'scan was not run: the folder is private.', 'nest was not run: it was not approved.'],
    );
  });

  it('stops with its signal: every call is cancelled, and the loop rejects with the reason', async () => {
    const abort = new AbortController();
    const calls = [{ id: 'call_s', name: 'slow', text: '{}' }];
    const sink = createMemorySink();
    const running = chatLoop(false, calls, { sink, signal: abort.signal });
    const reason = new Error('stopped by the user');
    const started = (): boolean => sink.events.length > 0;
    while (!started()) await new Promise((resolve) => setImmediate(resolve));
    abort.abort(reason);
    await assert.rejects(running, (thrown) => thrown === reason);
    assert.deepEqual(storyOf(sink), { call_s: ['slow', 'cancelled', null, null, null, 'aborted'] });
  });

  it('does nothing when nothing is asked for', async () => {
    const sink = createMemorySink();
    assert.deepEqual(await runChatTools({ tool_calls: null }, {}, { sink, session: 's' }), []);
    assert.deepEqual(await runChatTools({}, {}, { sink, session: 's' }), []);
    assert.equal(sink.events.length, 0);
  });
});

const came = recorder('openai', { peer: 'openai 7.59.0', transport: 'HTTP with server-sent events, Chat Completions' });

describe('the scenarios of every peer, over chat completions', () => {
  it('come through as recorded', async () => {
    await throughLoop(
      came,
      async ({ calls, tools, options }) => {
        const api = await startApi((request) =>
          chatAnswer(
            request,
            calls.map((each) => ({ ...each, text: '{}' })),
          ),
        );
        try {
          const client = new OpenAI({ apiKey: 'none', baseURL: `${api.url}/v1`, maxRetries: 0 });
          const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'go' }];
          const message = await collectChatMessage(await client.chat.completions.create({ model: 'm', messages, stream: true }));
          messages.push(message, ...(await runChatTools(message, tools, { session: 's', run: 'turn', throttleMs: 0, ...options })));
          await client.chat.completions.create({ model: 'm', messages });
          const sent = api.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
          return `tool messages: ${sent.flatMap(({ role, content }) => (role === 'tool' ? content : [])).join('; ')}`;
        } catch (error) {
          return `rejected: ${(error as Error).message}`;
        } finally {
          await api.close();
        }
      },
      {
        sent: 'a call that is not approved',
        asked: (asked) => ({ ...asked, options: { ...asked.options, approve: () => 'not in this folder' } }),
      },
    );
  });
});

function responseAnswer(request: ApiRequest, calls: readonly Asked[]): ApiAnswer {
  const input = request.body['input'] as { type?: string; call_id?: string }[];
  const answered = input.flatMap(({ type, call_id: id }) => (type?.endsWith('_output') === true && id !== undefined ? id : []));
  const message = {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'done', annotations: [] }],
  };
  const items = calls.map(({ id, name, text }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: text,
    status: 'completed',
  }));
  const custom = { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_custom', name: 'stream', input: 'free text' };
  const whole = (output: readonly object[]): object => ({
    id: 'r1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: 'completed',
    output,
  });
  if (answered.length > 0) {
    if (calls.some(({ id }) => !answered.includes(id))) return { status: 400, json: { error: { message: 'unanswered function call' } } };
    return { json: whole([message]) };
  }
  const output = [{ type: 'reasoning', id: 'rs_1', summary: [] }, ...items, custom];
  if (!isStream(request)) return { json: whole(output) };
  const events = [
    { type: 'response.created', response: { ...whole([]), status: 'in_progress' } },
    ...output.flatMap((item, index) => [
      {
        type: 'response.output_item.added',
        output_index: index,
        item: 'arguments' in item ? { ...item, arguments: '', status: 'in_progress' } : item,
      },
      ...('arguments' in item
        ? [
            ...pieces(item.arguments).map((delta) => ({
              type: 'response.function_call_arguments.delta',
              output_index: index,
              item_id: item.id,
              delta,
            })),
            { type: 'response.function_call_arguments.done', output_index: index, item_id: item.id, arguments: item.arguments },
          ]
        : []),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: 'response.completed', response: whole(output) },
  ].map((data, sequence) => ({ ...data, sequence_number: sequence }));
  return { events: events.map((data) => ({ event: data.type, data })) };
}

async function responseLoop(stream: boolean) {
  const api = await startApi((request) => responseAnswer(request, CALLS));
  const sink = createMemorySink();
  try {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${api.url}/v1`, maxRetries: 0 });
    const input: ResponseInputItem[] = [{ role: 'user', content: 'go' }];
    const seen: string[] = [];
    const response = stream
      ? await collectResponse(await client.responses.create({ model: 'm', input, stream: true }), ({ type }) => seen.push(type))
      : await client.responses.create({ model: 'm', input });
    if (stream) assert.ok(seen.includes('response.function_call_arguments.delta'));
    const answers = await runResponseTools(response, toolTable(sink), { sink, session: 's', run: 'turn-1', throttleMs: 0 });
    input.push(...(response.output as ResponseInputItem[]), ...answers);
    const end = await client.responses.create({ model: 'm', input });
    return { sink, answers, text: end.output_text };
  } finally {
    await api.close();
  }
}

describe('a tool loop over responses of the openai client', () => {
  it('runs every call under its call id and answers each by its kind, whole and streamed alike', async () => {
    const [whole, streamed] = [await responseLoop(false), await responseLoop(true)];
    for (const { sink, answers, text } of [whole, streamed]) {
      assert.deepEqual(storyOf(sink), { ...STORY, call_custom: ['stream', 'completed', null, null, null, null] });
      assert.deepEqual(
        answers.map(({ type, call_id: id, output }) => [type, id, output]),
        [...CALLS.map(({ id }, index) => ['function_call_output', id, ANSWERS[index]]), ['custom_tool_call_output', 'call_custom', '']],
      );
      assert.equal(text, 'done');
    }
    assert.deepEqual(eventsOf(streamed.sink), eventsOf(whole.sink));
  });

  it('puts together what it has when a stream ends without its last event', async () => {
    async function* cut(): AsyncGenerator<{
      type: string;
      output_index?: number;
      item?: { type: string; call_id: string; name: string; arguments: string };
    }> {
      yield { type: 'response.created' };
      yield {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', call_id: 'b', name: 'silent', arguments: '' },
      };
      yield {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', call_id: 'a', name: 'silent', arguments: '{}' },
      };
    }
    const sink = createMemorySink();
    const answers = await runResponseTools(await collectResponse(cut()), toolTable(sink), { sink, session: 's' });
    assert.deepEqual(
      answers.map(({ call_id: id, output }) => [id, output]),
      [
        ['a', ''],
        ['b', ''],
      ],
    );
  });
});
