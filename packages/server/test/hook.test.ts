import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { Cli, sitrep } from './cli-support.ts';
import { http, serve } from './support.ts';

interface Recorded {
  readonly input: readonly Record<string, unknown>[];
}

const FIXTURES = new URL('../../schema/fixtures/claude/', import.meta.url);

function recorded(file: string): Recorded['input'] {
  return (JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8')) as Recorded).input;
}

const input = (more: Record<string, unknown> = {}) => ({
  session_id: 'session-1',
  transcript_path: '/project/transcript.jsonl',
  cwd: '/project',
  prompt_id: 'prompt-1',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: 'toolu_1',
  ...more,
});

async function hook(t: TestContext, args: readonly string[], value: unknown) {
  const { code, stdout, stderr } = await sitrep(t, ['hook', ...args], { input: typeof value === 'string' ? value : JSON.stringify(value) });
  return { code, stdout, stderr };
}

describe('sitrep hook claude', () => {
  it('brings the hooks of a turn to the gateway, each a process of its own, and writes nothing', async (t) => {
    const { url } = await serve(t);
    for (const each of recorded('hooks-of-a-turn.json')) {
      assert.deepEqual(await hook(t, ['claude', '--url', url], each), { code: 0, stdout: '', stderr: '' });
    }
    const { body } = await http(`${url}/v1/sessions/session-1`);
    assert.equal(body.title, 'Fix the build');
    assert.deepEqual(body.card, { plan: [{ step: 'A', status: 'in_progress' }] });
    assert.deepEqual(
      body.operations.map(({ id, state, parent, title }: Record<string, unknown>) => [id, state, parent, title]),
      [
        ['toolu_1', 'completed', undefined, 'Build it'],
        ['agent-1', 'completed', undefined, 'general-purpose'],
        ['toolu_3', 'failed', 'agent-1', 'a.ts'],
        ['compacting', 'completed', undefined, undefined],
      ],
    );
    assert.deepEqual(
      body.runs.map(({ run, state }: Record<string, unknown>) => [run, state]),
      [['prompt-1', 'completed']],
    );
  });

  it('gathers the tasks of the list although every hook is a new process', async (t) => {
    const { url } = await serve(t);
    for (const each of recorded('hooks-tasks.json')) await hook(t, ['claude', '--url', url, '--session', 'mine'], each);
    const { body } = await http(`${url}/v1/sessions/mine`);
    assert.deepEqual(body.card.plan, [
      { step: 'Look', status: 'completed' },
      { step: 'Ship', status: 'completed' },
    ]);
  });

  it('takes an input of megabytes, and sends neither prompts, answers, outputs nor paths of transcripts', async (t) => {
    const bodies: string[] = [];
    const server = createServer((socket) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (!text.includes('toolu_1')) return;
        bodies.push(text);
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = 'do-not-send';
    const value = input({
      hook_event_name: 'PostToolUse',
      prompt: secret,
      last_assistant_message: secret,
      transcript_path: secret,
      tool_response: { stdout: secret.repeat(200_000) },
      tool_input: { command: 'make', content: secret, env: { KEY: secret } },
    });
    assert.equal((await hook(t, ['claude', '--url', url], value)).code, 0);
    assert.equal(bodies.length, 1);
    assert.ok(bodies[0]?.includes('"command":"make"'));
    assert.equal(bodies[0]?.includes(secret), false);
  });

  it('sends no secrets that a command holds, no file that it writes, and of an error no output', async (t) => {
    const bodies: string[] = [];
    const server = createHttpServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        bodies.push(text);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = 'Zq9xTr4bWk2mNp7vLs3cHd8f';
    const commands = [
      `git clone https://me:${secret}@example.com/a.git`,
      `git clone https://${secret}@example.com/a.git`,
      `curl -H "Authorization: Bearer ${secret}" https://example.com`,
      `curl -u me:${secret} https://example.com`,
      `curl "https://example.com/a?page=2&access_token=${secret}&x=1"`,
      `export STRIPE_API_KEY=${secret}; make`,
      `PGPASSWORD='${secret}' psql`,
      `tool --password ${secret} --verbose`,
      `echo '{"client_secret": "${secret}"}' | tool`,
      `echo sk-${secret}`,
      `gh auth login --with-token ghp_${secret}`,
      `cat > .env <<'EOF'\nNAME=${secret}\nEOF`,
      `${'x'.repeat(480)} --token ${secret}`,
    ];
    for (const command of commands) await hook(t, ['claude', '--url', url], input({ tool_input: { command } }));
    await hook(t, ['claude', '--url', url], input({ hook_event_name: 'PostToolUseFailure', error: `Exit code 1\n${secret}` }));
    assert.equal(bodies.length, commands.length + 1);
    for (const body of bodies) assert.equal(body.includes(secret.slice(0, 8)), false, body);
    for (const kept of ['git clone', 'page=2', 'make', 'psql', '--verbose', 'cat > .env', 'Exit code 1']) {
      assert.ok(
        bodies.some((body) => body.includes(kept)),
        kept,
      );
    }
    await hook(
      t,
      ['claude', '--url', url],
      input({ tool_input: { command: 'npm test -- --max=3 src/key.ts', description: 'Run the tests' } }),
    );
    assert.ok(bodies.at(-1)?.includes('npm test -- --max=3 src/key.ts'));
  });

  it('ends with 0 and in silence without a gateway, with one that never answers, and with an input that is none', async (t) => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    t.after(() => silent.close());
    const port = (silent.address() as AddressInfo).port;
    for (const [url, value] of [
      ['http://127.0.0.1:1', input()],
      [`http://127.0.0.1:${port}`, input()],
      ['not an address', input()],
      ['ftp://127.0.0.1', input()],
      ['http://127.0.0.1:1', input({ session_id: 'half \uD83E of a fox' })],
      ['http://127.0.0.1:1', 'no JSON'],
      ['http://127.0.0.1:1', { hook_event_name: 'Stop' }],
    ] as const) {
      assert.deepEqual(await hook(t, ['claude', '--url', url], value), { code: 0, stdout: '', stderr: '' });
    }
  });

  it('does not wait for an input that never ends', async (t) => {
    const cli = new Cli(t, ['hook', 'claude'], { keepInput: true });
    assert.equal((await cli.ended).code, 0);
  });

  it('says with --verbose what became of it, and of a wrong command line with 1, since 2 would refuse the tool', async (t) => {
    const { url } = await serve(t);
    assert.match((await hook(t, ['claude', '--url', url, '--verbose'], input())).stderr, /200 .*applied/);
    assert.match((await hook(t, ['claude', '--url', 'http://127.0.0.1:1', '--verbose'], input())).stderr, /cannot be reached/);
    for (const args of [[], ['cursor'], ['claude', '--url'], ['claude', 'more']]) {
      const { code, stdout, stderr } = await hook(t, args, input());
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /sitrep hook claude\|codex/);
    }
  });
});

