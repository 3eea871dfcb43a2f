import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { http, serve } from '../support.ts';
import { BIN } from '../cli-support.ts';
import { needTerminals, runIn, Terminal } from './terminal.ts';

const node = (script: string): string[] => [process.execPath, '-e', script];
const operationOf = async (url: string) => (await http(`${url}/v1/sessions/default`)).body.operations[0];

/** What a command can find out about its descriptors. */
const LOOK = `
  const { isatty } = require('node:tty');
  const ttys = [0, 1, 2].map((fd) => Number(isatty(fd))).join('');
  console.log(JSON.stringify({ ttys, size: process.stdout.getWindowSize?.(), depth: process.stdout.getColorDepth?.() ?? 1 }));
`;

describe('sitrep run in a terminal', () => {
  before(needTerminals);

  it('gives the command a terminal: all three descriptors, the size, the colours', async (t) => {
    const { url } = await serve(t);
    const bare = new Terminal(t, node(LOOK));
    const wrapped = runIn(t, url, node(LOOK));
    assert.deepEqual(
      [await bare.ended, await wrapped.ended],
      [
        { code: 0, restored: true },
        { code: 0, restored: true },
      ],
    );
    assert.equal(wrapped.shown, bare.shown);
    assert.deepEqual(JSON.parse(wrapped.shown), { ttys: '111', size: [80, 24], depth: 8 });
  });

  it('gives it just those descriptors that are the terminal', async (t) => {
    const { url } = await serve(t);
    const folder = mkdtempSync(join(tmpdir(), 'sitrep-tty-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const input = join(folder, 'in');
    writeFileSync(input, 'from a file\n');
    const script =
      'tty=""; for fd in 0 1 2; do if test -t $fd; then tty="$tty$fd"; fi; done; echo "out $tty"; echo "err $tty" >&2; head -1 >&2';
    for (const fds of ['012', '12', '02', '01', '1', '2', '0', '']) {
      const out = join(folder, 'out');
      const err = join(folder, 'err');
      const env = { SITREP_TEST_STDIN: input, SITREP_TEST_STDOUT: out, SITREP_TEST_STDERR: err };
      const wrapped = runIn(t, url, ['sh', '-c', script], { fds, env });
      if (fds.includes('0')) wrapped.type('typed\n');
      assert.deepEqual(await wrapped.ended, { code: 0, restored: true }, fds);
      const read = fds.includes('0') ? 'typed' : 'from a file';
      const [outText, errText] = [
        fds.includes('1') ? wrapped.shown : readFileSync(out, 'utf8'),
        fds.includes('2') ? wrapped.shown : readFileSync(err, 'utf8'),
      ];
      assert.match(outText, new RegExp(`out ${fds}\\r?\\n`), fds);
      assert.match(errText, new RegExp(`err ${fds}\\r?\\n`), fds);
      assert.match(errText, new RegExp(`${read}\\r?\\n`), fds);
    }
  });

  it('reads what is shown there', async (t) => {
    const { url } = await serve(t);
    const script =
      'process.stdout.write("building 10%\\rbuilding 42%\\r"); setTimeout(() => console.log("[2/10]\\n\\x1b[32m[3/10]\\x1b[0m linking"), 300)';
    const wrapped = runIn(t, url, node(script));
    await wrapped.ended;
    const { state, current, total, message } = await operationOf(url);
    assert.deepEqual([state, current, total, message], ['completed', 3, 10, '[3/10] linking']);
    assert.equal(wrapped.shown, 'building 10%\rbuilding 42%\r[2/10]\r\n\u001b[32m[3/10]\u001b[0m linking\r\n');
  });

  it('hands keys on one by one when the command asks for them raw, and echoes as it says', async (t) => {
    const { url } = await serve(t);
    const script = `
      process.stdin.setRawMode(true);
      process.stdin.on('data', (key) => { console.log('<' + key.toString('hex') + '>'); if (key[0] === 0x71) process.exit(7); });
      console.log('ready');
    `;
    const wrapped = runIn(t, url, node(script));
    await wrapped.shows(/ready/);
    wrapped.type('\u0003');
    await wrapped.shows(/<03>/);
    wrapped.type('\u001b[A');
    await wrapped.shows(/<1b5b41>/);
    wrapped.type('q');
    assert.deepEqual(await wrapped.ended, { code: 7, restored: true });
    assert.equal(wrapped.shown, 'ready\r\n<03>\r\n<1b5b41>\r\n<71>\r\n');
  });

  it('hands on what was typed before it had begun, the end of input among it', async (t) => {
    const { url } = await serve(t);
    const run = [process.execPath, BIN, 'run', '--url', url, '--', 'cat'];
    const wrapped = new Terminal(t, ['sh', '-c', 'echo ready; read go; exec "$@"', 'sh', ...run]);
    await wrapped.shows(/ready/);
    wrapped.type('go\none\n\u0004');
    assert.deepEqual(await wrapped.ended, { code: 0, restored: true });
    assert.match(wrapped.shown, /one\r\n$/);
    assert.equal(/\^@|\0/.test(wrapped.shown), false, JSON.stringify(wrapped.shown));
  });

  it('lets it ask on the terminal itself, even with its input elsewhere, and hides what is typed', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(
      t,
      url,
      ['sh', '-c', 'stty -echo < /dev/tty; printf "Password: " > /dev/tty; read word < /dev/tty; stty echo < /dev/tty; echo "got $word"'],
      { fds: '12' },
    );
    await wrapped.shows(/Password: /);
    wrapped.type('secret\n');
    assert.deepEqual(await wrapped.ended, { code: 0, restored: true });
    assert.equal(wrapped.shown, 'Password: got secret\r\n');
  });

  it('tells it of a new size', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(
      t,
      url,
      node(
        'process.stdout.on("resize", () => { console.log(`${process.stdout.columns} ${process.stdout.rows}`); process.exit(); }); console.log("ready"); setTimeout(() => {}, 100000)',
      ),
    );
    await wrapped.shows(/ready/);
    wrapped.resize(40, 132);
    await wrapped.shows(/132 40/);
    assert.equal((await wrapped.ended).code, 0);
  });

  it('lets Ctrl-C interrupt it once, and calls that cancelled', async (t) => {
    const { url } = await serve(t);
    const patient = runIn(
      t,
      url,
      node(
        'let n = 0; process.on("SIGINT", () => console.log(`interrupt ${++n}`)); process.on("SIGTERM", () => process.exit(4)); console.log("ready"); setInterval(() => {}, 1000)',
      ),
    );
    await patient.shows(/ready/);
    patient.type('\u0003');
    await patient.shows(/interrupt 1/);
    process.kill(patient.pid, 'SIGTERM');
    assert.deepEqual(await patient.ended, { code: 4, restored: true });
    assert.equal(/interrupt 2/.test(patient.shown), false);
    assert.deepEqual([(await operationOf(url)).state, (await operationOf(url)).reason], ['cancelled', 'SIGTERM']);

    const plain = runIn(t, url, ['sh', '-c', 'echo ready; sleep 20']);
    await plain.shows(/ready/);
    plain.type('\u0003');
    assert.deepEqual(await plain.ended, { code: 130, restored: true });
    const { state, reason } = await operationOf(url);
    assert.deepEqual([state, reason], ['cancelled', 'SIGINT']);
  });

  it('lets Ctrl-Z stop the whole job, gives the terminal back meanwhile, and goes on when resumed', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(t, url, ['sh', '-c', 'echo ready; read one; echo "one $one"; read two; echo "two $two"; exit 5']);
    await wrapped.shows(/ready/);
    for (const [n, word] of [
      [1, 'one'],
      [2, 'two'],
    ] as const) {
      wrapped.type('\u001a');
      await wrapped.stopped(n);
      wrapped.resume();
      wrapped.type('answer\n');
      await wrapped.shows(new RegExp(`${word} answer`));
    }
    assert.deepEqual(await wrapped.ended, { code: 5, restored: true });
  });

  it('takes large input while the command writes a lot, without either waiting for the other', async (t) => {
    const { url } = await serve(t);
    const script = `
      process.stdin.setRawMode(true);
      let read = 0;
      process.stdin.on('data', (part) => { read += part.length; process.stdout.write('y'.repeat(50 * part.length)); if (read >= 40000) { console.log('\\nread ' + read); process.exit(); } });
      console.log('ready');
    `;
    const wrapped = runIn(t, url, node(script));
    await wrapped.shows(/ready/);
    for (let n = 0; n < 40; n += 1) wrapped.type('x'.repeat(1000));
    await wrapped.shows(/read 40000/);
    assert.equal((await wrapped.ended).code, 0);
    assert.equal(wrapped.shown.replaceAll(/[^y]/g, '').length, 'ready'.match(/y/g)!.length + 2_000_000);
  });

  it('ends with it, whatever it leaves running', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(t, url, ['sh', '-c', 'sleep 300 & echo "started $!"']);
    assert.deepEqual(await wrapped.ended, { code: 0, restored: true });
    // It did not wait for five minutes. What was left may have ended with its terminal.
    const [, left] = /started (\d+)/.exec(wrapped.shown) ?? [];
    assert.ok(left, wrapped.shown);
    try {
      process.kill(Number(left), 'SIGKILL');
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
    }
  });

  it('says that there is no such command, with the terminal as it was', async (t) => {
    const { url } = await serve(t);
    const missing = runIn(t, url, ['no-such-command-here']);
    assert.deepEqual(await missing.ended, { code: 127, restored: true });
    assert.equal(missing.shown, 'sitrep: no-such-command-here: command not found\r\n');
    const folder = runIn(t, url, [tmpdir()]);
    assert.deepEqual(await folder.ended, { code: 126, restored: true });
  });

  it('passes a flood through whole', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(t, url, ['sh', '-c', 'yes 0123456789 | head -n 300000; echo end; exit 3']);
    assert.deepEqual(await wrapped.ended, { code: 3, restored: true });
    assert.equal(wrapped.shown.length, 300_000 * 12 + 'end\r\n'.length);
  });

  it('hands the terminal itself over where it cannot make another, and reads nothing then', async (t) => {
    const { url } = await serve(t);
    const folder = mkdtempSync(join(tmpdir(), 'sitrep-tty-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'perl'), '#!/bin/sh\necho "unsupported here" >&4\n', { mode: 0o755 });
    const wrapped = runIn(t, url, node(`${LOOK}; console.log('[1/2]\\n[2/2]')`), { env: { SITREP_PERL: join(folder, 'perl') } });
    assert.equal((await wrapped.ended).code, 0);
    assert.match(wrapped.shown, /"ttys":"111"/);
    const { state, current } = await operationOf(url);
    assert.deepEqual([state, current], ['completed', undefined]);
  });

  it('ends the command when the window is closed', async (t) => {
    const { url } = await serve(t);
    const wrapped = runIn(
      t,
      url,
      node('process.stdout.on("error", () => {}); setInterval(() => {}, 1000); console.log(`pid ${process.pid}`)'),
    );
    const [, pid] = await wrapped.shows(/pid (\d+)/);
    wrapped.hangUp();
    await gone(t, Number(pid));
  });
});

/** Waits until there is no such process. */
async function gone(t: TestContext, pid: number): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises');
  const signal = AbortSignal.timeout(100_000);
  t.diagnostic(`waiting for ${pid}`);
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await wait(20, undefined, { signal });
  }
}
