import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { BIN, Cli, sitrep, startServe } from './cli-support.ts';
import { http, operation, post, put, serve, stream } from './support.ts';

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-cli-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describe('sitrep', () => {
  it('has every command, option and variable of its help on the page', async (t) => {
    const page = readFileSync(new URL('../../../docs/gateway.md', import.meta.url), 'utf8');
    const { stdout } = await sitrep(t, ['--help']);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name as string);
    const variables = [...stdout.matchAll(/^ {2}(SITREP_[A-Z_]+)/gm)].map(([, name]) => name as string);
    assert.ok(commands.length >= 8 && variables.length >= 6);
    for (const name of variables) assert.ok(page.includes(`| \`${name}\` `), name);
    for (const name of commands) {
      const part = page.split(`\n**\`sitrep ${name}\`**`)[1]?.split('\n**`sitrep ')[0];
      assert.ok(part !== undefined, name);
      const help = (await sitrep(t, [name, '--help'])).stdout;
      for (const [, option] of help.matchAll(/^ {2}(--[a-z-]+)/gm)) assert.ok(part.includes(option as string), `${name} ${option}`);
    }
  });

  it('helps, and tells its version', async (t) => {
    const help = await sitrep(t, ['--help']);
    assert.equal(help.code, 0);
    for (const word of ['serve', 'run', 'validate', 'convert', 'tail', 'mcp', '--version']) assert.match(help.stdout, new RegExp(word));
    const version = await sitrep(t, ['--version']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    for (const command of ['serve', 'run', 'validate', 'convert', 'tail', 'mcp']) {
      const { code, stdout } = await sitrep(t, [command, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: sitrep ${command}`));
    }
  });

  it('does not end well when what it wrote is lost on a full disk, unless the command has a code of its own', async (t) => {
    const line = JSON.stringify({ type: 'operation', session: 's', id: 'x', at: 1, state: 'running' });
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    for (const [args, code] of [
      [['validate', '-'], 1],
      [['convert', '--from', 'sitrep'], 1],
      [['run', '--url', 'http://127.0.0.1:9', '--', 'echo', 'hi'], 1],
      [['run', '--url', 'http://127.0.0.1:9', '--', 'sh', '-c', 'exit 4'], 4],
      [['--version'], 1],
    ] as const) {
      const cli = new Cli(t, args, { input: `${line}\n`, stdio: ['pipe', full, 'pipe'] });
      const ended = await cli.ended;
      assert.equal(ended.code, code, args.join(' '));
      if (code === 1) assert.match(ended.stderr, /sitrep: standard output could not be written: ENOSPC/);
    }
  });

  it('refuses a command line it does not understand, with 2 and the help to read', async (t) => {
    for (const [args, message] of [
      [[], /Usage: sitrep/],
      [['fly'], /no command "fly".*\n.*sitrep --help/],
      [['serve', '--prot', '1'], /--prot.*\n.*sitrep serve --help/],
      [['serve', '--port', 'x'], /--port must be a whole number/],
      [['serve', '--port', '70000'], /--port must be a whole number/],
      [['serve', '--store='], /--store must name a file/],
      [['serve', 'extra'], /takes no "extra"/],
      [['serve', '--allow-origin', 'board.example'], /must be an origin/],
      [['run'], /Name the command after --/],
      [['run', 'make'], /Name the command after --/],
      [['run', '--'], /Name the command after --/],
      [['run', '--url', 'ftp://x', '--', 'true'], /http or https URL/],
      [['run', '--session', '', '--', 'true'], /session must be 1 to 256 characters/],
      [['run', '--session', '..', '--', 'true'], /session must not be "\.\."/],
      [['run', '--session', 'a\nb', '--', 'true'], /session must be 1 to 256 characters/],
      [['run', '--session', 'x'.repeat(257), '--', 'true'], /session must be 1 to 256 characters/],
      [['run', '--id', '', '--', 'true'], /--id must be 1 to 256 characters/],
      [['run', '--id', 'x'.repeat(257), '--', 'true'], /--id must be 1 to 256 characters/],
      [['mcp', 'extra'], /takes no "extra"/],
      [['mcp', '--port', '1'], /--port goes with --http/],
      [['mcp', '--http', '--port', '70000'], /--port must be a whole number/],
      [['mcp', '--session', '..'], /session must not be/],
      [['mcp', '--tools', 'progress,fly'], /--tools takes report_progress, progress, progress_card, separated by commas, not "fly"/],
      [['tail', '.'], /session must not be "\."/],
      [['validate'], /Name one file/],
      [['validate', 'a', 'b'], /Name one file/],
      [['tail'], /Name one session/],
      [['tail', 's', '--url', 'nonsense'], /http or https URL/],
      [['run', '--sesion', 'x', '--', 'true'], /Unknown option --sesion; did you mean --session\?\n/],
      [['convert', '--form=mcp'], /Unknown option --form; did you mean --from\?\n/],
      [['tail', 's', '--jsno'], /Unknown option --jsno; did you mean --json\?\n/],
      [['validate', '-', '--constructor'], /Unknown option --constructor\.\n/],
      [['validate', '-', '-x'], /Unknown option -x\.\n/],
      [['tail', 's', '--url'], /--url needs a value\.\n/],
      [['tail', 's', '--url', '--json'], /--url needs a value; one that begins with - is written --url=<value>\.\n/],
      [['tail', 's', '--json=yes'], /--json takes no value\.\n/],
    ] as const) {
      const { code, stderr } = await sitrep(t, args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
  });
});

describe('sitrep serve', () => {
  it('prints its address, keeps sessions in .sitrep by default, and stops on a signal', async (t) => {
    const cwd = folder(t);
    const cli = new Cli(t, ['serve', '--port', '0'], { cwd });
    const [, url] = await cli.output(/gateway at (http:\/\/127\.0\.0\.1:\d+) \(store: \.sitrep\/sitrep\.db\)/);
    assert.deepEqual((await http(`${url}/healthz`)).body.store, 'file');
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    await reader.next();
    cli.child.kill('SIGTERM');
    const { code, stderr } = await cli.ended;
    assert.equal(code, 0);
    assert.equal(stderr, '');
    await reader.finished();
    assert.ok(existsSync(join(cwd, '.sitrep', 'sitrep.db')));
  });

  it('takes the interrupt of a terminal as well', async (t) => {
    const { cli } = await startServe(t, ['--port', '0', '--store', 'memory']);
    cli.child.kill('SIGINT');
    assert.equal((await cli.ended).code, 0);
  });

  it('refuses an address that others can reach unless it has keys and it is said under which names', async (t) => {
    const open = ['serve', '--port', '0', '--host', '0.0.0.0', '--store', 'memory'];
    const keyless = await sitrep(t, [...open, '--allow-host', 'board.example']);
    assert.equal(keyless.code, 2);
    assert.match(keyless.stderr, /can be reached from other machines, and without keys .*--key-file/);
    const file = join(folder(t), 'key');
    const made = await sitrep(t, ['token', '--new-key']);
    writeFileSync(file, made.stdout);
    const { code, stderr } = await sitrep(t, [...open, '--key-file', file]);
    assert.equal(code, 2);
    assert.match(stderr, /can be reached from other machines.*--allow-host/);
    const { url, cli } = await startServe(t, [...open.slice(1), '--key-file', file, '--allow-host', 'board.example']);
    const local = url.replace('0.0.0.0', '127.0.0.1');
    assert.equal((await http(`${local}/healthz`, { headers: { host: 'board.example' } })).status, 200);
    assert.equal((await http(`${local}/healthz`, { headers: { host: 'evil.example' } })).status, 403);
    cli.child.kill('SIGTERM');
    await cli.ended;
  });

  it('takes limits by name, and says which there are', async (t) => {
    const args = ['--port', '0', '--store', 'memory', '--limit', 'rateLimit=0.5', '--limit', 'events=2', '--trust-proxy'];
    const { url } = await startServe(t, args);
    const from = { 'x-forwarded-for': '1.1.1.1' };
    assert.equal((await http(`${url}/v1/sessions`, { headers: from })).status, 200);
    const { status, headers } = await http(`${url}/v1/sessions`, { headers: from });
    assert.deepEqual([status, headers['retry-after']], [429, '2']);
    for (const limit of ['nothing=1', 'rateLimit', 'rateLimit=0', 'rateLimit=1e9', 'events=-1', '__proto__=1', 'store=1']) {
      const { code, stderr } = await sitrep(t, ['serve', '--port', '0', '--store', 'memory', '--limit', limit]);
      assert.equal(code, 2, limit);
      assert.match(stderr, /--limit .*(clientLimit|above 0)/);
    }
  });

  it('says in one line that its port or its store is taken', async (t) => {
    const file = join(folder(t), 'a.db');
    const { url } = await startServe(t, ['--port', '0', '--store', file]);
    const port = await sitrep(t, ['serve', '--port', new URL(url).port, '--store', 'memory']);
    assert.equal(port.code, 1);
    assert.match(port.stderr, /^sitrep: Port \d+ is in use\..*--port\.\n$/);
    const store = await sitrep(t, ['serve', '--port', '0', '--store', file]);
    assert.equal(store.code, 1);
    assert.match(store.stderr, /^sitrep: .* is in use by another process\..*\n$/);
  });
});

describe('sitrep run', () => {
  const snapshotOf = async (url: string, session = 'default') => (await http(`${url}/v1/sessions/${session}`)).body;

  it('reports a command that succeeds, its newest line, and passes its output and code on', async (t) => {
    const { url } = await serve(t);
    const script =
      'console.log("\\u001b[2mCompiling\\u001b[0m [3/10]"); console.error("[6/10] Packing\\n[7/10] Linking"); process.stdout.write("no newline")';
    const { code, stdout, stderr } = await sitrep(t, [
      'run',
      '--url',
      url,
      '--id',
      'build',
      '--title',
      'Build',
      '--',
      process.execPath,
      '-e',
      script,
    ]);
    assert.equal(code, 0);
    assert.equal(stdout, '\u001b[2mCompiling\u001b[0m [3/10]\nno newline');
    assert.equal(stderr, '[6/10] Packing\n[7/10] Linking\n');
    const [build] = (await snapshotOf(url)).operations;
    assert.deepEqual([build.id, build.title, build.kind, build.state], ['build', 'Build', 'command', 'completed']);
    assert.equal(build.total, 10);
    assert.equal(build.current, 7);
    assert.ok(['Compiling [3/10]', '[7/10] Linking', 'no newline'].includes(build.message));
    assert.ok(build.endedAt >= build.startedAt);
  });

  it('names the operation by the command, and the session by the environment', async (t) => {
    const { url } = await serve(t);
    await sitrep(t, ['run', '--', process.execPath, '-e', '0'], { env: { SITREP_URL: url, SITREP_SESSION: 'mine' } });
    const [first] = (await snapshotOf(url, 'mine')).operations;
    assert.match(first.title, / -e 0$/);
    assert.equal(first.current, undefined);
    assert.equal(first.fraction, undefined);
  });

  it('reports a command that fails and ends with its code', async (t) => {
    const { url } = await serve(t);
    const { code, stderr } = await sitrep(t, [
      'run',
      '--url',
      url,
      '--session',
      's',
      '--',
      process.execPath,
      '-e',
      'console.log("last words"); process.exit(3)',
    ]);
    assert.equal(code, 3);
    assert.equal(stderr, '');
    const [failed] = (await snapshotOf(url, 's')).operations;
    assert.deepEqual([failed.state, failed.error.message, failed.message], ['failed', 'Exited with code 3', 'last words']);
  });

  it('shows it running, hands a signal on, and reports it as cancelled', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    await reader.next();
    const cli = new Cli(t, [
      'run',
      '--url',
      url,
      '--session',
      's',
      '--',
      process.execPath,
      '-e',
      'console.log("[1/3]\\n[2/3]"); setInterval(() => 0, 1000)',
    ]);
    let frame = await reader.next();
    assert.equal(frame.data.state, 'running');
    while (frame.data.current !== 2) frame = await reader.next();
    cli.child.kill('SIGTERM');
    const { code } = await cli.ended;
    assert.equal(code, 143);
    const [cancelled] = (await snapshotOf(url, 's')).operations;
    assert.deepEqual([cancelled.state, cancelled.reason, cancelled.current], ['cancelled', 'SIGTERM', 2]);
  });

  it('reports a crash as failed, not as cancelled', async (t) => {
    const { url } = await serve(t);
    const { code } = await sitrep(t, [
      'run',
      '--url',
      url,
      '--',
      process.execPath,
      '-e',
      'process.kill(process.pid, "SIGSEGV"); setInterval(() => 0, 1000)',
    ]);
    assert.equal(code, 139);
    assert.equal((await snapshotOf(url)).operations[0].state, 'failed');
  });

  it('runs no command with an argument that is not the one given, and takes every other', () => {
    const url = 'http://127.0.0.1:9';
    const wrapped = (argument: string) =>
      spawnSync('sh', ['-c', `"$0" "$1" run --url "$2" -- printf %s "$(printf '${argument}')"`, process.execPath, BIN, url]);
    const refused = wrapped('a\\377b');
    assert.equal(refused.status, 2);
    assert.match(String(refused.stderr), /An argument is not UTF-8/);
    assert.equal(refused.stdout.length, 0);
    for (const text of ['\uFFFD', 'ü 🦊']) {
      const taken = wrapped(text);
      assert.deepEqual([taken.status, String(taken.stdout)], [0, text]);
    }
  });

  it('begins the row of a named id afresh at each run', async (t) => {
    const { url } = await serve(t);
    const named = (script: string) => sitrep(t, ['run', '--url', url, '--id', 'build', '--', process.execPath, '-e', script]);
    await named('console.log("[1/2]\\n[2/2]")');
    assert.equal((await snapshotOf(url)).operations[0].current, 2);
    assert.equal((await named('console.log("broken"); process.exit(2)')).code, 2);
    const { operations } = await snapshotOf(url);
    assert.equal(operations.length, 1);
    assert.deepEqual([operations[0].state, operations[0].message, operations[0].current], ['failed', 'broken', undefined]);
  });

  it('reports a command that cannot be started, however the system says so', async (t) => {
    const { url } = await serve(t);
    for (const [command, expected] of [
      ['', 126],
      [`${process.execPath}/x`, 126],
      [tmpdir(), 126],
    ] as const) {
      const { code, stderr } = await sitrep(t, ['run', '--url', url, '--id', command || 'none', '--', command]);
      assert.equal(code, expected, stderr);
      assert.match(stderr, /^sitrep: .* could not be started: .*\n$/);
    }
    const { operations } = await snapshotOf(url);
    assert.deepEqual(
      operations.map(({ state }: { state: string }) => state),
      ['failed', 'failed', 'failed'],
    );
  });

  it('reports a command that does not exist', async (t) => {
    const { url } = await serve(t);
    const { code, stderr } = await sitrep(t, ['run', '--url', url, '--', 'no-such-command-here']);
    assert.equal(code, 127);
    assert.match(stderr, /no-such-command-here: command not found/);
    assert.equal((await snapshotOf(url)).operations[0].state, 'failed');
  });

  it('lets the command be when no gateway is there, with one line of warning', async (t) => {
    const begun = Date.now();
    const { code, stdout, stderr } = await sitrep(t, [
      'run',
      '--url',
      'http://127.0.0.1:9',
      '--',
      process.execPath,
      '-e',
      'console.log("done"); process.exit(5)',
    ]);
    assert.equal(code, 5);
    assert.equal(stdout, 'done\n');
    assert.match(stderr, /^sitrep: the gateway at http:\/\/127\.0\.0\.1:9 cannot be reached;.*\n$/);
    // Three seconds at most for the gateway; the rest is what a busy machine takes for two programs.
    assert.ok(Date.now() - begun < 20_000, 'the command was held up');
  });

  it('lets the command be when the gateway never answers', async (t) => {
    const { createServer } = await import('node:net');
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    t.after(() => silent.close());
    const { port } = silent.address() as { port: number };
    const begun = Date.now();
    const { code, stdout } = await sitrep(t, [
      'run',
      '--url',
      `http://127.0.0.1:${port}`,
      '--',
      process.execPath,
      '-e',
      'console.log("done")',
    ]);
    assert.deepEqual([code, stdout], [0, 'done\n']);
    assert.ok(Date.now() - begun < 20_000, 'the command was held up');
  });

  it('passes a flood of output on whole, whatever becomes of the reports', async (t) => {
    const { url } = await serve(t);
    const script = 'const line = "x".repeat(99) + "\\n"; for (let n = 0; n < 200000; n += 1) process.stdout.write(line)';
    const { code, stdout } = await sitrep(t, ['run', '--url', url, '--', process.execPath, '-e', script]);
    assert.equal(code, 0);
    assert.equal(stdout.length, 20_000_000);
    assert.equal((await snapshotOf(url)).operations[0].state, 'completed');
  });

  it('gives the command output that it can open by name, as scripts do', async (t) => {
    const { url } = await serve(t);
    const script = 'echo out > /dev/stdout; echo err > /dev/stderr; echo "[0/2]"; echo "[1/2]"';
    const { code, stdout, stderr } = await sitrep(t, ['run', '--url', url, '--', 'sh', '-c', script]);
    assert.deepEqual([code, stdout, stderr], [0, 'out\n[0/2]\n[1/2]\n', 'err\n']);
    assert.equal((await snapshotOf(url)).operations[0].current, 1);
  });

  it('ends when the reader of its output has gone', async (t) => {
    const { url } = await serve(t);
    // Not console.log: it may swallow the error that a command has to notice.
    const script = 'process.stdout.on("error", () => process.exit(9)); setInterval(() => process.stdout.write("more\\n"), 1)';
    const cli = new Cli(t, ['run', '--url', url, '--', process.execPath, '-e', script]);
    await cli.output(/more/);
    cli.child.stdout?.destroy();
    const { code } = await cli.ended;
    assert.equal(code, 9);
    assert.equal((await snapshotOf(url)).operations[0].state, 'failed');
  });

  it('gives the command the terminal itself when asked to', async (t) => {
    const { url } = await serve(t);
    const { code, stdout } = await sitrep(t, [
      'run',
      '--url',
      url,
      '--inherit',
      '--',
      process.execPath,
      '-e',
      'console.log("[1/2]\\n[2/2]")',
    ]);
    assert.deepEqual([code, stdout], [0, '[1/2]\n[2/2]\n']);
    const [unread] = (await snapshotOf(url)).operations;
    assert.deepEqual([unread.state, unread.message, unread.current], ['completed', undefined, undefined]);
  });

  it('hands standard input to the command', async (t) => {
    const { url } = await serve(t);
    const { stdout } = await sitrep(t, ['run', '--url', url, '--', process.execPath, '-e', 'process.stdin.pipe(process.stdout)'], {
      input: 'through',
    });
    assert.equal(stdout, 'through');
  });
});

describe('sitrep validate', () => {
  const good = [operation('x', { session: 's', at: 1 }), { type: 'card', session: 's', revision: 1, at: 2, card: { markdown: 'n' } }]
    .map((event) => JSON.stringify(event))
    .join('\n');

  it('is content with good lines, from a file or from standard input', async (t) => {
    const file = join(folder(t), 'events.ndjson');
    writeFileSync(file, `\uFEFF${good}\r\n\n`);
    for (const result of [await sitrep(t, ['validate', file]), await sitrep(t, ['validate', '-'], { input: good })]) {
      assert.deepEqual([result.code, result.stdout, result.stderr], [0, '2 events: 2 good, 0 bad\n', '']);
    }
  });

  it('explains each bad line by its number, field and rule, and ends with 1', async (t) => {
    const input = [
      good,
      '{"type":',
      '{"type":"operation","session":"s","id":"x","at":1,"state":"sleeping","current":"many"}',
      '{"type":"card","session":"s","revision":0,"at":1,"card":null}',
    ].join('\n');
    const { code, stdout } = await sitrep(t, ['validate', '-'], { input });
    assert.equal(code, 1);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^3: .*not JSON/);
    assert.ok(lines.some((line) => /^4:\/state: .*state/.test(line)));
    assert.ok(lines.some((line) => /^4:\/current: .*current/.test(line)));
    assert.ok(lines.some((line) => /^5:\/revision: .*revision/.test(line)));
    assert.equal(lines.at(-1), '5 events: 2 good, 3 bad');
  });

  it('takes line feeds only as the ends of lines, as JSON text may hold every other separator', async (t) => {
    const event = JSON.stringify(operation('x', { session: 's', at: 1, title: 'a\u2028b\u2029c' }));
    const { code, stdout } = await sitrep(t, ['validate', '-'], { input: `${event}\n${event}\r\n` });
    assert.deepEqual([code, stdout], [0, '2 events: 2 good, 0 bad\n']);
  });

  it('refuses a line that is too long without holding it, and reads on', async (t) => {
    const cli = new Cli(t, ['validate', '-'], { keepInput: true });
    const piece = Buffer.alloc(1_048_576, 'x');
    const { stdin } = cli.child;
    assert.ok(stdin);
    // More than any string may hold.
    for (let n = 0; n < 600; n += 1) if (!stdin.write(piece)) await once(stdin, 'drain');
    stdin.end(`\n${good}\n`);
    const { code, stdout, stderr } = await cli.ended;
    assert.deepEqual([code, stderr], [1, '']);
    assert.equal(stdout, '1: This line is longer than 1048576 bytes, which no gateway takes.\n3 events: 2 good, 1 bad\n');
  });

  it('lets no escape sequence out of a field name reach the terminal', async (t) => {
    const input = '{"type":"card","session":"s","at":1,"revision":1,"card":{"plan":[{"step":"a","status":"pending","\\u001b[2Jx":1}]}}\n';
    const { stdout } = await sitrep(t, ['validate', '-'], { input });
    assert.equal(stdout.includes('\u001b'), false);
  });

  it('stops without a word when the reader of its answer has gone', async (t) => {
    const cli = new Cli(t, ['validate', '-'], { keepInput: true });
    const { stdin, stdout } = cli.child;
    assert.ok(stdin && stdout);
    stdin.on('error', () => undefined);
    stdin.write('{\n');
    await cli.output(/not JSON/);
    stdout.destroy();
    const feeding = setInterval(() => stdin.write('{\n'), 5);
    t.after(() => clearInterval(feeding));
    const { code, signal, stderr } = await cli.ended;
    assert.deepEqual([code, signal, stderr], [1, null, '']);
  });

  it('says that it cannot read a file', async (t) => {
    const { code, stderr } = await sitrep(t, ['validate', '/no/such/file']);
    assert.equal(code, 1);
    assert.match(stderr, /^sitrep: Cannot read \/no\/such\/file: /);
  });
});

