import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { createGateway, createToken, readKeys } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Store } from '@sitrep/server/store';
import { sitrep, startServe } from './cli-support.ts';
import { http, operation, post, put, serve } from './support.ts';

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-transfer-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Everything a store holds of its sessions, to compare. */
async function contents(store: Store): Promise<unknown> {
  const all = [];
  for (const summary of await store.list({ limit: 1_000 })) {
    const stored = await store.load(summary.session);
    const events = await store.eventsAfter(summary.session, 0);
    let kept = events;
    for (let seq = 1; kept === undefined; seq += 1) kept = await store.eventsAfter(summary.session, seq);
    all.push({ summary, stored, kept });
  }
  return all;
}

async function contentsOf(file: string): Promise<unknown> {
  const store = createSqliteStore(file, { repair: false });
  try {
    return await contents(store);
  } finally {
    await store.close();
  }
}

/** Fills a file by a gateway that keeps little, so that the histories have lost their beginnings. */
async function filled(file: string): Promise<void> {
  const gateway = createGateway({ store: createSqliteStore(file, { events: 20 }), log: () => undefined });
  for (let n = 0; n < 5; n += 1) {
    const session = ['plain', '__proto__', 'with "quotes" and\u2028', 'ünï 🦊', 'reset'][n] as string;
    await gateway.publish(session, [
      { type: 'session', title: `Title ${n}`, usage: { tokens: n } },
      { type: 'run', run: 'r', state: 'running' },
      ...Array.from({ length: 15 }, (_, m) =>
        operation(m % 2 ? m : `o${m}`, { state: 'running', run: 'r', ext: { 'a.b': [n, { 1: 'x', c: null }] } }),
      ),
      operation('half \ud800', { state: 'failed', error: { message: 'no' } }),
      { type: 'operation.clear', id: 'half \ud800' },
    ]);
    await gateway.putCard(session, { plan: [{ step: 'a', status: 'in_progress' }], markdown: '# hi' }, 'r');
    if (n % 2) await gateway.putCard(session, {});
  }
  await gateway.reset('reset');
  await gateway.close();
}

const exported = async (t: TestContext, args: readonly string[], output: string) => {
  const { code, stderr } = await sitrep(t, ['export', ...args, '--output', output]);
  assert.equal(code, 0, stderr);
  return readFileSync(output, 'utf8');
};

