import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpTapOptions } from '@sitrep/harness/mcp';
import { connectV1, overStdioV1 } from './mcp/clients.ts';
import { line, newest, operationsOf } from './mcp/connection.ts';
import { sharedScenarios } from './mcp/scenarios.ts';
import { serveV1 } from './mcp/v1-http.ts';
import { recorder } from './record.ts';

const PEER = '@modelcontextprotocol/sdk 1.32.2';

describe(`${PEER} over stdio`, () => {
  const came = recorder('mcp-v1-stdio', { peer: PEER, transport: 'stdio, revision 2025-11-25' });
  sharedScenarios({ came, connect: overStdioV1, hearsLate: true });

  for (const [label, expected] of [
    ['fine', 'tasked completed Uploading'],
    ['failing', 'tasked failed Uploading'],
  ] as const) {
    it(`a call that became a task is followed until it ends (${label})`, async () => {
      const connection = await overStdioV1();
      try {
        const { tasks } = connection.client.experimental;
        const stream = tasks.callToolStream({ name: 'tasked', arguments: { label } }, undefined, { task: {} });
        const seen: string[] = [];
        for await (const message of stream) seen.push(message.type);
        assert.ok(seen.includes('taskCreated'));
        assert.equal(line(operationsOf(connection)[0] as never), expected);
        assert.equal(connection.tap.counts.open, 0);
      } finally {
        await connection.close();
      }
    });
  }

  it('a state of a newer revision moves nothing, and the end is read all the same', async () => {
    const connection = await overStdioV1();
    try {
      const { tasks } = connection.client.experimental;
      const stream = tasks.callToolStream({ name: 'tasked', arguments: { label: 'newer' } }, undefined, { task: {} });
      for await (const message of stream) assert.notEqual(message.type, 'error');
      const states = newest(connection).flatMap(({ state, message }) => (state === undefined ? (message ?? []) : state));
      assert.deepEqual([states[0], states.at(-1), states.includes('Kept for a year')], ['running', 'completed', true]);
      came('unknown-state', {
        sent: 'a task that is working, then archived, then completed',
        peer: connection.errors.length > 0 ? 'an error instead of the unknown state' : 'nothing of the unknown state',
        ours: 'running with the words of the unknown state, then completed',
      });
    } finally {
      await connection.close();
    }
  });

  it('has no stream to cut', () => {
    came('resume-cursor', { none: 'a closed pipe is a closed session' });
    came('resume-none', { none: 'a closed pipe is a closed session' });
  });
});

describe(`${PEER} over Streamable HTTP`, () => {
  const came = recorder('mcp-v1-http', { peer: PEER, transport: 'Streamable HTTP, revision 2025-11-25' });
  let plain: Awaited<ReturnType<typeof serveV1>>;
  let resumable: Awaited<ReturnType<typeof serveV1>>;
  before(async () => {
    plain = await serveV1({ resumable: false });
    resumable = await serveV1({ resumable: true });
  });
  after(async () => {
    await plain.close();
    await resumable.close();
  });

  const over = (url: URL, options?: Partial<McpTapOptions>) => connectV1(new StreamableHTTPClientTransport(url) as never, options);
  sharedScenarios({ came, connect: (options) => over(plain.url, options), hearsLate: false });

  it('a stream that is cut in mid-call goes on where it was, and the tap misses nothing', async () => {
    const connection = await over(resumable.url);
    try {
      await connection.call('cut');
      assert.equal(line(operationsOf(connection)[0] as never), 'cut completed 3 of 3');
      assert.deepEqual(
        newest(connection).map(({ state, current }) => state ?? current),
        ['running', 2, 3, 'completed'],
      );
      came('resume-cursor', {
        sent: '2 of 3, the stream is cut, 3 of 3, the answer',
        peer: 'reconnects with Last-Event-ID; the answer',
        ours: '2 of 3, 3 of 3, completed',
      });
    } finally {
      await connection.close();
    }
  });

  it('a stream that is cut and cannot be taken up again leaves a call without an answer, which a limit ends', async () => {
    const connection = await over(plain.url, { limits: { idleMs: 3_000, totalMs: 60_000 } });
    try {
      await assert.rejects(connection.call('cut', {}, connection.tap.requestOptions));
      assert.match(line(operationsOf(connection)[0] as never), /^cut failed \(timeout\) 2 of 3/);
      came('resume-none', {
        sent: '2 of 3, the stream is cut, 3 of 3, the answer',
        peer: 'no answer; rejected when the tap gives the call up',
        ours: '2 of 3, failed (timeout)',
      });
    } finally {
      await connection.close();
    }
  });

  it('says nothing of states: those of tasks are the same over stdio', () => {
    came('unknown-state', { none: 'tasks say the same over every transport; see mcp-v1-stdio' });
  });
});
