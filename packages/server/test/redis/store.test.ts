import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRedisStore } from '@sitrep/server/redis';
import type { Store } from '@sitrep/server/store';
import { Relay } from '../../../../test/chaos/machines/relay.ts';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { change, operation } from '../store/conformance.ts';
import { quiet, sharedOf, until } from './support.ts';

describe('a store on Redis', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  let count = 0;
  /** Two stores on the same keys, as two gateways have them. */
  async function two(): Promise<[Store, Store]> {
    const options = { ...quiet, prefix: `two-${count++}:` };
    return [await createRedisStore(redis.url, options), await createRedisStore(redis.url, options)];
  }

  it('takes a change only while the session stands where it was made, and stores nothing of another', async () => {
    const [a, b] = await two();
    assert.deepEqual(await a.commit([change('x', 1, { operations: [operation('a', 1)] })]), { dropped: [] });
    const late = await b.commit([change('x', 1, { operations: [operation('b', 1)], title: 'late' }), change('y', 1)]);
    assert.deepEqual([...(late.refused ?? [])], [['x', 'moved']]);
    assert.deepEqual((await b.load('x'))?.operations, [operation('a', 1)]);
    assert.equal((await a.load('y'))?.seq, 1, 'the other session of the same commit is stored');
    const other = await b.commit([change('x', 2, { epoch: 'e2' })]);
    assert.deepEqual([...(other.refused ?? [])], [['x', 'moved']], 'the epoch counts as well');
    const ahead = await b.commit([change('new', 5)]);
    assert.deepEqual([...(ahead.refused ?? [])], [['new', 'moved']], 'a session that is not there was let go');
    assert.deepEqual(await b.commit([change('x', 2)]), { dropped: [] });
    await Promise.all([a.close(), b.close()]);
  });

  it('answers what was stored after a position, or that it cannot go on from there', async () => {
    const [a, b] = await two();
    assert.equal(await sharedOf(b).since('x', { epoch: 'e1', seq: 0 }), undefined);
    for (let n = 1; n <= 3; n += 1) await a.commit([change('x', n)]);
    const since = await sharedOf(b).since('x', { epoch: 'e1', seq: 1 });
    assert.deepEqual([since?.epoch, since?.seq, since?.events?.map(({ seq }) => seq)], ['e1', 3, [2, 3]]);
    assert.deepEqual((await sharedOf(b).since('x', { epoch: 'e1', seq: 3 }))?.events, []);
    assert.equal((await sharedOf(b).since('x', { epoch: 'e1', seq: 4 }))?.events, undefined);
    assert.equal((await sharedOf(b).since('x', { epoch: 'other', seq: 1 }))?.events, undefined);
    const heads = await sharedOf(b).heads(['x', 'none']);
    assert.deepEqual([heads.get('x'), heads.has('none'), heads.get('none')], [{ epoch: 'e1', seq: 3 }, true, undefined]);
    await Promise.all([a.close(), b.close()]);
  });

  it('lets a session begin in the epoch that was given to its first reader, wherever that was', async () => {
    const [a, b] = await two();
    assert.equal(await sharedOf(a).reserve('x', 'first'), 'first');
    assert.equal(await sharedOf(b).reserve('x', 'second'), 'first');
    const wrong = await b.commit([change('x', 1, { epoch: 'second' })]);
    assert.deepEqual([...(wrong.refused ?? [])], [['x', 'moved']]);
    assert.deepEqual(await b.commit([change('x', 1, { epoch: 'first' })]), { dropped: [] });
    assert.equal(await sharedOf(a).reserve('x', 'third'), 'first');
    await Promise.all([a.close(), b.close()]);
  });

  it('tells other gateways that somebody wrote, whatever the session is called', async () => {
    const [a, b] = await two();
    const told: string[] = [];
    const watch = (name: string) => ({
      changed: (session: string, { epoch }: { epoch: string }) => void told.push(`${name} ${session} ${epoch}`),
      reachable: () => undefined,
    });
    sharedOf(a).watch(watch('a'));
    sharedOf(b).watch(watch('b'));
    const name = 'a }{ b\u2028 ünï';
    sharedOf(a).follow(name);
    sharedOf(b).follow(name);
    let seq = 0;
    await until('a hint', async () => {
      seq += 1;
      await a.commit([change(name, seq)]);
      return told.length > 0;
    });
    assert.deepEqual(new Set(told), new Set([`b ${name} e1`]), 'and not the one that wrote');
    await Promise.all([a.close(), b.close()]);
  });

  it('stores a commit once whose answer was lost, and says so when it is asked again', async (t) => {
    await using link = await Relay.to(() => [redis.port]);
    const store = await createRedisStore(`redis://127.0.0.1:${link.port}`, { ...quiet, prefix: 'doubt:', timeoutMs: 1_500 });
    t.after(() => store.close());
    await store.commit([change('x', 1)]);
    link.link = 'deaf';
    const committed = store.commit([change('x', 2)]);
    await until('the loss of the connection', () => !sharedOf(store).up);
    link.sever();
    link.link = 'whole';
    assert.deepEqual(await committed, { dropped: [] });
    assert.deepEqual(
      (await store.eventsAfter('x', 0))?.map(({ seq }) => seq),
      [1, 2],
    );
    assert.ok(sharedOf(store).counts.resent > 0);
    assert.ok(sharedOf(store).counts.reconnects > 0);
  });

  it('refuses at once what was never sent, and goes on when Redis is back', async (t) => {
    const own = await RedisServer.start();
    t.after(() => own.remove());
    const store = await createRedisStore(own.url, quiet);
    t.after(() => store.close());
    await store.commit([change('x', 1)]);
    await own.kill();
    await until('the loss of the connection', () => !sharedOf(store).up);
    const { refused } = await store.commit([change('x', 2)]);
    const refusal = refused?.get('x');
    assert.ok(refusal && refusal !== 'moved');
    assert.deepEqual([refusal.name, refusal.inDoubt], ['StoreUnavailable', false]);
    await assert.rejects(store.load('x'), { name: 'StoreUnavailable' });
    assert.equal((await sharedOf(store).heads(['x'])).size, 0);
    await own.begin();
    await until('Redis', () => sharedOf(store).up);
    const stored = await store.load('x');
    assert.equal(stored?.seq, 1, 'what was refused is not there');
    assert.notEqual(stored?.epoch, 'e1', 'a server that began again may lack something: its history goes by another name');
    const old = await store.commit([change('x', 2)]);
    assert.equal(old.refused?.get('x'), 'moved');
  });

  it('never gives a position to two events when Redis lost what it had acknowledged', async (t) => {
    const own = await RedisServer.start('--appendonly', 'no');
    t.after(() => own.remove());
    const store = await createRedisStore(own.url, quiet);
    t.after(() => store.close());
    await store.commit([change('x', 1)]);
    await own.ask('SAVE');
    await store.commit([change('x', 2), change('gone', 1)]);
    await own.kill();
    await until('the loss of the connection', () => !sharedOf(store).up);
    await own.begin();
    await until('Redis', () => sharedOf(store).up);
    const since = await sharedOf(store).since('x', { epoch: 'e1', seq: 2 });
    assert.equal(since?.seq, 1);
    assert.notEqual(since?.epoch, 'e1');
    assert.equal(since?.events, undefined);
    assert.equal((await store.commit([change('x', 2)])).refused?.get('x'), 'moved');
    assert.deepEqual(await store.commit([change('x', 2, { epoch: since?.epoch ?? '' })]), { dropped: [] });
    assert.equal(await store.load('gone'), undefined);
    assert.ok(sharedOf(store).counts.newEpochs > 0);
  });

  it('never gives a position to two events when a replica took over and the first server is back in its place', async (t) => {
    const at = ['--repl-diskless-sync-delay', '0'];
    const [first, second] = [await RedisServer.start(...at), await RedisServer.start(...at)];
    t.after(() => Promise.all([first.remove(), second.remove()]));
    const told: boolean[] = [];
    const store = await createRedisStore(first.url, { ...quiet, timeoutMs: 1_000 });
    t.after(() => store.close());
    sharedOf(store).watch({ changed: () => undefined, reachable: (up) => void told.push(up) });
    const follows = (server: RedisServer) => async () => /master_link_status:up/.test(await server.ask('INFO', 'replication'));
    await second.ask('REPLICAOF', '127.0.0.1', String(first.port));
    await until('the replica', follows(second));
    const begun = await sharedOf(store).reserve('x', 'e1');
    assert.deepEqual(await store.commit([change('x', 1, { epoch: begun })]), { dropped: [] });
    await until('what was stored', async () => (await second.ask('HGET', 'sitrep:{x}:head', 'seq')).includes('\r\n1\r\n'));
    await second.ask('REPLICAOF', 'NO', 'ONE');
    const other = await createRedisStore(second.url, quiet);
    t.after(() => other.close());
    // Those who were cut off from the new one write on to the old one, and that is lost.
    assert.deepEqual(await store.commit([change('x', 2, { epoch: begun })]), { dropped: [] });
    assert.equal((await other.commit([change('x', 2, { epoch: begun })])).refused?.get('x'), 'moved', 'made at what the old one said');
    assert.equal((await other.load('x'))?.seq, 1);
    await other.commit([change('new', 1)]);

    await first.ask('REPLICAOF', '127.0.0.1', String(second.port));
    await until('the first one follows', follows(first));
    await until('a replica counts as away', async () => {
      await sharedOf(store).heads(['x']);
      return !sharedOf(store).up;
    });
    told.length = 0;
    await assert.rejects(store.load('x'), { name: 'StoreUnavailable' });
    assert.equal((await store.commit([change('x', 3, { epoch: begun })])).refused?.get('x') instanceof Error, true);
    assert.ok(!told.includes(true), 'it does not come and go');
    await assert.rejects(createRedisStore(first.url, quiet), /replica/);

    await first.ask('REPLICAOF', 'NO', 'ONE');
    await until('a server that can be written to', () => sharedOf(store).up);
    const since = await sharedOf(store).since('x', { epoch: begun, seq: 2 });
    assert.deepEqual([since?.seq, since?.events], [1, undefined]);
    for (const session of ['x', 'new']) assert.notEqual((await store.load(session))?.epoch, begun);
    assert.equal((await store.commit([change('x', 3, { epoch: begun })])).refused?.get('x'), 'moved');
  });

  it('begins a session without anything of one whose head is gone', async () => {
    const [a, b] = await two();
    const prefix = `two-${count - 1}:`;
    await a.commit([change('x', 1, { operations: [operation('old', 1)], removed: [{ key: 'y', attempt: 1 }] }), change('kept', 1)]);
    await a.commit([change('x', 2, { receipts: [{ key: 'k', digest: 'd', answer: '{}', at: 1 }] })]);
    assert.equal(await redis.ask('DEL', `${prefix}{x}:head`), ':1\r\n');
    assert.equal(await b.load('x'), undefined);
    assert.deepEqual(await b.commit([change('x', 1, { epoch: 'e2', operations: [operation('new', 1)] })]), { dropped: [] });
    const stored = await a.load('x');
    assert.deepEqual([stored?.operations, stored?.tombstones, await a.receipt('x', 'k')], [[operation('new', 1)], [], undefined]);
    assert.equal((await a.eventsAfter('x', 0))?.length, 1);
    await Promise.all([a.close(), b.close()]);
  });

  it('does not take Redis for lost because this process stood still', async (t) => {
    const lines: string[] = [];
    const store = await createRedisStore(redis.url, { prefix: 'still:', timeoutMs: 1_000, log: (line) => lines.push(line) });
    t.after(() => store.close());
    await store.commit([change('x', 1)]);
    const answered = sharedOf(store).heads(['x']);
    // As long as anybody who was stopped; the answer is there when it goes on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    assert.equal((await answered).get('x')?.seq, 1);
    assert.deepEqual([lines, sharedOf(store).counts.reconnects], [[], 0]);
  });

  it('puts back what its lists lost: sessions, open ones, and when leases end', async () => {
    const [a, b] = await two();
    const prefix = `two-${count - 1}:`;
    const lease = { session: 'x', producer: 'p', ttl: 15_000, expiresAt: 100 };
    const writes = [change('old', 1, { updatedAt: 1_000 }), change('closed', 1, { open: false, updatedAt: 2_000 })];
    await a.commit([...writes, change('x {1} %', 1, { updatedAt: 3_000 }), change('x', 1, { updatedAt: 4_000, leases: [lease] })]);
    // Somebody's key in the place of one of ours must not keep the others from it.
    await redis.ask('SET', `${prefix}{broken}:head`, 'no hash');
    for (const list of ['written', 'open', 'leases']) assert.equal(await redis.ask('DEL', `${prefix}{index-0}:index-${list}`), ':1\r\n');
    assert.deepEqual(await b.list({ limit: 10 }), []);
    assert.deepEqual(await redis.ask('ZADD', `${prefix}{index-0}:index-written`, '1', 'broken'), ':1\r\n');
    const names = async (open?: boolean) => (await b.list({ limit: 10, open })).map(({ session }) => session);
    await until('the list', async () => (await names()).length === 4 && (await names(true)).length === 3);
    assert.deepEqual(
      [await names(), await names(true)],
      [
        ['x', 'x {1} %', 'closed', 'old'],
        ['x', 'x {1} %', 'old'],
      ],
    );
    await until('the lease', async () => (await b.leases?.expired({ now: 100, until: 1_000, limit: 10 }))?.length === 1);
    await Promise.all([a.close(), b.close()]);
  });

  it('stores what it is given where hints may not be sent', async (t) => {
    await redis.ask('ACL', 'SETUSER', 'mute', 'on', '>secret', '~*', 'resetchannels', '+@all', '-@dangerous', '+info');
    const store = await createRedisStore(`redis://mute:secret@127.0.0.1:${redis.port}/3`, quiet);
    t.after(() => store.close());
    assert.deepEqual(await store.commit([change('x', 1)]), { dropped: [] });
    assert.equal((await store.load('x'))?.seq, 1);
  });

  it('keeps records of a commit even when whoever made it ends in the middle', async (t) => {
    await using link = await Relay.to(() => [redis.port]);
    const options = { ...quiet, prefix: 'middle:' };
    const store = await createRedisStore(`redis://127.0.0.1:${link.port}`, { ...options, timeoutMs: 3_000 });
    const other = await createRedisStore(redis.url, options);
    t.after(() => other.close());
    link.link = 'deaf';
    const committed = store.commit([change('x', 1, { records: [{ kind: 'kind', key: 'k', value: '1' }] })]);
    await until('the commit', async () => (await other.load('x'))?.seq === 1);
    await store.close();
    assert.ok((await committed).refused?.has('x'));
    assert.equal((await other.records?.get('kind', 'k'))?.value, '1');
  });

  it('finds sessions in its list after a gateway died between noting and writing them', async () => {
    const [a, b] = await two();
    await a.commit([change('x', 1), change('closed', 1, { open: false })]);
    // Noted and never written: what was made elsewhere is refused after the note.
    assert.equal((await b.commit([change('never', 7)])).refused?.get('never'), 'moved');
    const names = async (open?: boolean) => (await b.list({ limit: 10, open })).map(({ session }) => session);
    assert.deepEqual(await names(), ['closed', 'x']);
    assert.deepEqual(await names(true), ['x']);
    await a.commit([change('closed', 2), change('x', 2, { open: false })]);
    assert.deepEqual(await names(true), ['closed']);
    await Promise.all([a.close(), b.close()]);
  });

  it('says what about its server may lose something', async (t) => {
    const own = await RedisServer.start('--appendfsync', 'everysec', '--maxmemory-policy', 'allkeys-lru');
    t.after(() => own.remove());
    const lines: string[] = [];
    await (await createRedisStore(own.url, { log: (line) => lines.push(line) })).close();
    assert.match(lines.join('\n'), /appendfsync everysec[^]*maxmemory-policy allkeys-lru/);
    lines.length = 0;
    await (await createRedisStore(redis.url, { log: (line) => lines.push(line) })).close();
    assert.deepEqual(lines, []);
  });

  it('refuses addresses that are none, without a word of their passwords', async () => {
    for (const url of ['redis://', 'http://a', 'redis+cluster://a,', 'redis:a']) await assert.rejects(createRedisStore(url), TypeError);
    await assert.rejects(createRedisStore('redis://u:sec@ret@127.0.0.1:1', quiet), /^Error: Redis at redis:\/\/127\.0\.0\.1:1 cannot/);
    await assert.rejects(createRedisStore('redis://u:secret@127.0.0.1:1', quiet), (error: Error) => {
      assert.match(error.message, /^Redis at redis:\/\/127\.0\.0\.1:1 cannot be reached/);
      return !error.message.includes('secret');
    });
    for (const options of [{ prefix: 'a{b' }, { timeoutMs: 0 }, { indexShards: 1.5 }, { events: -1 }])
      await assert.rejects(createRedisStore(redis.url, options), RangeError);
  });
});
