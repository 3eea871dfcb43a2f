import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Cli, sitrep } from './cli-support.ts';

const progress = (progressToken: number | string, value: number, rest: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: value, ...rest } });
const operation = (id: string, rest: object = {}) => JSON.stringify({ type: 'operation', session: 'chat-1', id, at: 1000, ...rest });

describe('sitrep convert', () => {
  it("reads one protocol and writes another's, line by line", async (t) => {
    const input = `${progress(0, 1, { total: 4 })}\n\n${progress('0', 2, { message: 'Reading' })}\n`;
    const { code, stdout, stderr } = await sitrep(t, ['convert', '--from', 'mcp', '--to', 'progress'], { input });
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { id: 0, status: 'running', progress: 0.25 },
        { id: '0', status: 'running', detail: 'Reading' },
      ],
    );
    assert.equal(stderr, '2 frames, 0 bad; 2 events, 0 that came too late; 2 frames written\n');
  });

  it('finds out the protocol of each line by itself, and puts frames that name no session into the one that is given', async (t) => {
    const input = `${progress(1, 2)}\n${operation('a', { state: 'running' })}\n`;
    const { code, stdout } = await sitrep(t, ['convert', '-', '--session', 'mine', '--run', 'turn-1'], { input });
    assert.equal(code, 0);
    const [read, own] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([read?.['session'], read?.['run'], read?.['id'], read?.['current']], ['mine', 'turn-1', 1, 2]);
    assert.deepEqual(own, JSON.parse(operation('a', { state: 'running' })));
  });

  it('reads a stream on in the dialect it turned out to be, where a frame alone does not tell', async (t) => {
    const update = (rest: object) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'a', update: { toolCallId: 'call-1', ...rest } } });
    const stream = [
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}',
      '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}',
      '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}',
      update({ sessionUpdate: 'tool_call', title: 'Read', status: 'pending' }),
      update({ sessionUpdate: 'tool_call_update', status: 'in_progress' }),
      update({ sessionUpdate: 'tool_call_update', status: 'completed' }),
    ].join('\n');
    const named = await sitrep(t, ['convert', '--from', 'acp'], { input: stream });
    const found = await sitrep(t, ['convert'], { input: stream });
    const told = ({ stdout }: { stdout: string }) =>
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { state?: string }).state);
    assert.deepEqual([found.code, found.stderr], [0, named.stderr]);
    assert.deepEqual(told(found), ['pending', 'running', 'completed']);
    assert.deepEqual(told(named), told(found));
    const bare = await sitrep(t, ['convert'], { input: update({ sessionUpdate: 'tool_call_update', status: 'completed' }) });
    assert.equal(bare.code, 1);
  });

  it('reads a recorded stream of server-sent events', async (t) => {
    const input = [
      ': open',
      'retry: 500',
      `event: message\r`,
      'id: 1',
      `data: ${progress(1, 1)}\r`,
      '',
      `data:${progress(1, 2)}`,
      'data: oh',
      'data: [DONE]',
    ];
    const { code, stdout, stderr } = await sitrep(t, ['convert', '--from', 'mcp'], { input: input.join('\n') });
    assert.equal(code, 1);
    assert.equal(stdout.trimEnd().split('\n').length, 2);
    assert.match(stderr, /^8: This line is not JSON\.\n3 frames, 1 bad; 2 events/);
  });

  it('explains what it could not read on standard error, goes on, and ends with 1', async (t) => {
    const input = ['{"a":', '{"a":1}', progress(1, 1, { total: -1 }), '{"type":"operation","session":"s","id":"x"}'].join('\n');
    const { code, stdout, stderr } = await sitrep(t, ['convert', '--to', 'progress'], { input });
    assert.equal(code, 1);
    assert.equal(stdout.trimEnd().split('\n').length, 1);
    const lines = stderr.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^1: .*not JSON/);
    assert.match(lines[1] ?? '', /^2: .*no dialect for certain/);
    assert.match(lines[2] ?? '', /^3:\/params\/total: .*read as unknown/);
    assert.match(lines[3] ?? '', /^4:\/at: /);
    assert.equal(lines[4], '4 frames, 3 bad; 1 events, 0 that came too late; 1 frames written');
  });

  it('keeps back from a peer what came after the end, and counts it', async (t) => {
    const events = [{ state: 'running' }, { state: 'completed' }, { state: 'running', message: 'late' }];
    const input = events.map((each, index) => operation('a', { ...each, at: 1000 + index })).join('\n');
    const { code, stdout, stderr } = await sitrep(t, ['convert', '--to', 'progress'], { input });
    assert.equal(code, 0);
    assert.equal(stdout.includes('late'), false);
    assert.match(stderr, /3 events, 1 that came too late/);
  });

  it('writes a snapshot as the events that lead to it', async (t) => {
    const snapshot = {
      type: 'snapshot',
      session: 'chat-1',
      epoch: 'e',
      seq: 4,
      at: 2000,
      card: { markdown: 'note' },
      revision: 3,
      cardUpdatedAt: 1500,
      operations: [{ id: 'a', run: 'r', attempt: 1, state: 'completed', updatedAt: 1200, current: 2, total: 2 }],
      runs: [{ run: 'r', state: 'completed', updatedAt: 1900, startedAt: 1000, endedAt: 1900 }],
      title: 'A chat',
    };
    const { code, stdout } = await sitrep(t, ['convert'], { input: JSON.stringify(snapshot) });
    assert.equal(code, 0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      events.map(({ type, state, revision, at }) => [type, state ?? revision, at]),
      [
        ['session', undefined, 2000],
        ['run', 'running', 1000],
        ['operation', 'completed', 1200],
        ['card', 3, 1500],
        ['run', 'completed', 1900],
      ],
    );
  });

  it('names every dialect when it is asked for one it does not know', async (t) => {
    for (const args of [
      ['--from', 'smoke'],
      ['--to', 'smoke'],
    ]) {
      const { code, stderr } = await sitrep(t, ['convert', ...args], { input: '' });
      assert.equal(code, 2);
      assert.match(stderr, /must be one of: .*sitrep, .*report-progress, .*mcp/);
    }
  });

  it('refuses a protocol that does not go that way, and lists those that do', async (t) => {
    for (const [flag, name, word, wrong] of [
      ['--from', 'slack', 'written', 'osc-notify'],
      ['--to', 'codex', 'read', 'claude'],
    ] as const) {
      const { code, stdout, stderr } = await sitrep(t, ['convert', flag, name], { input: `${progress(1, 1)}\n` });
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.ok(stderr.includes(`"${name}" can only be ${word}.`), stderr);
      const listed = /must be one of: ([^.]*)\./.exec(stderr)?.[1]?.split(', ') ?? [];
      assert.ok(listed.includes('sitrep') && listed.includes('ag-ui'), stderr);
      assert.ok(!listed.includes(name) && !listed.includes(wrong), stderr);
    }
    const { code, stderr } = await sitrep(t, ['validate', '-', '--dialect', 'slack'], { input: '' });
    assert.equal(code, 2);
    assert.match(stderr, /"slack" can only be written/);
  });

  it('stops without a word when its reader has gone', async (t) => {
    const cli = new Cli(t, ['convert', '--from', 'mcp'], { keepInput: true });
    const { stdin, stdout } = cli.child;
    assert.ok(stdin && stdout);
    stdin.on('error', () => undefined);
    stdin.write(`${progress(1, 1)}\n`);
    await once(stdout, 'data');
    stdout.destroy();
    for (let n = 0; n < 5_000 && !stdin.destroyed; n += 1)
      if (!stdin.write(`${progress(1, n)}\n`)) await Promise.race([once(stdin, 'drain').catch(() => undefined), cli.ended]);
    stdin.end();
    const { stderr } = await cli.ended;
    assert.match(stderr, /^\d+ frames, 0 bad; \d+ events, 0 that came too late; \d+ frames written\n$/);
  });
});