describe('sitrep tail', () => {
  it('waits for a gateway whose program stops, and goes on once there is one again', async (t) => {
    const { url, gateway } = await serve(t);
    await post(`${url}/v1/sessions/s/events`, [operation('x', { title: 'Building', state: 'running' })]);
    const cli = new Cli(t, ['tail', 's', '--url', url]);
    await cli.output(/Building/);
    await gateway.close();
    await cli.output(/The server is shutting down\. Trying again/, 'stderr');
    const next = createGateway({ store: createMemoryStore(), log: () => undefined });
    t.after(() => next.close());
    await next.publish('s', [operation('y', { title: 'Packing', state: 'running' })]);
    await next.listen({ port: Number(new URL(url).port) });
    await cli.output(/Packing/);
    await next.close({ reason: 'finished' });
    assert.equal((await cli.ended).code, 0);
  });

  it('shows what is there, then every change, until the gateway ends the stream', async (t) => {
    const { url, gateway } = await serve(t);
    await post(`${url}/v1/sessions/s/events`, [
      { type: 'session', title: 'My session' },
      operation('x', { title: 'Building', state: 'running', current: 42, total: 100, message: 'tsc\u001b[31m red' }),
    ]);
    await put(`${url}/v1/sessions/s/card`, {
      plan: [
        { step: 'a', status: 'completed' },
        { step: 'b', status: 'pending' },
      ],
    });
    const cli = new Cli(t, ['tail', 's', '--url', url]);
    await cli.output(/My session: 1 operation\n/);
    await cli.output(/Building 42\s?% – tsc red/);
    await cli.output(/card \(rev 1\)\n\s+1\/2 complete/);
    await post(`${url}/v1/sessions/s/events`, operation('x', { state: 'failed', error: { message: 'no disk' } }));
    await post(`${url}/v1/sessions/s/events`, operation('\u001b[2Jid'));
    await cli.output(/failed {6}Building 42 of 100 – no disk/);
    await gateway.close({ reason: 'finished' });
    const { code, stdout } = await cli.ended;
    assert.equal(code, 0);
    assert.match(stdout, /ended the stream \(finished\)\n$/);
    assert.equal(stdout.includes('\u001b'), false);
  });

  it('shows what a person is asked, what is waited for, and how far it came', async (t) => {
    const { url, gateway } = await serve(t);
    const cli = new Cli(t, ['tail', 's', '--url', url]);
    await cli.output(/s: 0 operations\n/);
    const named = { title: 'Deploy', unit: 'files', current: 3, total: 4 };
    await post(`${url}/v1/sessions/s/events`, [
      operation('x', { ...named, state: 'blocked', message: 'step 2', blockedOn: { kind: 'question', prompt: 'Which \u001b[31mbranch?' } }),
      operation('x', { state: 'waiting', waitingOn: { text: 'CI' } }),
      operation('x', { state: 'completed', current: 4 }),
    ]);
    await cli.output(/needs you {3}Deploy 3 of 4 files – Which branch\?\n/);
    await cli.output(/waiting {5}Deploy 75\s?% – CI\n/);
    await cli.output(/completed {3}Deploy 4 of 4 files – step 2\n/);
    await gateway.close({ reason: 'finished' });
    await cli.ended;
  });

  it('does not call running what has been silent for long', async (t) => {
    const { url, gateway } = await serve(t);
    await post(`${url}/v1/sessions/s/events`, [operation('x', { title: 'Silent', state: 'running', at: 1_600_000_000_000 })]);
    const cli = new Cli(t, ['tail', 's', '--url', url]);
    await cli.output(/stale {7}Silent\n/);
    await gateway.close({ reason: 'finished' });
    await cli.ended;
  });

  it('says once of what was running that nothing was heard of it for half a minute', async (t) => {
    const { url, gateway, clock } = await serve(t);
    await post(`${url}/v1/sessions/s/events`, [
      { type: 'run', run: 'turn', state: 'running' },
      operation('x', { title: 'Compile', state: 'running', run: 'turn' }),
      operation('y', { title: 'Ask', state: 'blocked' }),
    ]);
    const cli = new Cli(t, ['tail', 's', '--url', url]);
    await cli.output(/running {5}Compile\n/);
    clock.advance(45_000);
    await cli.output(/quiet {7}Compile\n.*run turn quiet\n/);
    await post(`${url}/v1/sessions/s/events`, operation('x', { run: 'turn', current: 1 }));
    await cli.output(/running {5}Compile.*1/);
    await gateway.close({ reason: 'finished' });
    const { stdout } = await cli.ended;
    assert.equal(stdout.match(/quiet/g)?.length, 2, stdout);
  });

  it('writes each frame as a line of JSON when asked to', async (t) => {
    const { url, gateway } = await serve(t);
    const cli = new Cli(t, ['tail', 's', '--url', url, '--json']);
    await cli.output(/"snapshot"/);
    await gateway.publish('s', [operation('x')]);
    await cli.output(/"operation"/);
    await gateway.close({ reason: 'finished' });
    const { stdout } = await cli.ended;
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type),
      ['snapshot', 'operation', 'end'],
    );
  });

  it('comes back when the gateway does, without repeating what it showed', async (t) => {
    const file = join(folder(t), 'a.db');
    const first = await startServe(t, ['--port', '0', '--store', file]);
    await post(`${first.url}/v1/sessions/s/events`, operation('x', { title: 'One', state: 'running' }));
    const cli = new Cli(t, ['tail', 's', '--url', first.url, '--json']);
    await cli.output(/"snapshot"/);
    first.cli.child.kill('SIGKILL');
    await first.cli.ended;
    await startServe(t, ['--port', new URL(first.url).port, '--store', file]);
    await post(`${first.url}/v1/sessions/s/events`, operation('x', { message: 'after' }));
    await cli.output(/"after"/);
    cli.child.kill('SIGINT');
    const { code, stdout } = await cli.ended;
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type)
        .filter((type) => type !== 'heartbeat'),
      ['snapshot', 'operation'],
    );
  });
});
