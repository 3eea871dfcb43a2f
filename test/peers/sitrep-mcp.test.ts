import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import type { Gateway } from '@sitrep/server';
import { PROGRESS_CARD_SCHEMA, PROGRESS_SCHEMA, REPORT_PROGRESS_SCHEMA } from '@sitrep/schema/tool-schemas';

const BIN = fileURLToPath(new URL('../../packages/server/bin/sitrep.js', import.meta.url));
const NAME = { name: 'test-harness', title: 'Test Harness', version: '1.0.0' };

const endings = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs after the test, what was begun last first: a client before its server, a server before its gateway. */
function after(t: TestContext, end: () => unknown): void {
  const list = endings.get(t);
  if (list) return void list.unshift(end);
  const own = [end];
  endings.set(t, own);
  t.after(async () => {
    for (const each of own) await each();
  });
}

interface Answer {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** The one way in which the two generations of clients are used here. */
interface Peer {
  readonly protocol: string | undefined;
  tools(): Promise<readonly { name: string; inputSchema: unknown; annotations?: unknown }[]>;
  call(name: string, input: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
}

const legacy = async (transport: LegacyStdio | LegacyHttp): Promise<Peer> => {
  const client = new LegacyClient(NAME);
  // oxlint-disable-next-line typescript/no-explicit-any -- its own transports do not fit its own type under exactOptionalPropertyTypes
  await client.connect(transport as any);
  return {
    protocol: undefined,
    tools: async () => (await client.listTools()).tools,
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as Answer,
    async close() {
      if (transport instanceof LegacyHttp) await transport.terminateSession();
      await client.close();
    },
  };
};

const modern =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async (transport: ModernStdio | ModernHttp): Promise<Peer> => {
    const client = new ModernClient(NAME, { versionNegotiation: { mode } });
    await client.connect(transport);
    return {
      protocol: client.getNegotiatedProtocolVersion(),
      tools: async () => (await client.listTools()).tools,
      call: async (name, input) => (await client.callTool({ name, arguments: input })) as Answer,
      async close() {
        if (transport instanceof ModernHttp && mode === 'legacy') await transport.terminateSession();
        await client.close();
      },
    };
  };

async function gateway(t: TestContext): Promise<{ readonly gateway: Gateway; readonly url: string }> {
  const made = createGateway({ store: createMemoryStore() });
  const { url } = await made.listen({ port: 0 });
  after(t, () => made.close());
  return { gateway: made, url };
}

const started = (args: readonly string[]) => ({ command: process.execPath, args: [BIN, 'mcp', ...args], stderr: 'ignore' as const });

/** Starts `sitrep mcp --http` and waits for its address. */
async function serveHttp(t: TestContext, args: readonly string[]): Promise<{ readonly url: URL; readonly stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  after(t, () => child.kill('SIGKILL'));
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const match = /sitrep mcp at (\S+)/.exec(text);
    if (match)
      return {
        url: new URL(match[1] as string),
        stop() {
          child.kill('SIGTERM');
          return ended;
        },
      };
  }
  throw new Error(`ended without an address: ${text}`);
}

const textOf = (answer: Answer): string => (answer.content as { text: string }[])[0]?.text ?? '';

const WAYS: Readonly<Record<string, (t: TestContext, args: readonly string[]) => Promise<Peer>>> = {
  'sdk 1.32 over stdio': (_, args) => legacy(new LegacyStdio(started(args))),
  'sdk 1.32 over HTTP': async (t, args) => legacy(new LegacyHttp((await serveHttp(t, args)).url)),
  'client 2.4 as of 2025 over stdio': (_, args) => modern('legacy')(new ModernStdio(started(args))),
  'client 2.4 as of 2025 over HTTP': async (t, args) => modern('legacy')(new ModernHttp((await serveHttp(t, args)).url)),
  'client 2.4 that finds out over stdio': (_, args) => modern('auto')(new ModernStdio(started(args))),
  'client 2.4 as of 2026-07-28 over stdio': (_, args) => modern({ pin: '2026-07-28' })(new ModernStdio(started(args))),
  'client 2.4 as of 2026-07-28 over HTTP': async (t, args) => modern({ pin: '2026-07-28' })(new ModernHttp((await serveHttp(t, args)).url)),
};

describe('sitrep mcp', () => {
  for (const [way, connect] of Object.entries(WAYS)) {
    it(`serves ${way}: lists the tools, and what they report arrives`, async (t) => {
      const { gateway: board, url } = await gateway(t);
      const peer = await connect(t, ['--url', url, '--session', 'demo']);
      after(t, () => peer.close());
      if (/auto|finds|2026/.test(way)) assert.equal(peer.protocol, '2026-07-28');

      const tools = await peer.tools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['report_progress', 'progress', 'progress_card'],
      );
      assert.deepEqual(
        tools.map(({ inputSchema }) => inputSchema),
        [REPORT_PROGRESS_SCHEMA, PROGRESS_SCHEMA, PROGRESS_CARD_SCHEMA].map((schema) => JSON.parse(JSON.stringify(schema))),
      );

      const first = await peer.call('report_progress', { title: 'Building project', current: 5, total: 100 });
      assert.equal(textOf(first), 'Progress reported (5 of 100, running)');
      await peer.call('report_progress', { title: 'Building project', current: '42', total: 100, message: 'linking' });
      await peer.call('report_progress', { title: 'Building project', current: 100, total: 100, status: 'completed' });
      await peer.call('report_progress', { title: 'Testing', current: 1, total: 2 });
      assert.equal(
        textOf(await peer.call('progress', { id: 'ci', status: 'waiting', title: 'CI', progress: 0.5 })),
        'Progress noted (waiting)',
      );
      const plan = [
        { step: 'Read', status: 'completed' },
        { step: 'Write', status: 'in_progress' },
        { step: 'Ship', status: 'pending' },
      ];
      const card = await peer.call('progress_card', { plan, markdown: '**on** it' });
      assert.equal(textOf(card), 'Progress card updated (rev 1, 1/3 done)');
      assert.deepEqual(card.structuredContent, { revision: 1, steps: { completed: 1, total: 3 } });
      assert.equal(textOf(await peer.call('progress_card', { markdown: 'note' })), 'Progress card updated (rev 2)');

      const snapshot = await board.snapshot('demo');
      assert.deepEqual(
        snapshot.operations.map(({ title, state, current, total, fraction }) => [title, state, current ?? fraction, total]),
        [
          ['Building project', 'completed', 100, 100],
          ['Testing', 'running', 1, 2],
          ['CI', 'waiting', 0.5, undefined],
        ],
      );
      assert.deepEqual([snapshot.revision, snapshot.card], [2, { markdown: 'note' }]);
      assert.equal(textOf(await peer.call('progress_card', {})), 'Progress card cleared');
      assert.equal((await board.snapshot('demo')).card, null);
    });
  }

  for (const way of ['sdk 1.32 over stdio', 'client 2.4 as of 2026-07-28 over stdio', 'sdk 1.32 over HTTP'] as const) {
    it(`shows as interrupted what ${way} left open when it goes, and nothing else`, async (t) => {
      const { gateway: board, url } = await gateway(t);
      const peer = await (WAYS[way] as (typeof WAYS)[string])(t, ['--url', url, '--session', 'demo']);
      await peer.call('progress', { id: 'open', status: 'running', title: 'Open' });
      await peer.call('progress', { id: 'done', status: 'done', title: 'Done' });
      const ended = new Promise<void>((resolve) => {
        board.subscribe('demo', (event) => {
          if (event.type === 'operation' && event.state === 'interrupted') resolve();
        });
      });
      await peer.close();
      await ended;
      assert.deepEqual(
        (await board.snapshot('demo')).operations.map(({ id, state, reason }) => [id, state, reason]),
        [
          ['open', 'interrupted', 'disconnected'],
          ['done', 'completed', undefined],
        ],
      );
    });
  }

  it('refuses in words a model can act on, and changes nothing', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    for (const [name, input, pattern] of [
      ['report_progress', { title: 'x', current: 1, total: 0 }, /total/],
      ['report_progress', { title: '', current: 1, total: 2 }, /title/],
      ['progress', { id: 'x', status: 'paused' }, /status/],
      ['progress_card', { plan: Array.from({ length: 51 }, () => ({ step: 's', status: 'pending' })) }, /50/],
      ['progress_card', { markdown: 'é'.repeat(4097) }, /8192|8,192/],
      ['progress_card', { plan: ['a', 'b'].map((step) => ({ step, status: 'in_progress' })) }, /plan\[0\] "a" and plan\[1\] "b"/],
    ] as const) {
      const answer = await peer.call(name, input as Record<string, unknown>);
      assert.equal(answer.isError, true, name);
      assert.match(textOf(answer), pattern);
      assert.match(textOf(answer), /nothing was changed/);
    }
    assert.equal((await board.snapshot('demo')).seq, 0);
    await assert.rejects(peer.call('rm_rf', {}), /There is no tool "rm_rf"/);
  });