describe('sitrep validate --dialect', () => {
  it('holds each line against the dialect, says what was mended, and is strict when it is told to be', async (t) => {
    const good = `${progress(1, 1)}\n${progress(1, 2, { total: 0 })}\n`;
    const lax = await sitrep(t, ['validate', '-', '--dialect', 'mcp'], { input: good });
    assert.equal(lax.code, 0);
    assert.match(lax.stdout, /^2:\/params\/total: /);
    assert.match(lax.stdout, /2 frames: 1 good, 1 with parts that had to be mended, 0 bad\n$/);
    assert.equal((await sitrep(t, ['validate', '-', '--dialect', 'mcp', '--strict'], { input: good })).code, 1);
    const bad = await sitrep(t, ['validate', '-', '--dialect', 'mcp'], { input: `${good}{"method":"notifications/progress"}\n` });
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^3:\/params: /m);
  });

  it('says what a line looks like that is a frame of somebody else, where events were to be checked', async (t) => {
    const input = `${progress(1, 1)}\n{"type":"smoke"}\n{"type":"operation","session":"s","id":"x"}\n`;
    const { code, stdout } = await sitrep(t, ['validate', '-'], { input });
    assert.equal(code, 1);
    const lines = stdout.split('\n');
    assert.equal(lines[0], '1: This is no event; it looks like a frame of mcp: try --dialect mcp.');
    assert.match(lines[1] ?? '', /^2:\/type: .*one of/);
    assert.match(lines[2] ?? '', /^3:\/at: /);
    assert.match(stdout, /3 events: 0 good, 3 bad\n$/);
  });

  it('refuses a dialect it does not know with the names of all', async (t) => {
    const { code, stderr } = await sitrep(t, ['validate', '-', '--dialect', 'smoke'], { input: '' });
    assert.equal(code, 2);
    assert.match(stderr, /--dialect must be one of: .*mcp/);
  });
});
