import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { http, serve } from '../support.ts';

const BIN = fileURLToPath(new URL('../../bin/sitrep.js', import.meta.url));

/** Starts `sitrep run` with these descriptors; what it leaves is ended after the test. */
function start(t: TestContext, url: string, command: readonly string[], stdio: StdioOptions = ['pipe', 'pipe', 'pipe']): ChildProcess {
  const child = spawn(process.execPath, [BIN, 'run', '--url', url, '--id', 'x', '--', ...command], {
    stdio,
    detached: true,
    env: { ...process.env, SITREP_SESSION: '' },
  });
  t.after(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  });
  return child;
}

const node = (script: string): string[] => [process.execPath, '-e', script];
const codeOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('close', resolve));

async function bytesOf(stream: NodeJS.ReadableStream | null): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream ?? []) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'sitrep-pipes-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('sitrep run without a terminal', () => {
  it('gives the command none', async (t) => {
    const { url } = await serve(t);
    const child = start(t, url, node('console.log([0, 1, 2].map((fd) => require("node:tty").isatty(fd)).join())'), [
      'ignore',
      'pipe',
      'pipe',
    ]);
    assert.equal(String(await bytesOf(child.stdout)), 'false,false,false\n');
  });

  it('passes every byte on, whatever the bytes are and however they come, in both directions', async (t) => {
    const { url } = await serve(t);
    for (const bytes of [
      randomBytes(3_000_000),
      Buffer.from('no newline at the end: 🦊'),
      Buffer.alloc(5_000_000, 'one line '),
      Buffer.from('\u0000\r\n\n\r\u001b[31m\u001b]9;4;1;50\u0007\uFEFF'),
      Buffer.alloc(0),
    ]) {
      const child = start(t, url, ['cat']);
      const out = bytesOf(child.stdout);
      child.stdin?.end(bytes);
      assert.equal(Buffer.compare(await out, bytes), 0);
      assert.equal(await codeOf(child), 0);
    }
    // A character that comes a byte at a time.
    const child = start(
      t,
      url,
      node(
        'const b = Buffer.from("ü🦊\\n"); (function next(n) { if (n < b.length) { process.stdout.write(b.subarray(n, n + 1)); setTimeout(next, 5, n + 1); } })(0)',
      ),
    );
    assert.equal(String(await bytesOf(child.stdout)), 'ü🦊\n');
    assert.equal((await http(`${url}/v1/sessions/default`)).body.operations[0].message, 'ü🦊');
  });

  it('keeps the order of output and errors that go to one place', async (t) => {
    const { url } = await serve(t);
    const file = join(folder(t), 'both');
    const fd = openSync(file, 'w');
    const script = 'n=0; while [ $n -lt 300 ]; do echo "out $n"; echo "err $n" >&2; n=$((n+1)); done';
    const child = start(t, url, ['sh', '-c', script], ['ignore', fd, fd]);
    closeSync(fd);
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(
      readFileSync(file, 'utf8').trimEnd().split('\n'),
      Array.from({ length: 300 }, (_, n) => [`out ${n}`, `err ${n}`]).flat(),
    );
  });

  it('keeps output and errors apart where they go to two', async (t) => {
    const { url } = await serve(t);
    const child = start(t, url, ['sh', '-c', 'echo out; echo err >&2']);
    const [out, err] = await Promise.all([bytesOf(child.stdout), bytesOf(child.stderr)]);
    assert.deepEqual([String(out), String(err)], ['out\n', 'err\n']);
  });

  it('slows the command down to the pace of its reader, and holds little meanwhile', async (t) => {
    const { url } = await serve(t);
    const progress = join(folder(t), 'written');
    const script = `const fs = require('node:fs'); const b = Buffer.alloc(65536, 'x'); for (let n = 1; n <= 1600; n++) { fs.writeSync(1, b); fs.writeFileSync(${JSON.stringify(progress)}, String(n)); }`;
    const child = start(t, url, node(script), ['ignore', 'pipe', 'inherit']);
    // Nobody reads: it comes to rest, and far from its end.
    let [written, same] = [0, 0];
    while (same < 6) {
      await wait(50);
      let now = 0;
      try {
        now = Number(readFileSync(progress, 'utf8'));
      } catch {
        continue;
      }
      same = now === written && now > 0 ? same + 1 : 0;
      written = now;
    }
    assert.ok(written < 100, `${written} blocks were taken with nobody reading`);
    const hash = createHash('sha256')
      .update(Buffer.alloc(1600 * 65_536, 'x'))
      .digest('hex');
    assert.equal(
      createHash('sha256')
        .update(await bytesOf(child.stdout))
        .digest('hex'),
      hash,
    );
  });

  it('hands signals on while nobody reads', async (t) => {
    const { url } = await serve(t);
    const child = start(t, url, ['sh', '-c', 'yes 2>/dev/null'], ['ignore', 'pipe', 'ignore']);
    await new Promise((resolve) => child.stdout?.once('readable', resolve));
    const code = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    assert.equal(await code, 143);
  });

  it('ends like the command alone when its reader has had enough', async (t) => {
    const { url } = await serve(t);
    const line = [process.execPath, BIN, 'run', '--url', url, '--', 'yes'].map((word) => `'${word}'`).join(' ');
    const shell = spawn('sh', ['-c', `${line} | head -n 1`], { stdio: ['ignore', 'pipe', 'inherit'] });
    assert.equal(String(await bytesOf(shell.stdout)), 'y\n');
  });

  it('hands on the signals by which programs are told things', async (t) => {
    const { url } = await serve(t);
    for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP', 'SIGQUIT', 'SIGINT'] as const) {
      const script = `process.on('${signal}', () => { console.log('got it'); process.exit(9); }); console.log('ready'); setInterval(() => {}, 1000)`;
      const child = start(t, url, node(script), ['ignore', 'pipe', 'pipe']);
      const code = codeOf(child);
      let text = '';
      for await (const part of child.stdout ?? []) {
        text += String(part);
        if (text === 'ready\n') child.kill(signal);
      }
      assert.deepEqual([text, await code], ['ready\ngot it\n', 9], signal);
    }
  });
});

describe('sitrep run of a command that is over at once', () => {
  it('loses nothing of it and ends with its code, with named pipes and without', async (t) => {
    const { url } = await serve(t);
    const empty = folder(t);
    for (const env of [process.env, { ...process.env, PATH: empty }]) {
      for (const [script, code, text] of [
        ['exit 3', 3, ''],
        ['echo out', 0, 'out\n'],
        ['echo out; exit 4', 4, 'out\n'],
      ] as const) {
        const child = spawn(process.execPath, [BIN, 'run', '--url', url, '--', '/bin/sh', '-c', script], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...env, SITREP_SESSION: '' },
        });
        const ended = codeOf(child);
        const [out, err] = await Promise.all([bytesOf(child.stdout), bytesOf(child.stderr)]);
        assert.deepEqual([String(out), String(err), await ended], [text, '', code], script);
      }
    }
  });
});
