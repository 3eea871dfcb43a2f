import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlockParam, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages/messages';
import { collectMessage, runMessageTools } from '@sitrep/harness/anthropic';
import { createMemorySink } from '@sitrep/harness/sink';
import { startApi } from './loops/api.ts';
import type { ApiAnswer, ApiRequest } from './loops/api.ts';
import { throughLoop } from './loops/scenarios.ts';
import { eventsOf, storyOf, toolTable } from './loops/tools.ts';
import { recorder } from './record.ts';

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
}

const use = (id: string, name: string, input: object): Block => ({ type: 'tool_use', id, name, input, caller: { type: 'direct' } });

const CONTENT: readonly Block[] = [
  { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
  { type: 'text', text: 'Looking.', citations: null },
  use('toolu_a', 'scan', { files: 3 }),
  use('toolu_b', 'scan', { files: 3 }),
  use('toolu_c', 'nest', {}),
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' }, caller: { type: 'direct' } },
  use('toolu_d', 'fail', {}),
  use('toolu_e', 'picture', {}),
  use('toolu_f', 'silent', {}),
  use('toolu_g', 'missing', {}),
];
const USED = CONTENT.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
const NAMES = 'scan, nest, stream, silent, fail, slow, picture';
const PICTURE: TextBlockParam[] = [{ type: 'text', text: 'a picture' }];

const isStream = ({ body }: ApiRequest): boolean => body['stream'] === true;
const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/g) ?? [];
const USAGE = { input_tokens: 1, output_tokens: 1 };
const whole = (content: readonly Block[], reason: string): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: reason,
  stop_sequence: null,
  usage: USAGE,
});

