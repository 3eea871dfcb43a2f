import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import OpenAI from 'openai';
import { openaiResponses } from '@sitrep/schema/dialect/openai-responses';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';

/**
 * The official client reads a stream over HTTP, and what it hands on is decoded as it is. The frames are those of the
 * dialect's own cases: what is shown is that no reader of the stream stands between them and us.
 */

interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

function frames(file: string): readonly Frame[] {
  const url = new URL(`../../packages/schema/fixtures/openai-responses/${file}.json`, import.meta.url);
  return (JSON.parse(readFileSync(url, 'utf8')) as { input: Frame[] }).input;
}

/** A service that answers a request for a stream with these frames, and a request for a response with the first of them. */
async function service(t: TestContext, answer: readonly Frame[]): Promise<OpenAI> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer[0]));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of answer) response.write(`event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`);
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return new OpenAI({ apiKey: 'none', maxRetries: 0, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
}

function reader() {
  const decoder = createDecoder(openaiResponses, { session: 'chat-1' });
  const index = new SessionIndex('chat-1');
  return {
    index,
    read(frame: unknown): void {
      assert.ok(openaiResponses.detect(frame), JSON.stringify(frame));
      const decoded = decoder.decode(frame, 1000);
      assert.ok(decoded.ok);
      for (const event of decoded.events) index.apply(event);
    },
    states: () => [...index.operations.values()].map(({ id, state, reason }) => [id, state, ...(reason === undefined ? [] : [reason])]),
  };
}

describe('the stream of Responses, through the official client', () => {
  it('shows what the service runs itself', async (t) => {
    const client = await service(t, frames('hosted-calls'));
    const seen = reader();
    const types: string[] = [];
    for await (const event of await client.responses.create({ model: 'model-1', input: 'Do it', stream: true })) {
      types.push(event.type);
      seen.read(event);
    }
    assert.deepEqual(
      types,
      frames('hosted-calls').map(({ type }) => type),
    );
    assert.deepEqual(seen.states(), [
      ['ws_1', 'completed'],
      ['fs_1', 'failed', 'incomplete'],
      ['ci_1', 'failed'],
      ['ig_1', 'completed'],
      ['ml_1', 'failed'],
      ['mc_1', 'failed'],
      ['cp_1', 'completed'],
      ['sh_1', 'completed'],
    ]);
    assert.deepEqual(
      [...seen.index.runs.values()].map(({ run, state }) => [run, state]),
      [['resp_1', 'completed']],
    );
    assert.deepEqual(seen.index.usage, { tokens: 120 });
  });

  it('blocks on an approval beyond the response, until the next response shows the answer', async (t) => {
    const client = await service(t, frames('approvals'));
    const seen = reader();
    const blocked: unknown[] = [];
    for await (const event of await client.responses.create({ model: 'model-1', input: 'Do it', stream: true })) {
      seen.read(event);
      if (event.type === 'response.completed') blocked.push(...seen.states());
    }
    assert.deepEqual(blocked, [
      ['ar_1', 'blocked'],
      ['ar_2', 'blocked'],
    ]);
    assert.deepEqual(seen.states().slice(0, 2), [
      ['ar_1', 'denied'],
      ['ar_2', 'completed'],
    ]);
  });

  it('reads a response that is asked for again', async (t) => {
    const client = await service(t, frames('asked-again'));
    const seen = reader();
    seen.read(await client.responses.retrieve('resp_1'));
    assert.deepEqual(seen.states(), [
      ['ws_1', 'completed'],
      ['ml_1', 'failed'],
    ]);
    assert.deepEqual(
      [...seen.index.runs.values()].map(({ run, state }) => [run, state]),
      [['resp_1', 'cancelled']],
    );
  });
});
