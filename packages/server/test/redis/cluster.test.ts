import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRedisStore } from '@sitrep/server/redis';
import { RedisCluster } from '../../../../test/node/redis/redis-cluster.ts';
import { change, operation } from '../store/conformance.ts';
import { http, operation as event, post, serve, stream } from '../support.ts';
import { quiet, sharedOf, until } from './support.ts';

describe('a store on a cluster of Redis servers', () => {
  let cluster: RedisCluster;
  before(async () => {
    cluster = await RedisCluster.start();
  });
  after(() => cluster[Symbol.asyncDispose]());
  const names = Array.from({ length: 30 }, (_, n) => `session {${n}} ü`);

  it('keeps every session whole on one of them, and lists all', async (t) => {
    const store = await createRedisStore(cluster.url, { ...quiet, prefix: 'whole:' });
    t.after(() => store.close());
    const changes = names.map((name) =>
      change(name, 1, {
        operations: [operation('a', 1)],
        removed: [{ key: 'b', attempt: 1 }],
        receipts: [{ key: 'k', digest: 'd', answer: '{}', at: 1 }],
        leases: [{ session: name, producer: 'p', ttl: 15_000, expiresAt: 100 }],
        holds: [{ key: 'a', producer: 'p' }],
        records: [{ kind: 'kind', key: name, value: '1' }],
      }),
    );
    assert.deepEqual(await store.commit(changes), { dropped: [] });
    for (const name of names) {
      assert.deepEqual((await store.load(name))?.operations, [operation('a', 1)]);
      assert.equal((await store.eventsAfter(name, 0))?.length, 1);
      assert.ok(await store.receipt(name, 'k'));
    }
    assert.deepEqual(new Set((await store.list({ limit: 100, open: true })).map(({ session }) => session)), new Set(names));
    assert.equal((await store.leases?.expired({ now: 100, until: 1_000, limit: 100 }))?.length, names.length);
    assert.equal((await store.records?.list('kind'))?.length, names.length);
    const late = await store.commit([change(names[0] ?? '', 1)]);
    assert.equal(late.refused?.size, 1);
  });

  it('brings records where they belong that a gateway wrote down before it ended, and finds sessions no list has', async (t) => {
    const store = await createRedisStore(cluster.url, { ...quiet, prefix: 'owed:' });
    t.after(() => store.close());
    const everywhere = async (...words: string[]) => Promise.all(cluster.servers.map((server) => server.ask(...words)));
    await store.commit(names.map((name) => change(name, 1, { records: [{ kind: 'kind', key: 'mine', value: name }] })));
    await store.commit([change('x', 1)]);
    const written = await store.records?.get('kind', 'mine');
    // As COMMIT left them: one long ago, one of a commit that may still be under way.
    await everywhere('HSET', 'owed:{x}:owed', '["kind","k"]', 'dead:1 1000 =a\nb');
    await everywhere('HSET', 'owed:{x}:owed', '["kind","young"]', `alive:1 ${Math.round(Date.now() / 1_000)} =c`);
    for (let shard = 0; shard < 64; shard += 1) await everywhere('DEL', `owed:{index-${shard}}:index-written`);
    await until('the record', async () => (await store.records?.get('kind', 'k')) !== undefined);
    assert.equal((await store.records?.get('kind', 'k'))?.value, 'a\nb');
    assert.equal(await store.records?.get('kind', 'young'), undefined);
    assert.deepEqual(await store.records?.get('kind', 'mine'), written, 'what was written is not written again');
    await until('the list', async () => (await store.list({ limit: 100 })).length === names.length + 1);
    await until('no more owed', async () => (await everywhere('HLEN', 'owed:{x}:owed')).includes(':1\r\n'));
  });

  it('lets gateways follow each other', async (t) => {
    const options = { ...quiet, prefix: 'follow:' };
    const a = await serve(t, { store: await createRedisStore(cluster.url, options) });
    const b = await serve(t, { store: await createRedisStore(cluster.url, options) });
    for (const name of names.slice(0, 6).map(encodeURIComponent)) {
      const reader = stream(t, `${b.url}/v1/sessions/${name}/stream`);
      const { data } = await reader.next();
      await post(`${a.url}/v1/sessions/${name}/events`, event('a'));
      const tick = setInterval(() => b.clock.advance(1_000), 200);
      const next = await reader.next().finally(() => clearInterval(tick));
      assert.equal(next.id, `${data.epoch}:1`);
    }
  });

  it('goes on with the sessions of the others while one is away, and says which it cannot serve', async (t) => {
    const store = await createRedisStore(cluster.url, { ...quiet, prefix: 'away:', timeoutMs: 1_000 });
    const { url } = await serve(t, { store });
    const at = (name: string): string => `${url}/v1/sessions/${encodeURIComponent(name)}`;
    for (const name of names) assert.equal((await post(`${at(name)}/events`, event('a'))).status, 200);
    const [gone] = cluster.servers;
    await gone?.kill();
    const readable = async (): Promise<string[]> => {
      const found: string[] = [];
      const heads = await sharedOf(store).heads(names);
      for (const name of names) if (heads.has(name)) found.push(name);
      return found;
    };
    await until('the loss of a third', async () => {
      const count = (await readable()).length;
      return count > 0 && count < names.length;
    });
    const served = await readable();
    for (const name of names) {
      const { status, body } = await http(at(name));
      if (served.includes(name)) assert.deepEqual([status, body.seq], [200, 1]);
      else assert.deepEqual([status, body.error.code], [503, 'unavailable']);
    }
    const written = await Promise.all(names.map(async (name) => ({ name, answer: await post(`${at(name)}/events`, event('meanwhile')) })));
    for (const { name, answer } of written) {
      // Those whose place in the list is on the node that is away cannot be written either: nobody would find them.
      if (answer.status === 200) assert.ok(served.includes(name));
      else assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable']);
    }
    assert.ok(
      written.some(({ answer }) => answer.status === 200),
      'nothing could be written',
    );
    await gone?.begin();
    await until('all of them', async () => (await readable()).length === names.length);
    for (const name of names) {
      await until(`a write of ${name}`, async () => (await post(`${at(name)}/events`, event('b'))).status === 200);
      const { body } = await http(at(name));
      const kept = written.some(({ name: one, answer }) => one === name && answer.status === 200) ? ['a', 'meanwhile', 'b'] : ['a', 'b'];
      assert.deepEqual(
        body.operations.map((each: { id: string }) => each.id),
        kept,
      );
    }
  });
});
