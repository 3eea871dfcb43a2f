import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { http } from '../support.ts';
import { sitrep, startServe } from '../cli-support.ts';

it('sitrep push keys makes what sitrep serve takes, from a file or from the environment', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-push-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const made = await sitrep(t, ['push', 'keys', '--subject', 'mailto:ops@example.com']);
  assert.deepEqual([made.code, made.stderr], [0, '']);
  const file = join(directory, 'push.json');
  writeFileSync(file, made.stdout);
  const { publicKey, privateKey } = JSON.parse(made.stdout) as { publicKey: string; privateKey: string };
  const { url } = await startServe(t, ['--port', '0', '--store', 'memory', '--push-keys', file, '--push-host', '*.push.example']);
  assert.deepEqual((await http(`${url}/v1/push/key`)).body, { key: publicKey });
  assert.match((await http(`${url}/metrics`)).text, /sitrep_push_messages_total\{outcome="sent"\} 0/);

  const wrong = join(directory, 'wrong.json');
  writeFileSync(wrong, made.stdout.replace(publicKey, 'AAAA'));
  for (const [args, message] of [
    [['push'], /sitrep push keys --subject/],
    [['push', 'keys'], /--subject mailto/],
    [['push', 'keys', '--subject', 'me'], /must say whom to turn to/],
    [['serve', '--port', '0', '--store', 'memory', '--push-keys', wrong], /"publicKey" must be/],
    [['serve', '--port', '0', '--store', 'memory', '--push-keys', `${file}.not`], /cannot be read/],
    [['serve', '--port', '0', '--store', 'memory', '--push-keys', file, '--push-host', 'https://x'], /--push-host must be/],
    [['serve', '--port', '0', '--store', 'memory', '--push-host', 'x.example'], /with --push-keys only/],
  ] as const) {
    const { code, stderr } = await sitrep(t, [...args], { env: { SITREP_PUSH_KEYS: '', SITREP_PUSH_KEYS_FILE: '' } });
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
    assert.equal(stderr.includes(privateKey), false);
  }
});
