import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { Cli, startServe } from './cli-support.ts';
import { http, operation, post, put, stream } from './support.ts';

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-faults-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A disk of its own, of so many bytes; undefined where this process may not make one. */
function smallDisk(t: TestContext, bytes: number): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory]);
  t.after(() => {
    if (status === 0) spawnSync('umount', ['-l', directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  return status === 0 ? directory : undefined;
}

/** Takes all the room there is on a disk; answers how to give it back. */
function fill(directory: string): () => void {
  const ballast = join(directory, 'ballast');
  const file = openSync(ballast, 'w');
  for (let size = 65_536; size >= 1;) {
    try {
      if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2);
    } catch {
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
  return () => rmSync(ballast, { force: true });
}

const serveFile = (t: TestContext, file: string) => startServe(t, ['--port', '0', '--store', file]);
const damaged = (directory: string): string[] => readdirSync(directory).filter((name) => /\.damaged-[\dTZ-]+$/.test(name));
const big = (id: string) => operation(id, { state: 'running', message: 'm'.repeat(400), ext: { 'test.pad': 'p'.repeat(12_000) } });

/** Writes sessions until the file is larger than what SQLite holds in memory of it. */
async function grow(url: string, sessions = 120): Promise<void> {
  for (let n = 0; n < sessions; n += 1) await post(`${url}/v1/sessions/s${n}/events`, [big('a'), big('b')]);
}

describe('a full disk', () => {
  it(
    'refuses writes and loses none, goes on reading, lets what frees room be done, and is written to again',
    { timeout: 240_000 },
    async (t) => {
      const directory = smallDisk(t, 12_582_912);
      if (directory === undefined) {
        t.diagnostic('this process may not mount a small disk');
        return;
      }
      const file = join(directory, 'a.db');
      let { cli, url } = await serveFile(t, file);
      await put(`${url}/v1/sessions/s0/card`, { markdown: 'kept' });
      const acknowledged: number[] = [];
      const free = fill(directory);
      let refused;
      for (let n = 0; n < 400 && !refused; n += 1) {
        const answer = await post(`${url}/v1/sessions/s${n % 40}/events`, [big(`o${n}`)]);
        if (answer.status === 200) acknowledged.push(n);
        else refused = answer;
      }
      assert.ok(refused, 'the disk never became full');
      assert.deepEqual([refused.status, refused.body.error.code], [507, 'store_full']);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      await cli.output(/The disk is full/, 'stderr');

      const check = async (): Promise<void> => {
        const seen = new Set<string>();
        for (let n = 0; n < 40; n += 1) {
          const { status, body } = await http(`${url}/v1/sessions/s${n}`);
          assert.equal(status, 200, 'reading goes on');
          for (const { id } of body.operations) seen.add(id);
        }
        for (const n of acknowledged) assert.ok(seen.has(`o${n}`), `o${n} was acknowledged`);
        assert.deepEqual((await http(`${url}/v1/sessions/s0`)).body.card, { markdown: 'kept' });
      };
      await check();
      assert.equal((await http(`${url}/healthz`)).body.storeState, 'full');
      assert.match((await http(`${url}/metrics`)).text, /sitrep_store_state\{state="full"\} 1/);
      assert.equal((await post(`${url}/v1/sessions/s1/events`, [big('no')])).status, 507, 'it stays refused while there is no room');

      cli.child.kill('SIGKILL');
      await cli.ended;
      ({ cli, url } = await serveFile(t, file));
      await check();

      // What frees room can be done on a disk that has none.
      const gone = new Set(acknowledged.filter((n) => n % 40 >= 20).map((n) => `o${n}`));
      for (let n = 20; n < 40; n += 1) assert.equal((await post(`${url}/v1/sessions/s${n}/reset`, '')).status, 200);
      for (const n of acknowledged.splice(0)) if (!gone.has(`o${n}`)) acknowledged.push(n);
      await check();

      free();
      const deadline = Date.now() + 60_000;
      for (;;) {
        const { status } = await post(`${url}/v1/sessions/s1/events`, [big('again')]);
        if (status === 200) break;
        assert.ok(status === 507 && Date.now() < deadline, `${status}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await check();
      assert.equal((await http(`${url}/healthz`)).body.storeState, undefined);
      cli.child.kill('SIGKILL');
      await cli.ended;
      ({ cli, url } = await serveFile(t, file));
      await check();
      assert.ok((await http(`${url}/v1/sessions/s1`)).body.operations.some(({ id }: { id: string }) => id === 'again'));
    },
  );
});

describe('a file that may not be written to', () => {
  it('on a read-only disk is refused at the start, in words, and served again when it may be', { timeout: 240_000 }, async (t) => {
    const directory = smallDisk(t, 16_777_216);
    if (directory === undefined) return t.diagnostic('this process may not mount a disk');
    const file = join(directory, 'a.db');
    const { cli, url } = await serveFile(t, file);
    await post(`${url}/v1/sessions/s/events`, operation('a', { state: 'running' }));
    cli.child.kill('SIGKILL');
    await cli.ended;
    execFileSync('mount', ['-o', 'remount,ro', directory]);
    const refused = new Cli(t, ['serve', '--port', '0', '--store', file]);
    const { code, stderr } = await refused.ended;
    assert.equal(code, 1);
    assert.match(stderr, /read-only|cannot be opened/);
    assert.match(stderr, /a file this process may write to/);
    execFileSync('mount', ['-o', 'remount,rw', directory]);
    const again = await serveFile(t, file);
    assert.equal((await http(`${again.url}/v1/sessions/s`)).body.operations.length, 1);
  });

  it('of another user is refused at the start, in words', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    const first = await serveFile(t, file);
    await post(`${first.url}/v1/sessions/s/events`, operation('a'));
    first.cli.child.kill('SIGTERM');
    await first.cli.ended;
    execFileSync('chmod', ['444', file]);
    execFileSync('chmod', ['555', directory]);
    // Who may do everything is nobody to try this with.
    const before = readFileSync(file);
    const root = process.getuid?.() === 0;
    const cli = new Cli(t, ['serve', '--port', '0', '--store', file], root ? { uid: 65_534, gid: 65_534, cwd: '/' } : {});
    const { code, stderr } = await cli.ended;
    execFileSync('chmod', ['755', directory]);
    assert.equal(code, 1);
    assert.match(stderr, /a file this process may write to|cannot be|EACCES/);
    assert.deepEqual(readFileSync(file), before);
  });
});

describe('a damaged file', () => {
  const damages: Record<string, (file: string) => void> = {
    'whose beginning is garbage': (file) => overwrite(file, 0, Buffer.alloc(4096, 'garbage ')),
    'with a torn page in the middle': (file) => overwrite(file, 4096 * 20, Buffer.alloc(4096, 0xff)),
    'that is cut short': (file) => truncateSync(file, Math.floor(statSync(file).size / 2) + 100),
    'that is empty but for a few bytes': (file) => writeFileSync(file, 'no'),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`${what} is moved aside at the start, and a fresh one served`, async (t) => {
      const directory = folder(t);
      const file = join(directory, 'a.db');
      const first = await serveFile(t, file);
      await grow(first.url, 20);
      const epoch = (await http(`${first.url}/v1/sessions/s1`)).body.epoch;
      first.cli.child.kill('SIGTERM');
      await first.cli.ended;
      damage(file);
      const bytes = readFileSync(file);
      const { cli, url } = await serveFile(t, file);
      await cli.output(/is damaged \(.*It was moved to .*a\.db\.damaged-.*; a fresh store begins/, 'stderr');
      assert.equal(damaged(directory).length, 1);
      assert.deepEqual(readFileSync(join(directory, damaged(directory)[0] as string)), bytes, 'nothing of it was changed');
      assert.equal((await http(`${url}/healthz`)).body.quarantined, 1);
      assert.match((await http(`${url}/metrics`)).text, /sitrep_store_quarantined_total 1/);
      const { body } = await post(`${url}/v1/sessions/s1/events`, operation('new'));
      assert.notEqual(body.cursor.split(':')[0], epoch);
    });
  }

  it('whose log of writes is garbage keeps what was before the log, and whatever of it was whole', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    const first = await serveFile(t, file);
    await post(`${first.url}/v1/sessions/s/events`, operation('before', { state: 'running' }));
    first.cli.child.kill('SIGTERM');
    await first.cli.ended;
    const second = await serveFile(t, file);
    await post(`${second.url}/v1/sessions/s/events`, operation('after', { state: 'running' }));
    second.cli.child.kill('SIGKILL');
    await second.cli.ended;
    assert.ok(statSync(`${file}-wal`).size > 0);
    overwrite(`${file}-wal`, 0, Buffer.alloc(statSync(`${file}-wal`).size, 'x'));
    const { url } = await serveFile(t, file);
    const { operations } = (await http(`${url}/v1/sessions/s`)).body;
    assert.deepEqual(
      operations.map(({ id }: { id: string }) => id),
      ['before'],
    );
    assert.equal((await post(`${url}/v1/sessions/s/events`, operation('on'))).status, 200);
  });

  it('that is met while it is served is moved aside, and every reader given a new beginning', { timeout: 240_000 }, async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    const { cli, url } = await startServe(t, ['--port', '0', '--store', file, '--limit', 'idleSessions=2']);
    await grow(url);
    const reader = stream(t, `${url}/v1/sessions/s5/stream`);
    const before = (await reader.next()).data;
    assert.equal(before.operations.length, 2);
    overwrite(file, 4096, Buffer.alloc(statSync(file).size - 4096, 0xff));
    let status = 200;
    for (let n = 0; n < 120 && status === 200; n += 1) ({ status } = await http(`${url}/v1/sessions/s${n}`));
    assert.equal(status, 503, 'whoever met it is told');
    const resync = await reader.next();
    assert.deepEqual([resync.event, resync.data.reason], ['resync', 'epoch']);
    const snapshot = (await reader.next()).data;
    assert.notEqual(snapshot.epoch, before.epoch);
    assert.deepEqual([snapshot.seq, snapshot.operations], [0, []]);
    assert.equal(damaged(directory).length, 1);
    await cli.output(/is damaged .* a fresh store begins/, 'stderr');
    assert.equal((await http(`${url}/healthz`)).body.quarantined, 1);
    await post(`${url}/v1/sessions/s5/events`, operation('new', { state: 'running' }));
    const next = await reader.next();
    assert.deepEqual([next.event, next.id], ['operation', `${snapshot.epoch}:1`]);
    cli.child.kill('SIGKILL');
    await cli.ended;
    const again = await serveFile(t, file);
    assert.equal((await http(`${again.url}/v1/sessions/s5`)).body.operations.length, 1);
  });
});

describe('the schema of a store file', () => {
  const fixture = new URL('fixtures/store-schema-1.db', import.meta.url);

  it('of the first version is brought up to date, with everything in it', async (t) => {
    const file = join(folder(t), 'a.db');
    copyFileSync(fixture, file);
    const { cli, url } = await serveFile(t, file);
    const { body } = await http(`${url}/v1/sessions/build`);
    assert.deepEqual([body.seq, body.title, body.usage], [9, 'Build 7', { tokens: 1200, label: '1.2k' }]);
    assert.deepEqual([body.revision, body.card.markdown, body.cardRun, body.card.plan.length], [1, '# hi', 'r1', 2]);
    assert.deepEqual(
      body.operations.map(({ id, current, state }: Record<string, unknown>) => [id, current, state]),
      [
        ['compile', 5, 'running'],
        [7, undefined, 'running'],
        ['half \ud800', undefined, 'completed'],
      ],
    );
    assert.equal((await post(`${url}/v1/sessions/build/events`, operation('gone', { message: 'late' }))).body.results[0].outcome, 'late');
    const cleared = await http(`${url}/v1/sessions/cleared`);
    assert.deepEqual([cleared.body.revision, cleared.body.card], [2, null]);
    const keyed = () => put(`${url}/v1/sessions/cleared/card`, { markdown: 'x' }, { 'idempotency-key': 'k' });
    assert.equal((await keyed()).body.revision, 3);
    assert.equal((await keyed()).headers['idempotency-replayed'], 'true', 'what came with later versions works');
    cli.child.kill('SIGTERM');
    await cli.ended;
    assert.equal((await http(`${(await serveFile(t, file)).url}/v1/sessions/cleared`)).body.revision, 3);
  });

  it('is whole whenever the process that brings it up to date is killed', { timeout: 240_000 }, async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    for (let round = 0; round < 6; round += 1) {
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      copyFileSync(fixture, file);
      const cli = new Cli(t, ['serve', '--port', '0', '--store', file]);
      // At another moment each time, most of them while the file is opened: its log of writes shows that it began.
      const deadline = Date.now() + 30_000;
      while (!existsSync(`${file}-wal`) && cli.child.exitCode === null && Date.now() < deadline)
        await new Promise((resolve) => setImmediate(resolve));
      for (let n = 0; n < round * 80; n += 1) await new Promise((resolve) => setImmediate(resolve));
      cli.child.kill('SIGKILL');
      await cli.ended;
      const { url, cli: after } = await serveFile(t, file);
      assert.doesNotMatch(after.stderr, /damaged/);
      const { body } = await http(`${url}/v1/sessions/build`);
      assert.deepEqual([body.seq, body.operations.length, body.revision], [9, 3, 1], `round ${round}`);
      assert.equal((await put(`${url}/v1/sessions/cleared/card`, { markdown: 'x' }, { 'idempotency-key': 'k' })).body.revision, 3);
      after.child.kill('SIGKILL');
      await after.ended;
    }
  });

  it('of a newer version is refused in words, and the file left as it is', async (t) => {
    const file = join(folder(t), 'a.db');
    copyFileSync(fixture, file);
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 4000');
    db.close();
    const before = readFileSync(file);
    const { code, stderr } = await new Cli(t, ['serve', '--port', '0', '--store', file]).ended;
    assert.equal(code, 1);
    assert.match(stderr, /was written by a newer version \(schema 4000, this one knows \d+\)\. Use the newer version or another file/);
    assert.deepEqual(readFileSync(file), before);
  });
});

describe('two gateways on one file', () => {
  it('are one too many: the second says so and ends, the first goes on', async (t) => {
    const file = join(folder(t), 'a.db');
    const { url } = await serveFile(t, file);
    const { code, stderr } = await new Cli(t, ['serve', '--port', '0', '--store', file]).ended;
    assert.equal(code, 1);
    assert.match(stderr, /in use by another process\. One gateway owns a store file/);
    assert.equal((await post(`${url}/v1/sessions/s/events`, operation('a'))).status, 200);
  });
});

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, offset);
  closeSync(handle);
}