  it('does not say that a report was noted when its operation has ended', async (t) => {
    const { url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    await peer.call('progress', { id: 'compile', status: 'done' });
    const late = await peer.call('progress', { id: 'compile', status: 'running' });
    assert.equal(late.isError, true);
    assert.equal(textOf(late), 'progress: this operation has ended already; nothing was changed. Use another id for new work.');
    assert.equal(textOf(await peer.call('progress', { id: 'compile 2', status: 'running' })), 'Progress noted (running)');
  });

  it('begins a new operation when somebody else has ended the one of report_progress', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    await peer.call('report_progress', { title: 'One', current: 1, total: 2 });
    const id = (await board.snapshot('demo')).operations[0]?.id;
    await board.publish('demo', [{ type: 'operation', id, state: 'cancelled' }]);
    const late = await peer.call('report_progress', { title: 'One', current: 2, total: 2 });
    assert.match(textOf(late), /has ended already; nothing was changed\. The next call begins a new operation\.$/);
    await peer.call('report_progress', { title: 'Two', current: 1, total: 2 });
    assert.deepEqual(
      (await board.snapshot('demo')).operations.map(({ title, state }) => [title, state]),
      [
        ['One', 'cancelled'],
        ['Two', 'running'],
      ],
    );
  });

  it('does not write over a card that somebody else wrote since, unless told again', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    await peer.call('progress_card', { markdown: 'mine' });
    await board.put('demo', { markdown: 'theirs' });
    const conflict = await peer.call('progress_card', { markdown: 'mine again' });
    assert.equal(conflict.isError, true);
    assert.equal(textOf(conflict), 'progress_card wrote nothing: the card is at revision 2 already. Write the whole card again.');
    assert.deepEqual((await board.snapshot('demo')).card, { markdown: 'theirs' });
    assert.equal(textOf(await peer.call('progress_card', { markdown: 'mine again' })), 'Progress card updated (rev 3)');
  });

  it('gives each client a session of its own, named after the folder and the client', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const { url: endpoint } = await serveHttp(t, ['--url', url]);
    const peers = await Promise.all([
      legacy(new LegacyHttp(endpoint)),
      legacy(new LegacyHttp(endpoint)),
      modern({ pin: '2026-07-28' })(new ModernHttp(endpoint)),
      legacy(new LegacyHttp(new URL('?session=chosen', endpoint))),
    ]);
    for (const peer of peers) await peer.call('progress', { id: 'x', status: 'running' });
    const sessions = await board.sessions();
    assert.equal(sessions.length, 4);
    const names = sessions.map(({ session }) => session).sort();
    const own = names.filter((name) => name !== 'chosen');
    assert.equal(new Set(own).size, 3);
    for (const name of own) assert.match(name, /^[^:]+:test-harness(:[0-9a-f]{6})?$/);
    assert.ok(
      sessions.every(({ session, title }) => (session === 'chosen' ? title === undefined : /^Test Harness in ./.test(title ?? ''))),
    );
    for (const peer of peers) await peer.close();
  });

  it('lists the tools it was told to', async (t) => {
    const { url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--tools', 'progress_card,progress'])));
    after(t, () => peer.close());
    assert.deepEqual(
      (await peer.tools()).map(({ name }) => name),
      ['progress', 'progress_card'],
    );
  });

  it('never holds the model up when the gateway is away, says so, and delivers when it is back', async (t) => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const peer = await legacy(new LegacyStdio(started(['--url', `http://127.0.0.1:${port}`, '--session', 'demo'])));
    after(t, () => peer.close());
    const begun = performance.now();
    const kept = await peer.call('progress', { id: 'a', status: 'running', title: 'A' });
    assert.equal(kept.isError ?? false, false);
    assert.match(textOf(kept), /^Progress noted \(running\); not confirmed: the gateway does not answer\. The report is kept/);
    await peer.call('progress', { id: 'a', status: 'running', progress: 0.5 });
    const card = await peer.call('progress_card', { markdown: 'x' });
    assert.equal(card.isError, true);
    assert.match(textOf(card), /^progress_card: the write is not confirmed\./);
    // About three seconds. The limits of these tests leave room for a busy machine; what is held up is so for ever.
    assert.ok(performance.now() - begun < 20_000, 'the model was held up');

    const board = createGateway({ store: createMemoryStore() });
    await board.listen({ port });
    after(t, () => board.close());
    let answer = textOf(await peer.call('progress', { id: 'b', status: 'running' }));
    for (let tries = 0; /not confirmed/.test(answer) && tries < 40; tries += 1)
      answer = textOf(await peer.call('progress', { id: 'b', status: 'running' }));
    assert.equal(answer, 'Progress noted (running)');
    assert.deepEqual(
      (await board.snapshot('demo')).operations.map(({ id, fraction }) => [id, fraction]),
      [
        ['a', 0.5],
        ['b', undefined],
      ],
    );
  });

  it('answers in time when the gateway takes the connection and is silent', async (t) => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    after(t, () => silent.close());
    const { port } = silent.address() as { port: number };
    const peer = await legacy(new LegacyStdio(started(['--url', `http://127.0.0.1:${port}`, '--session', 'demo'])));
    after(t, () => peer.close());
    const begun = performance.now();
    for (let n = 0; n < 4; n += 1) assert.match(textOf(await peer.call('progress', { id: 'a', status: 'running' })), /not confirmed/);
    assert.ok(performance.now() - begun < 15_000, 'the model was held up');
  });

  it('answers a thousand calls made at once in time, each with what became of it, and keeps their order', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        peer.call('progress', { id: `op-${n % 100}`, status: n === 450 ? 'done' : 'running', title: `call ${n}` }),
      ),
    );
    assert.ok(performance.now() - begun < 60_000, 'the model was held up');
    for (const [n, answer] of answers.entries()) {
      const late = n % 100 === 50 && n > 450;
      assert.match(
        textOf(answer),
        late ? /^progress: this operation has ended already/ : /^Progress noted \((running|done)\)$/,
        `call ${n}`,
      );
      assert.equal(answer.isError ?? false, late);
    }
    assert.deepEqual(
      (await board.snapshot('demo')).operations.map(({ id, title }) => [id, title]),
      Array.from({ length: 100 }, (_, n) => [`op-${n}`, n === 50 ? 'call 450' : `call ${n + 900}`]),
    );
  });

  it('waits for a gateway that is slow and answers, however many calls there are before', async (t) => {
    const slow = createHttpServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        const results = (JSON.parse(body || '[]') as unknown[]).map(() => ({ outcome: 'applied' }));
        response.setHeader('content-type', 'application/json');
        setTimeout(() => response.end(JSON.stringify({ results, cursor: 'e:1' })), 450);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => slow.once('listening', resolve));
    after(t, () => slow.close());
    const { port } = slow.address() as { port: number };
    const peer = await legacy(new LegacyStdio(started(['--url', `http://127.0.0.1:${port}`, '--session', 'demo'])));
    after(t, () => peer.close());
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => peer.call('progress', { id: `op-${n}`, status: 'running' })));
    assert.deepEqual([...new Set(answers.map(textOf))], ['Progress noted (running)']);
  });

  it('holds no call up behind others when the gateway is silent', async (t) => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    after(t, () => silent.close());
    const { port } = silent.address() as { port: number };
    const peer = await legacy(new LegacyStdio(started(['--url', `http://127.0.0.1:${port}`, '--session', 'demo'])));
    after(t, () => peer.close());
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => peer.call('progress', { id: `op-${n}`, status: 'running' })));
    for (const answer of answers) assert.match(textOf(answer), /^Progress noted \(running\); not confirmed/);
    // One second for all of them, and not one for each.
    assert.ok(performance.now() - begun < 20_000, 'they waited one after the other');
  });

  it('does not say that a report was noted where something else than a gateway answers', async (t) => {
    const other = createHttpServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    after(t, () => other.close());
    const { port } = other.address() as { port: number };
    const peer = await legacy(new LegacyStdio(started(['--url', `http://127.0.0.1:${port}`, '--session', 'demo'])));
    after(t, () => peer.close());
    for (const [name, input] of [
      ['report_progress', { title: 'A', current: 1, total: 2 }],
      ['progress', { id: 'a', status: 'running' }],
    ] as const) {
      const answer = await peer.call(name, input);
      assert.equal(answer.isError, true);
      assert.match(
        textOf(answer),
        /refused and is lost\. The answer with status 200 does not say what became of the events; is this the gateway\?/,
      );
    }
  });

  it('never conflicts with itself: cards written at once are written in turn', async (t) => {
    const { gateway: board, url } = await gateway(t);
    const peer = await legacy(new LegacyStdio(started(['--url', url, '--session', 'demo'])));
    after(t, () => peer.close());
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => peer.call('progress_card', { markdown: `card ${n}` })));
    assert.deepEqual(
      answers.map(textOf),
      Array.from({ length: 40 }, (_, n) => `Progress card updated (rev ${n + 1})`),
    );
    assert.deepEqual((await board.snapshot('demo')).card, { markdown: 'card 39' });
  });

  it('ends when its input closes, or when it is told to', async (t) => {
    const { gateway: board, url } = await gateway(t);
    for (const end of ['input', 'SIGTERM', 'SIGINT'] as const) {
      const child = spawn(process.execPath, [BIN, 'mcp', '--url', url, '--session', end], { stdio: ['pipe', 'pipe', 'ignore'] });
      after(t, () => child.kill('SIGKILL'));
      const ended = new Promise((resolve) => child.once('exit', resolve));
      const frame = (id: number, method: string, params: object) =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      frame(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: NAME });
      frame(2, 'tools/call', { name: 'progress', arguments: { id: 'x', status: 'running' } });
      let out = '';
      for await (const chunk of child.stdout) {
        out += String(chunk);
        if (/"id":2/.test(out)) break;
      }
      for (const line of out.trimEnd().split('\n'))
        assert.equal(JSON.parse(line).jsonrpc, '2.0', 'only frames of the protocol on its output');
      if (end === 'input') child.stdin.end();
      else child.kill(end);
      assert.equal(await ended, 0, end);
      assert.equal((await board.snapshot(end)).operations[0]?.state, 'interrupted');
    }
    const { url: endpoint, stop } = await serveHttp(t, ['--url', url, '--session', 'http']);
    const peer = await modern({ pin: '2026-07-28' })(new ModernHttp(endpoint));
    await peer.call('progress', { id: 'x', status: 'running' });
    assert.equal(await stop(), 0);
    assert.equal((await board.snapshot('http')).operations[0]?.state, 'interrupted');
  });

  it('refuses a body that is far too large, and closes the connection, so that no later call is lost with it', async (t) => {
    const { url } = await gateway(t);
    const { url: endpoint } = await serveHttp(t, ['--url', url]);
    const { Agent, request } = await import('node:http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    after(t, () => agent.destroy());
    const posted = (body: string) =>
      new Promise<readonly [number | undefined, string | undefined]>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const outgoing = request(endpoint, { method: 'POST', agent, headers }, (response) => {
          response.resume().once('end', () => resolve([response.statusCode, response.headers.connection]));
        });
        outgoing.once('error', reject).end(body);
      });
    const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: NAME };
    const good = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: opening });
    assert.deepEqual(await posted(JSON.stringify({ text: 'x'.repeat(400_000) })), [413, 'close']);
    assert.equal((await posted(good))[0], 200);
  });

  it('answers over HTTP only under loopback names and to no page of another origin', async (t) => {
    const { url } = await gateway(t);
    const { url: endpoint } = await serveHttp(t, ['--url', url]);
    const { request } = await import('node:http');
    const status = (headers: Record<string, string>, path = '/mcp') =>
      new Promise<number | undefined>((resolve, reject) => {
        const outgoing = request(
          new URL(path, endpoint),
          {
            method: 'POST',
            agent: false,
            headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        outgoing.on('error', reject);
        outgoing.end(
          JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: NAME },
          }),
        );
      });
    assert.equal(await status({}), 200);
    assert.equal(await status({ host: 'evil.example' }), 403);
    assert.equal(await status({ origin: 'https://evil.example' }), 403);
    assert.equal(await status({ origin: 'null' }), 403);
    assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await status({ 'mcp-session-id': 'gone' }), 404);
    assert.equal(await status({}, '/other'), 404);
    assert.equal(await status({}, '/mcp?session=..'), 400);
  });
});