describe('sitrep hook codex', () => {
  it('tells that a tool of an MCP server failed, without what it answered', async (t) => {
    const { url } = await serve(t);
    for (const each of recorded('hooks-of-codex-failed-tool.json')) await hook(t, ['codex', '--url', url], each);
    const [call] = (await http(`${url}/v1/sessions/session-1`)).body.operations;
    assert.deepEqual([call.state, call.error.message], ['failed', 'error']);
  });

  it('takes the hooks of Codex, as they were recorded', async (t) => {
    const { url } = await serve(t);
    for (const each of recorded('hooks-of-codex.json')) await hook(t, ['codex', '--url', url], each);
    const { body } = await http(`${url}/v1/sessions/session-1`);
    assert.deepEqual(body.card.plan, [
      { step: 'Look at the files', status: 'completed' },
      { step: 'Change one', status: 'in_progress' },
    ]);
    assert.deepEqual(
      body.operations.map(({ id, state }: Record<string, unknown>) => [id, state]),
      [
        ['call_cmd', 'completed'],
        ['call_bad', 'completed'],
        ['call_mcp_ns', 'completed'],
      ],
    );
  });

  it('takes the notice of a turn that is over from its last argument', async (t) => {
    const { url } = await serve(t);
    const notice = {
      type: 'agent-turn-complete',
      'thread-id': 'thread-1',
      'turn-id': 'turn-1',
      cwd: '/project',
      'input-messages': ['Do it'],
    };
    assert.equal((await sitrep(t, ['hook', 'codex', '--url', url, JSON.stringify(notice)])).code, 0);
    const { body } = await http(`${url}/v1/sessions/thread-1`);
    assert.deepEqual(
      body.runs.map(({ run, state }: Record<string, unknown>) => [run, state]),
      [['turn-1', 'completed']],
    );
  });
});
