import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createRedisStore } from '@sitrep/server/redis';
import type { StoredSession } from '@sitrep/server/store';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { sitrep } from '../cli-support.ts';
import { operation, serve, stream } from '../support.ts';
import { quiet } from './support.ts';

describe('sessions on Redis are taken elsewhere', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  const run = (t: TestContext, ...args: string[]) => sitrep(t, args, { env: { SITREP_STORE: '' } });

  it('to a file and back, just as they were, while gateways run', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-transfer-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const [first, second, file] = [join(directory, 'first'), join(directory, 'second'), join(directory, 'a.db')];
    const store = await createRedisStore(redis.url, { ...quiet, events: 5 });
    const { gateway, url } = await serve(t, { store });
    const names = ['plain', 'with {tag} \u2028', '__proto__'];
    for (const [n, name] of names.entries()) {
      for (let m = 0; m < 8; m += 1) await gateway.publish(name, [operation(`o${m}`, { state: n ? 'running' : 'completed' })]);
      await gateway.publish(name, [{ type: 'operation.clear', id: 'o1' }]);
      await gateway.putCard(name, { markdown: `# ${n}` });
    }
    const sessions = async (): Promise<readonly StoredSession[]> =>
      (await Promise.all(names.map((name) => store.load(name)))).filter((stored) => stored !== undefined);
    const then = await sessions();
    assert.equal((await run(t, 'export', '--store', redis.url, '--output', first)).code, 0);
    const taken = await run(t, 'import', first, '--store', file);
    assert.equal(taken.code, 0, taken.stderr);

    const there = await run(t, 'import', first, '--store', redis.url);
    assert.match(there.stdout, /^0 sessions taken, 3 there already, 0 not taken/);
    await gateway.publish('plain', [operation('more')]);
    const other = await run(t, 'import', first, '--store', redis.url);
    assert.deepEqual([other.code, other.stdout.startsWith('0 sessions taken, 2 there already, 1 not taken')], [1, true]);
    const replaced = await run(t, 'import', first, '--store', redis.url, '--replace');
    assert.deepEqual([replaced.code, replaced.stdout.startsWith('1 session taken, 2 there')], [0, true], replaced.stderr);
    const plain = await store.load('plain');
    assert.notEqual(plain?.epoch, then[0]?.epoch, 'readers saw more of it');
    assert.deepEqual({ ...plain, epoch: '' }, { ...then[0], epoch: '' });

    await redis.ask('FLUSHALL');
    const reader = stream(t, `${url}/v1/sessions/plain/stream`);
    assert.equal((await reader.next()).data.seq, 0);
    assert.equal((await run(t, 'export', '--store', file, '--output', second)).code, 0);
    const back = await run(t, 'import', second, '--store', redis.url);
    assert.deepEqual([back.code, back.stdout.startsWith('3 sessions taken')], [0, true], back.stderr);
    assert.deepEqual(await sessions(), then);
    assert.deepEqual((await store.list({ limit: 10 })).map(({ session }) => session).toSorted(), names.toSorted());
    assert.equal((await gateway.snapshot('plain')).seq, plain?.seq);
    assert.equal((await reader.next()).event, 'resync', 'who waited for it begins anew');
    assert.equal((await reader.next()).data.seq, plain?.seq);
    await gateway.publish('plain', [operation('after')]);
    assert.equal((await reader.next()).data.id, 'after');
  });

  it('and the doctor says what such a server may lose', async (t) => {
    const own = await RedisServer.start('--appendonly', 'no');
    t.after(() => own.remove());
    const { stdout } = await sitrep(t, ['doctor', '--json', '--port', '0'], { env: { SITREP_STORE: own.url } });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string; found: string }[] };
    const found = findings.filter(({ check }) => check === 'store');
    assert.deepEqual(
      found.map(({ level }) => level),
      ['ok', 'warn'],
    );
    assert.match(found[1]?.found ?? '', /no append-only file/);
  });
});