describe('sitrep export and import', () => {
  it('bring a whole store over as it was: epochs, revisions, what was cleared, and the history that is left', async (t) => {
    const directory = folder(t);
    const [from, to, lines] = [join(directory, 'from.db'), join(directory, 'to.db'), join(directory, 'all.ndjson')];
    await filled(from);
    await exported(t, ['--store', from], lines);
    assert.equal(statSync(lines).mode & 0o077, 0, 'nobody else may read it');
    const first = await sitrep(t, ['import', lines, '--store', to]);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /^5 sessions taken, 0 there already, 0 not taken/);
    assert.deepEqual(await contentsOf(to), await contentsOf(from));
    assert.equal(statSync(to).mode & 0o077, 0, 'nor what is made of it');
    const hash = createHash('sha256')
      .update(JSON.stringify(await contentsOf(to)))
      .digest('hex');
    const again = await sitrep(t, ['import', lines, '--store', to]);
    assert.match(again.stdout, /^0 sessions taken, 5 there already, 0 not taken/);
    assert.equal(
      createHash('sha256')
        .update(JSON.stringify(await contentsOf(to)))
        .digest('hex'),
      hash,
      'a second time nothing changes',
    );
    const back = await exported(t, ['--store', to], join(directory, 'again.ndjson'));
    const body = (text: string) => text.split('\n').slice(1);
    assert.deepEqual(body(back), body(readFileSync(lines, 'utf8')));
  });

  it('take from a gateway that runs what it keeps, whole or by session, and a reader goes on at the next with its cursor', async (t) => {
    const directory = folder(t);
    const { cli, url } = await startServe(t, ['--port', '0', '--store', join(directory, 'a.db')]);
    await post(`${url}/v1/sessions/a/events`, [operation('x', { state: 'running' }), operation('x', { current: 1 })]);
    const { body } = await post(`${url}/v1/sessions/b c/events`.replace(' ', '%20'), operation('y', { state: 'running' }));
    const busy = await sitrep(t, ['export', '--store', join(directory, 'a.db')]);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /in use by another process/);
    const one = await exported(t, ['--url', url, '--session', 'b c'], join(directory, 'one.ndjson'));
    assert.deepEqual(
      one
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
      ['export', 'session', 'operation', 'event', 'session.end', 'export.end'],
    );
    const piped = await sitrep(t, ['export', '--url', url]);
    writeFileSync(join(directory, 'all.ndjson'), piped.stdout);
    const missing = await sitrep(t, ['export', '--url', url, '--session', 'none']);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /There is no session "none"/);
    cli.child.kill('SIGKILL');
    await cli.ended;
    const moved = join(directory, 'moved.db');
    assert.equal((await sitrep(t, ['import', join(directory, 'all.ndjson'), '--store', moved])).code, 0);
    const next = await startServe(t, ['--port', '0', '--store', moved]);
    await post(`${next.url}/v1/sessions/b%20c/events`, operation('y', { current: 2 }));
    const snapshot = (await http(`${next.url}/v1/sessions/b%20c`)).body;
    assert.equal(`${snapshot.epoch}:${snapshot.seq}`, body.cursor.replace(':1', ':2'));
  });

  it('refuse a session that is there with another history, unless it is to be replaced', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    await filled(file);
    const text = await exported(t, ['--store', file], join(directory, 'old.ndjson'));
    const gateway = createGateway({ store: createSqliteStore(file), log: () => undefined });
    await gateway.publish('plain', [operation('later', { state: 'running' })]);
    await gateway.close();
    const refused = await sitrep(t, ['import', '-', '--store', file], { input: text });
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^0 sessions taken, 4 there already, 1 not taken/);
    assert.match(refused.stderr, /^\d+: The session "plain" is there already, with another history\. --replace/m);
    const before = (await contentsOf(file)) as { stored: { session: string; epoch: string; operations: unknown[] } }[];
    const replaced = await sitrep(t, ['import', '-', '--store', file, '--replace'], { input: text });
    assert.match(replaced.stdout, /^1 session taken, 4 there already, 0 not taken/);
    const after = (await contentsOf(file)) as typeof before;
    const plain = (all: typeof before) => all.find(({ stored }) => stored.session === 'plain')?.stored;
    assert.equal(plain(after)?.operations.length, (plain(before)?.operations.length ?? 0) - 1);
    assert.notEqual(plain(after)?.epoch, plain(before)?.epoch, 'readers may have seen more of that history');
    const anew = await sitrep(t, ['import', '-', '--store', join(directory, 'new.db'), '--new-epochs'], { input: text });
    assert.equal(anew.code, 0);
    const epochs = ((await contentsOf(join(directory, 'new.db'))) as typeof before).map(({ stored }) => stored.epoch);
    assert.equal(new Set([...epochs, ...before.map(({ stored }) => stored.epoch)]).size, 10);
  });

  it('name bad lines by their numbers, and take the sessions they do not belong to', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    await filled(file);
    const lines = (await exported(t, ['--store', file], join(directory, 'all.ndjson'))).trim().split('\n');
    const at = (test: (line: string) => boolean): number => lines.findIndex(test);
    const second = lines.findIndex((line, n) => n > 1 && line.startsWith('{"type":"session"'));
    const damages: [(all: string[]) => void, RegExp][] = [
      [(all) => void (all[3] = '{ no json'), /^4: This line is not JSON/m],
      [(all) => void (all[3] = '{"type":"operation","position":-1,"record":{}}'), /^4: position must be/m],
      [(all) => void (all[3] = '{"type":"else"}'), /^4: This line is none of an export/m],
      [(all) => void all.splice(3, 1), /: The session has \d+ lines here, and \d+ in the export/m],
      [(all) => void (all[1] = (all[1] as string).replace(/"epoch":"[^"]*"/, '"epoch":"a b"')), /^2: epoch is none of a gateway/m],
      [(all) => void (all[1] = (all[1] as string).replace(/"seq":\d+/, '"seq":1e400')), /^2: seq must be a whole number/m],
      [(all) => void (all[1] = (all[1] as string).replace(/"runs":\[/, '"runs":[7,')), /^2: \/runs/m],
      [(all) => void all.splice(second - 1, 1), /: This session has no end/m],
    ];
    for (const [damage, fault] of damages) {
      const all = [...lines];
      damage(all);
      const to = join(directory, 'to.db');
      for (const suffix of ['', '-wal', '-shm', '-reserve']) rmSync(to + suffix, { force: true });
      const { code, stdout, stderr } = await sitrep(t, ['import', '-', '--store', to], { input: all.join('\n') });
      assert.match(stderr, fault);
      assert.deepEqual([code, stdout.split(',')[0], stdout.split(',')[2]?.slice(0, 12)], [1, '4 sessions taken', ' 1 not taken'], stderr);
    }
    assert.ok(at((line) => line.startsWith('{"type":"tombstone"')) > 0, 'what was cleared is in it');
    const cut = await sitrep(t, ['import', '-', '--store', join(directory, 'cut.db')], { input: lines.slice(0, second + 2).join('\n') });
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /ends in the middle/);
    assert.match(cut.stdout, /^1 session taken, 0 there already, 1 not taken/);
    for (const input of ['', '{"type":"operation","id":"x"}', 'text', '{"type":"export","version":2}']) {
      const { code, stderr } = await sitrep(t, ['import', '-', '--store', join(directory, 'none.db')], { input });
      assert.equal(code, 1);
      assert.match(stderr, /not that of an export|version 2; this program reads version 1/);
    }
  });

  it('leave a file that is missing or damaged as it is', async (t) => {
    const file = join(folder(t), 'a.db');
    const none = await sitrep(t, ['export', '--store', file]);
    assert.deepEqual([none.code, none.stdout, existsSync(file)], [1, '', false]);
    assert.match(none.stderr, /There is no store file/);
    writeFileSync(file, 'garbage'.repeat(2_000));
    const damaged = await sitrep(t, ['export', '--store', file]);
    assert.equal(damaged.code, 1);
    assert.match(damaged.stderr, /is damaged/);
    assert.equal(readFileSync(file, 'utf8'), 'garbage'.repeat(2_000));
  });

  it('give an export to administrators of what it holds only, and say nothing of what a token does not reach', async (t) => {
    const keys = readKeys('a secret of at least thirty-two bytes');
    const { url } = await serve(t, { keys });
    const token = async (claims: object): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await createToken(keys, { scope: 'admin', ...claims } as never)}`,
    });
    const all = await token({ prefixes: [''] });
    await put(`${url}/v1/sessions/s/card`, { markdown: 'x' }, all);
    assert.equal((await http(`${url}/v1/export`, { headers: all })).status, 200);
    assert.equal((await http(`${url}/v1/export`)).status, 401);
    for (const claims of [{ sessions: ['s'] }, { scope: 'write', prefixes: [''] }]) {
      assert.equal((await http(`${url}/v1/export`, { headers: await token(claims) })).status, 403);
    }
    const own = await token({ sessions: ['s'] });
    const one = await http(`${url}/v1/export?session=s`, { headers: own });
    assert.equal(one.text.trim().split('\n').length, 5);
    for (const other of ['t', 'none']) {
      const answer = await http(`${url}/v1/export?session=s&session=${other}`, { headers: own });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
    }
    assert.equal((await http(`${url}/v1/export?session=none`, { headers: all })).status, 404);
  });

  it('round trip whatever a gateway may have stored', async (t) => {
    const id = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 50 }));
    const entry = fc.oneof(
      fc.record(
        {
          type: fc.constant('operation'),
          id,
          state: fc.constantFrom('running', 'completed', 'blocked', 'paused'),
          title: fc.string({ maxLength: 20, unit: 'binary' }),
          current: fc.double({ noNaN: true }),
          ext: fc.dictionary(fc.constantFrom('a.b', 'c.d'), fc.jsonValue({ maxDepth: 2 }) as never),
        },
        { requiredKeys: ['type', 'id'] },
      ),
      fc.record({ type: fc.constant('operation.clear'), id }),
      fc.record({ type: fc.constant('run'), run: fc.constantFrom('r', '__proto__'), state: fc.constantFrom('running', 'completed') }),
      fc.record({
        type: fc.constant('card'),
        revision: fc.integer({ min: 1, max: 20 }),
        card: fc.option(fc.record({ markdown: fc.string({ maxLength: 50, unit: 'grapheme' }) })),
      }),
      fc.record({ type: fc.constant('session'), title: fc.string({ maxLength: 30 }) }),
      fc.constant({ reset: true }),
    );
    const directory = folder(t);
    const { exportLines } = await import('../dist/transfer/export.js');
    const { importLines } = await import('../dist/transfer/import.js');
    let n = 0;
    const property = fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', '__proto__', 'z 🦊'), fc.array(entry, { maxLength: 12 })), { maxLength: 8 }),
      async (writes) => {
        const from = createMemoryStore({ events: 15 });
        const gateway = createGateway({ store: from, log: () => undefined });
        for (const [session, entries] of writes) {
          if (entries.some((value) => 'reset' in value)) await gateway.reset(session);
          // As it comes over the wire, where there is no minus zero.
          const posted = JSON.parse(JSON.stringify(entries.filter((value) => !('reset' in value)))) as unknown[];
          await gateway.publish(session, posted);
        }
        const lines: string[] = [];
        for await (const line of exportLines(from, { at: 1 })) lines.push(line);
        const numbered = async function* () {
          for (const [index, line] of lines.entries()) yield { number: index + 1, value: JSON.parse(line) as unknown };
        };
        const to = createSqliteStore(join(directory, `${(n += 1)}.db`), { events: 15 });
        const faults: string[] = [];
        const result = await importLines(numbered(), to, { onFault: (number, message) => faults.push(`${number}: ${message}`) });
        assert.deepEqual(faults, []);
        assert.equal(result.complete, true);
        assert.deepEqual(await contents(to), await contents(from));
        await to.close();
        await gateway.close();
      },
    );
    await fc.assert(property, { numRuns: 30 });
  });

  it('hold one session at a time, however large the export', { timeout: 120_000 }, async (t) => {
    const directory = folder(t);
    const from = join(directory, 'a.db');
    const gateway = createGateway({ store: createSqliteStore(from), log: () => undefined });
    const events = Array.from({ length: 400 }, (_, n) => operation(`o${n}`, { state: 'running', ext: { 'a.b': 'p'.repeat(900) } }));
    for (let n = 0; n < 50; n += 1) await gateway.publish(`s${n}`, events);
    await gateway.close();
    const lines = join(directory, 'all.ndjson');
    const limited = { env: { NODE_OPTIONS: '--max-old-space-size=32' } };
    assert.equal((await sitrep(t, ['export', '--store', from, '--output', lines], limited)).code, 0);
    assert.ok(statSync(lines).size > 35_000_000, `${statSync(lines).size} bytes`);
    const taken = await sitrep(t, ['import', lines, '--store', join(directory, 'b.db')], limited);
    assert.deepEqual([taken.code, taken.stderr], [0, '']);
    assert.match(taken.stdout, /^50 sessions taken/);
  });
});

describe('sitrep doctor', () => {
  const doctor = async (t: TestContext, args: readonly string[], env: Record<string, string> = {}) => {
    const { code, stdout } = await sitrep(t, ['doctor', '--json', ...args], { env });
    const { ok, findings } = JSON.parse(stdout) as {
      ok: boolean;
      findings: { check: string; level: string; found: string; advice?: string }[];
    };
    assert.equal(ok, code === 0);
    assert.ok(
      findings.every(({ level, advice }) => level === 'ok' || (advice ?? '') !== ''),
      'whatever is not well says what to do',
    );
    const told = findings.map(({ check, level, found }) => `${level} ${check}: ${found}`).join('\n');
    return { code, told };
  };

  it('finds a sound store, a gateway that runs, its token, its port and its clock well', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    const keys = join(directory, 'keys');
    writeFileSync(keys, 'a secret of at least thirty-two bytes', { mode: 0o600 });
    await filled(file);
    chmodSync(file, 0o600);
    const bytes = readFileSync(file);
    const free = await doctor(t, ['--store', file, '--key-file', keys, '--port', '0']);
    assert.match(free.told, /^ok node: Node 2/m);
    assert.match(free.told, /^ok store: .* is sound: 5 sessions, \d+ events/m);
    assert.match(free.told, /^ok keys: One key \(HS256\)/m);
    assert.match(free.told, /^ok port: /m);
    assert.equal(free.code, 0);
    assert.deepEqual(readFileSync(file), bytes, 'it changes nothing');
    const { url } = await startServe(t, ['--port', '0', '--store', file, '--key-file', keys]);
    const args = ['--store', file, '--key-file', keys, '--port', new URL(url).port];
    const without = await doctor(t, args);
    assert.match(without.told, /^ok store: .* is in use by a gateway/m);
    assert.match(without.told, /^fail access: It answers 401/m);
    const token = await createToken(readKeys(readFileSync(keys, 'utf8')), { scope: 'read', prefixes: [''], expiresIn: 9e6 });
    const whole = await doctor(t, args, { SITREP_TOKEN: token });
    for (const line of [
      /^ok gateway: A gateway .* answers/m,
      /^ok access: It takes the token/m,
      /^ok clock: The clocks/m,
      /^ok token: .*scope read/m,
      /^ok port: .* gateway's/m,
    ])
      assert.match(whole.told, line);
    assert.equal(whole.code, 0);
  });

  it('says what is wrong with each of them, and ends with 1', async (t) => {
    const directory = folder(t);
    const file = join(directory, 'a.db');
    writeFileSync(file, 'garbage'.repeat(2_000), { mode: 0o644 });
    copyFileSync(file, `${file}.damaged-2026-01-01T00-00-00-000Z`);
    const weak = join(directory, 'weak');
    writeFileSync(weak, 'abababababababababababababababababab', { mode: 0o644 });
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    const old = await createToken(readKeys('x'.repeat(32)), { scope: 'read', prefixes: [''], expiresIn: 1 });
    const soon = await doctor(t, ['--store', file, '--key-file', weak, '--port', String(port)], { SITREP_TOKEN: old });
    assert.equal(soon.code, 1);
    for (const line of [
      /^fail store: .* is damaged/m,
      /^warn store: 1 damaged file was moved aside/m,
      /^warn store: Other users of this machine may read/m,
      /^warn keys: Other users of this machine may read/m,
      /^warn keys: A secret is made of few different bytes/m,
      /^(fail|warn) token: The token expire/m,
      /^fail port: .* is taken by another program/m,
      /^fail gateway: What answers at .* is no gateway/m,
    ])
      assert.match(soon.told, line);
    const away = await doctor(t, ['--store', 'redis://127.0.0.1:1', '--host', '0.0.0.0', '--port', '0', '--url', 'http://127.0.0.1:1'], {
      SITREP_TOKEN: 'no token',
    });
    for (const line of [
      /^fail store: Redis at redis:\/\/127\.0\.0\.1:1 cannot be reached/m,
      /^fail keys: There are no keys, and 0\.0\.0\.0/m,
      /^fail token: The token is none/m,
      /^fail gateway: No gateway answers/m,
    ])
      assert.match(away.told, line);
    const text = await sitrep(t, ['doctor', '--store', 'memory', '--port', '0']);
    assert.match(text.stdout, /^warn {2}store: A store in memory is gone with its process\.\n {6}Name a file/m);
    assert.equal(text.code, 0);
  });
});
