import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { Cli, sitrep, startServe } from '../cli-support.ts';
import { http, operation, post, stream } from '../support.ts';

function keyFile(t: TestContext, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-keys-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'key');
  writeFileSync(file, text);
  return file;
}
const made = async (t: TestContext, args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const { code, stdout, stderr } = await sitrep(t, ['token', ...args], { env });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^\S+\n$/);
  return stdout.trim();
};

describe('sitrep token', () => {
  it('makes the key a gateway is started with and the tokens it takes', async (t) => {
    for (const algorithm of ['HS256', 'EdDSA']) {
      const file = keyFile(t, await made(t, ['--new-key', algorithm]));
      const { url, cli } = await startServe(t, ['--port', '0', '--store', 'memory', '--key-file', file]);
      await cli.output(new RegExp(`asks for tokens \\(one key: ${algorithm}\\)`));
      const at = `${url}/v1/sessions/s`;
      const headers = {
        authorization: `Bearer ${await made(t, ['--key-file', file, '--scope', 'write', '--session', 's', '--subject', 'ci'])}`,
      };
      assert.equal((await post(`${at}/events`, operation('x'), headers)).status, 200);
      assert.equal((await http(at)).status, 401);
      assert.equal((await http(`${url}/v1/sessions/o`, { headers })).status, 403);
      const all = { authorization: `Bearer ${await made(t, ['--all'], { SITREP_KEY_FILE: file })}` };
      assert.equal((await stream(t, `${at}/stream`, all).next()).event, 'snapshot');
    }
  });

  it('takes the key from the environment, and gives its public half to a gateway that only checks', async (t) => {
    const key = await made(t, ['--new-key']);
    const half = await made(t, ['--public-key'], { SITREP_KEY: key });
    const serve = new Cli(t, ['serve', '--port', '0', '--store', 'memory'], { env: { SITREP_KEY: half } });
    const [, url] = await serve.output(/gateway at (\S+) /);
    const token = await made(t, ['--prefix', 'team/', '--expires', '5m'], { SITREP_KEY: key });
    const { exp, iat, prefixes, scope } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    assert.deepEqual([exp - iat, prefixes, scope], [300, ['team/'], 'read']);
    assert.equal((await http(`${url}/v1/sessions/team%2Fa`, { headers: { authorization: `Bearer ${token}` } })).status, 200);
  });

  it('makes what run, tail, mcp and hook send: from the environment, or from a file that is renewed', async (t) => {
    const file = keyFile(t, await made(t, ['--new-key']));
    const { url } = await startServe(t, ['--port', '0', '--store', 'memory', '--key-file', file]);
    const token = await made(t, ['--key-file', file, '--scope', 'write', '--session', 's']);
    const env = { SITREP_URL: url, SITREP_SESSION: 's', SITREP_TOKEN: token };
    const seen = async () => (await http(`${url}/v1/sessions/s`, { headers: { authorization: `Bearer ${token}` } })).body;
    assert.equal((await sitrep(t, ['run', '--id', 'work', '--', 'true'], { env })).stderr, '');
    assert.equal((await seen()).operations[0].state, 'completed');
    const hook = await sitrep(t, ['hook', 'claude', '--verbose'], {
      env,
      input: JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }),
    });
    assert.match(hook.stderr, /200 .*applied/);
    const mcp = new Cli(t, ['mcp'], { env, keepInput: true });
    const say = (message: object) => mcp.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    say({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    await mcp.output(/"id":1/);
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'progress_card', arguments: { markdown: 'hello' } } });
    await mcp.output(/Progress card updated \(rev 1\)/);
    assert.equal((await seen()).card.markdown, 'hello');
    mcp.child.stdin?.end();
    await mcp.ended;

    const renewed = keyFile(t, 'none yet');
    const tail = new Cli(t, ['tail', 's', '--json'], { env: { SITREP_URL: url, SITREP_TOKEN_FILE: renewed } });
    assert.match((await tail.ended).stderr, /401/);
    writeFileSync(renewed, `${token}\n`);
    const again = new Cli(t, ['tail', 's', '--json'], { env: { SITREP_URL: url, SITREP_TOKEN_FILE: renewed } });
    await again.output(/"markdown":"hello"/);
    again.child.kill('SIGINT');
  });

  it('says that a gateway without keys is open to every program of the machine', async (t) => {
    const { cli } = await startServe(t, ['--port', '0', '--store', 'memory']);
    await cli.output(/It has no keys: this machine only, and every program on it may read and write\./);
  });

  it('explains what it cannot do, and never shows a key', async (t) => {
    const file = keyFile(t, 'topsecret');
    const good = keyFile(t, 'a secret of thirty-two bytes or more');
    for (const [args, message] of [
      [[], /Name the key/],
      [['--key-file', file, '--all'], /at least 32 bytes/],
      [['--key-file', `${file}.not`, '--all'], /cannot be read: ENOENT/],
      [['--key-file', good], /which sessions/],
      [['--key-file', good, '--all', '--scope', 'root'], /--scope must be one of read, write, admin/],
      [['--key-file', good, '--session', 'a\n'], /control characters/],
      [['--key-file', good, '--prefix', ''], /--all means every session/],
      [['--key-file', good, '--all', '--expires', '1 day'], /--expires must be a time/],
      [['--key-file', good, '--all', '--expires', '0s'], /--expires must be a time/],
      [['--key-file', good, '--public-key'], /no public half/],
      [['--new-key', 'RS256'], /HS256 or EdDSA/],
      [['s'], /takes no "s"/],
    ] as const) {
      const { code, stdout, stderr } = await sitrep(t, ['token', ...args], { env: { SITREP_KEY: '', SITREP_KEY_FILE: '' } });
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, message);
      assert.equal(stderr.includes('topsecret'), false);
    }
    const serve = await sitrep(t, ['serve', '--port', '0', '--store', 'memory', '--key-file', file]);
    assert.equal(serve.code, 2);
    assert.match(serve.stderr, /at least 32 bytes/);
  });
});
