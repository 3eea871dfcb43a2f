import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpTapOptions } from '@sitrep/harness/mcp';
import { connectV2, MODERN, overStdioV2 } from './mcp/clients.ts';
import type { Mode, V2Connection } from './mcp/clients.ts';
import { fromNow, line, newest, operationsOf } from './mcp/connection.ts';
import { sharedScenarios } from './mcp/scenarios.ts';
import { serveV2 } from './mcp/v2-http.ts';
import { taskSession } from './mcp/task-session.ts';
import { recorder } from './record.ts';

const PEER = '@modelcontextprotocol/client and server 2.4.0';
async function using(opening: Promise<V2Connection>, use: (connection: V2Connection) => Promise<void>): Promise<void> {
  const connection = await opening;
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

/** What only a server of 2026-07-28 can say, over any transport. */
function modernOnly(open: () => Promise<V2Connection>, came: ReturnType<typeof recorder>): void {
  let shared: V2Connection;
  before(async () => void (shared = await open()));
  after(() => shared.close());

  it('knows the server by the name its results carry', async () => {
    const connection = fromNow(shared);
    await connection.call('silent');
    await connection.call('silent');
    assert.equal(operationsOf(connection)[1]?.tool?.server, 'peer-v2');
  });

  it('a result of a kind nobody knows is no success', async () => {
    const connection = fromNow(shared);
    await assert.rejects(connection.call('postponed'));
    assert.equal(line(operationsOf(connection)[0] as never), 'postponed interrupted (unknown_result_type)');
    came('unknown-state', {
      sent: 'a result of the kind "postponed"',
      peer: 'the call is rejected',
      ours: 'interrupted (unknown_result_type)',
    });
  });

  it('a call the server answers with a question is blocked until it is answered, and stays one operation', async () => {
    const connection = fromNow(shared);
    const { content } = (await connection.call('asking')) as { content: [{ text: string }] };
    assert.equal(content[0].text, 'deleted');
    assert.deepEqual(operationsOf(connection).map(line), ['asking completed 3 of 3']);
    const blocked = newest(connection).find(({ state }) => state === 'blocked');
    assert.equal(blocked?.blockedOn?.prompt, 'Delete 3 files?');
    assert.equal(connection.tap.counts.calls, 1);
  });

  for (const [label, expected] of [
    ['fine', 'tasked completed poll 2'],
    ['tool-error', 'tasked failed (tool_error) poll 2'],
    ['failing', 'tasked failed (protocol_error) poll 2'],
  ] as const) {
    it(`a call that became a task is followed through its states (${label})`, async () => {
      const connection = fromNow(shared);
      const { session } = taskSession(connection.client, connection.transport);
      const execution = await session.callTool('tasked', { label });
      await execution.result().catch(() => {});
      await session.close();
      assert.equal(line(operationsOf(connection)[0] as never), expected);
      assert.deepEqual([connection.tap.counts.open, connection.tap.counts.progress], [0, 0]);
    });
  }

  it('a task that asks a person to sign in is blocked on that, and goes on when it is told', async () => {
    const connection = fromNow(shared);
    const { session } = taskSession(connection.client, connection.transport);
    const execution = await session.callTool('tasked', { label: 'asking' });
    await execution.result();
    await session.close();
    const states = newest(connection).flatMap(({ state, blockedOn }) => (state === undefined ? [] : [[state, blockedOn?.kind]]));
    assert.deepEqual(
      states.filter(([state], index) => state !== states[index - 1]?.[0]),
      [
        ['running', undefined],
        ['blocked', 'auth'],
        ['running', undefined],
        ['completed', undefined],
      ],
    );
  });

  it('a task that is cancelled says first that it was asked to stop, then that it did', async () => {
    const connection = fromNow(shared);
    const { session, get } = taskSession(connection.client, connection.transport);
    const execution = await session.callTool('tasked', { label: 'endless' });
    await execution.cancel();
    // The extension's client asks no further once it has cancelled.
    const asked = operationsOf(connection)[0];
    assert.deepEqual([asked?.state, asked?.cancelRequested], ['running', true]);
    await get(execution.handle?.taskId ?? '');
    await session.close();
    assert.equal(operationsOf(connection)[0]?.state, 'cancelled');
  });
}

describe(`${PEER} over stdio, revision 2026-07-28`, () => {
  const came = recorder('mcp-v2-stdio', { peer: PEER, transport: 'stdio, revision 2026-07-28' });
  sharedScenarios({ came, connect: (options) => overStdioV2(MODERN, options), hearsLate: true });
  modernOnly(() => overStdioV2(MODERN), came);
  it('a task whose server says by itself how it stands is followed without a poll', () =>
    using(overStdioV2(MODERN), async (connection) => {
      const { session, callOnly } = taskSession(connection.client, connection.transport);
      await callOnly('tasked', 'pushed');
      while (connection.tap.counts.open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await session.close();
      assert.equal(line(operationsOf(connection)[0] as never), 'tasked completed Uploading');
    }));

  it('has no stream to cut', () => {
    came('resume-cursor', { none: 'a closed pipe is a closed session' });
    came('resume-none', { none: 'a closed pipe is a closed session' });
  });
});

describe(`${PEER} over stdio, as in 2025-11-25`, () => {
  const came = recorder('mcp-v2-stdio-legacy', { peer: PEER, transport: 'stdio, revision 2025-11-25' });
  sharedScenarios({ came, connect: (options) => overStdioV2('legacy', options), hearsLate: true });
  it('has no stream to cut, and no word of its own for a state', () => {
    came('resume-cursor', { none: 'a closed pipe is a closed session' });
    came('resume-none', { none: 'a closed pipe is a closed session' });
    came('unknown-state', { none: 'this package has no tasks of that revision; see @modelcontextprotocol/sdk' });
  });
});

describe(`${PEER} over Streamable HTTP`, () => {
  let server: Awaited<ReturnType<typeof serveV2>>;
  before(async () => void (server = await serveV2()));
  after(() => server.close());
  const over = (mode: Mode, options?: Partial<McpTapOptions>): Promise<V2Connection> =>
    connectV2(new StreamableHTTPClientTransport(server.url) as never, mode, options);

  for (const [mode, file, revision] of [
    [MODERN, 'mcp-v2-http', '2026-07-28'],
    ['legacy', 'mcp-v2-http-legacy', '2025-11-25'],
  ] as const) {
    describe(`revision ${revision}`, () => {
      const came = recorder(file, { peer: PEER, transport: `Streamable HTTP, revision ${revision}` });
      sharedScenarios({ came, connect: (options) => over(mode, options), hearsLate: false, hearsCancel: mode === MODERN });
      if (mode === MODERN) modernOnly(() => over(mode), came);
      else {
        it('has no word of its own for a state', () =>
          came('unknown-state', { none: 'this package has no tasks of that revision; see @modelcontextprotocol/sdk' }));
      }
      it('a stream that is cut leaves a call without an answer: known at once, and with limits to the caller too', () =>
        using(over(mode, { limits: { idleMs: 5000, totalMs: 10_000 } }), async (connection) => {
          await assert.rejects(connection.call('cut', {}, connection.tap.requestOptions), /without an answer/);
          assert.equal(line(operationsOf(connection)[0] as never), 'cut interrupted (stream_ended) 2 of 3');
          came('resume-cursor', { none: 'this server gives out no cursor' });
          came('resume-none', {
            sent: '2 of 3, the stream is cut, 3 of 3, the answer',
            peer: 'no answer; rejected because the tap keeps the time',
            ours: '2 of 3, interrupted (stream_ended)',
          });
        }));
    });
  }
});