/** A block as it begins in a stream, and the pieces that complete it. */
function inPieces(block: Block): { start: Block; deltas: object[] } {
  switch (block.type) {
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...pieces(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    case 'text':
      return { start: { ...block, text: '' }, deltas: pieces(String(block['text'])).map((text) => ({ type: 'text_delta', text })) };
    default:
      // As the API does: an empty piece first, and nothing more for an input without members.
      return {
        start: { ...block, input: {} },
        deltas: ['', ...(Object.keys(block['input'] as object).length === 0 ? [] : pieces(JSON.stringify(block['input'])))].map((json) => ({
          type: 'input_json_delta',
          partial_json: json,
        })),
      };
  }
}

function streamOf(content: readonly Block[], reason: string): ApiAnswer {
  const events = [
    { type: 'message_start', message: { ...whole([], reason), stop_reason: null } },
    { type: 'ping' },
    ...content.flatMap((block, index) => {
      const { start, deltas } = inPieces(block);
      return [
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    }),
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ];
  return { events: events.map((data) => ({ event: data.type, data })) };
}

function answer(request: ApiRequest): ApiAnswer {
  const messages = request.body['messages'] as { role: string; content: string | readonly Block[] }[];
  const last = messages.at(-1)?.content;
  const answered = Array.isArray(last)
    ? last.flatMap((block: Block) => (block.type === 'tool_result' ? String(block['tool_use_id']) : []))
    : [];
  if (answered.length > 0) {
    // As the API does: every tool_use of the message before must have its result.
    const asked = messages.at(-2)?.content;
    const missing = Array.isArray(asked) && asked.some(({ type, id }: Block) => type === 'tool_use' && !answered.includes(String(id)));
    if (missing)
      return { status: 400, json: { type: 'error', error: { type: 'invalid_request_error', message: 'tool_use without tool_result' } } };
    return { json: whole([{ type: 'text', text: 'done', citations: null }], 'end_turn') };
  }
  return isStream(request) ? streamOf(CONTENT, 'tool_use') : { json: whole(CONTENT, 'tool_use') };
}

async function loop(stream: 'whole' | 'events' | 'helper') {
  const api = await startApi(answer);
  const sink = createMemorySink();
  try {
    const client = new Anthropic({ apiKey: 'none', baseURL: api.url, maxRetries: 0 });
    const messages: MessageParam[] = [{ role: 'user', content: 'go' }];
    const request = { model: 'm', max_tokens: 10, messages };
    let text = '';
    const message =
      stream === 'whole'
        ? await client.messages.create(request)
        : await collectMessage(
            stream === 'events' ? await client.messages.create({ ...request, stream: true }) : client.messages.stream(request),
            (event) => {
              if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
            },
          );
    if (stream !== 'whole') assert.equal(text, 'Looking.');
    const tools = { ...toolTable(sink), picture: () => PICTURE };
    const results = await runMessageTools<TextBlockParam>(message, tools, { sink, session: 's', run: 'turn-1', throttleMs: 0 });
    messages.push({ role: 'assistant', content: message.content as ContentBlockParam[] }, { role: 'user', content: results });
    const end = await client.messages.create({ ...request, messages });
    return { sink, message, results, end: end.content, requests: api.requests };
  } finally {
    await api.close();
  }
}

describe('a tool loop over messages of the anthropic client', () => {
  it('runs every tool_use under its own id and answers each, whole and streamed alike', async () => {
    const [one, ...others] = [await loop('whole'), await loop('events'), await loop('helper')];
    for (const { sink, results, end, message } of [one, ...others]) {
      assert.deepEqual(storyOf(sink), {
        toolu_a: ['scan', 'completed', 3, 3, null, null],
        toolu_b: ['scan', 'completed', 3, 3, null, null],
        toolu_c: ['nest', 'completed', null, null, null, null],
        'toolu_c-inside': [null, 'completed', null, null, 'toolu_c', null],
        toolu_d: ['fail', 'failed', null, null, null, 'disk full'],
        toolu_e: ['picture', 'completed', null, null, null, null],
        toolu_f: ['silent', 'completed', null, null, null, null],
        toolu_g: ['missing', 'failed', null, null, null, `There is no tool missing; there is ${NAMES}.`],
      });
      assert.deepEqual(
        results.map((result) => result.tool_use_id),
        USED,
      );
      assert.deepEqual(
        results.map(({ content, is_error: isError }) => [content, isError ?? false]),
        [
          ['{"callId":"toolu_a","files":3}', false],
          ['{"callId":"toolu_b","files":3}', false],
          ['nested', false],
          ['fail failed: disk full', true],
          [PICTURE, false],
          ['', false],
          [`There is no tool missing; there is ${NAMES}.`, true],
        ],
      );
      assert.deepEqual(
        end.map((block) => (block.type === 'text' ? block.text : block.type)),
        ['done'],
      );
      assert.deepEqual(message.content, CONTENT);
      assert.equal(message.stop_reason, 'tool_use');
    }
    for (const other of others) {
      assert.deepEqual(eventsOf(other.sink), eventsOf(one.sink));
      assert.deepEqual(other.requests.at(-1)?.body['messages'], one.requests.at(-1)?.body['messages']);
    }
  });

  it('does not run a tool whose input was cut off, and tells the model', async () => {
    const api = await startApi(() => {
      const cut = streamOf([use('toolu_a', 'scan', { files: 3 })], 'max_tokens') as {
        events: { event: string; data: { delta?: { partial_json?: string } } }[];
      };
      return { events: cut.events.filter(({ data }) => !(data.delta?.partial_json ?? '').includes('}')) };
    });
    const sink = createMemorySink();
    try {
      const client = new Anthropic({ apiKey: 'none', baseURL: api.url, maxRetries: 0 });
      const message = await collectMessage(await client.messages.create({ model: 'm', max_tokens: 1, messages: [], stream: true }));
      const results = await runMessageTools(message, toolTable(sink), { sink, session: 's' });
      assert.deepEqual(message.content, [use('toolu_a', 'scan', {})]);
      assert.equal(message.stop_reason, 'max_tokens');
      assert.deepEqual(
        results.map(({ is_error: isError, content }) => [isError, content]),
        [[true, 'The arguments of scan are no valid JSON; nothing was run. Send the whole object again.']],
      );
      assert.deepEqual(storyOf(sink), {
        toolu_a: [
          'scan',
          'failed',
          null,
          null,
          null,
          'The arguments of scan are no valid JSON; nothing was run. Send the whole object again.',
        ],
      });
    } finally {
      await api.close();
    }
  });
});

const came = recorder('anthropic', { peer: '@anthropic-ai/sdk 1.14.0', transport: 'HTTP with server-sent events, Messages' });

describe('the scenarios of every peer, over messages', () => {
  it('come through as recorded', async () => {
    await throughLoop(
      came,
      async ({ calls, tools, options }) => {
        const asked = calls.map(({ id, name }) => use(id, name, {}));
        const api = await startApi((request) => (isStream(request) ? streamOf(asked, 'tool_use') : answer(request)));
        try {
          const client = new Anthropic({ apiKey: 'none', baseURL: api.url, maxRetries: 0 });
          const messages: MessageParam[] = [{ role: 'user', content: 'go' }];
          const request = { model: 'm', max_tokens: 10, messages };
          const message = await collectMessage(await client.messages.create({ ...request, stream: true }));
          const results = await runMessageTools(message, tools, { session: 's', run: 'turn', throttleMs: 0, ...options });
          messages.push({ role: 'assistant', content: message.content as ContentBlockParam[] }, { role: 'user', content: results });
          await client.messages.create(request);
          const sent = (api.requests.at(-1)?.body['messages'] as { content: Block[] }[] | undefined)?.at(-1)?.content ?? [];
          return `tool results: ${sent.map(({ content, is_error: isError }) => `${String(content)}${isError === true ? ' (error)' : ''}`).join('; ')}`;
        } catch (error) {
          return `rejected: ${(error as Error).message}`;
        } finally {
          await api.close();
        }
      },
      {
        sent: 'a call that is not approved',
        asked: (given) => ({ ...given, options: { ...given.options, approve: () => 'not in this folder' } }),
      },
    );
  });
});
