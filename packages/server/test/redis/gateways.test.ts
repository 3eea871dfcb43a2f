import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createRedisStore } from '@sitrep/server/redis';
import type { SharedStore, Store } from '@sitrep/server/store';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { http, operation as event, post, put, serve, stream, TestClock } from '../support.ts';
import type { Served } from '../support.ts';
import { quiet, sharedOf, until } from './support.ts';

describe('gateways on one Redis', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  let count = 0;
  async function two(t: TestContext): Promise<[Served, Served]> {
    const options = { ...quiet, prefix: `gateways-${count++}:` };
    return [
      await serve(t, { store: await createRedisStore(redis.url, options) }),
      await serve(t, { store: await createRedisStore(redis.url, options) }),
    ];
  }

  it('are one: what is written to one is read from the other at once, streams included', async (t) => {
    const [a, b] = await two(t);
    const reader = stream(t, `${b.url}/v1/sessions/x/stream`);
    const begin = await reader.next();
    assert.deepEqual([begin.event, begin.data.seq], ['snapshot', 0]);
    await post(`${a.url}/v1/sessions/x/events`, [event('a', { state: 'running' }), event('b')]);
    const [first, second] = [await reader.next(), await reader.next()];
    assert.deepEqual([first.id, second.id], [`${begin.data.epoch}:1`, `${begin.data.epoch}:2`], 'the history its reader was given goes on');
    assert.equal((await http(`${b.url}/v1/sessions/x`)).body.seq, 2);
    await post(`${b.url}/v1/sessions/x/events`, event('a', { state: 'completed' }));
    assert.equal((await reader.next()).data.state, 'completed');
    const answer = await post(`${a.url}/v1/sessions/x/events`, event('a', { state: 'running' }));
    assert.equal(answer.body.results[0].outcome, 'late', 'judged by what the other stored');
    const again = stream(t, `${a.url}/v1/sessions/x/stream`, { 'last-event-id': `${begin.data.epoch}:1` });
    assert.deepEqual([(await again.next()).id, (await again.next()).id], [`${begin.data.epoch}:2`, `${begin.data.epoch}:3`]);
    assert.equal((await again.next()).event, 'heartbeat');
    const { sessions } = (await http(`${a.url}/v1/sessions`)).body as { sessions: { session: string; seq: number }[] };
    assert.deepEqual(
      sessions.map(({ session, seq }) => [session, seq]),
      [['x', 3]],
    );
    assert.equal((await http(`${a.url}/healthz`)).body.store, 'redis');
  });

  it('hand a request to write the card anew to the producer that listens at the other, once', async (t) => {
    const [a, b] = await two(t);
    const card = (gateway: Served): string => `${gateway.url}/v1/sessions/x/card`;
    assert.equal((await post(`${b.url}/v1/sessions/x/card/refresh`, '')).body.error.code, 'no_producer');
    const producer = stream(t, `${a.url}/v1/sessions/x/requests`);
    await until('the producer listens', () => producer.status === 200);
    const asked = await post(`${b.url}/v1/sessions/x/card/refresh`, '');
    assert.deepEqual([asked.status, asked.body.revision], [202, 0]);
    assert.deepEqual((await post(`${b.url}/v1/sessions/x/card/refresh`, '')).body, asked.body, 'the same while it waits');
    a.clock.advance(1_000);
    b.clock.advance(1_000);
    assert.equal((await producer.next()).data.id, asked.body.id);
    assert.deepEqual((await post(`${a.url}/v1/sessions/x/card/refresh`, '')).body, asked.body, 'at the gateway of the producer too');
    await put(card(a), { markdown: 'new' });
    assert.equal((await post(`${b.url}/v1/sessions/x/card/refresh`, '')).status, 429);
    for (const { clock } of [a, b]) clock.advance(5_000);
    const next = await post(`${b.url}/v1/sessions/x/card/refresh`, '');
    assert.deepEqual([next.status, next.body.revision], [202, 1]);
    await until('it is handed on', () => {
      a.clock.advance(1_000);
      return producer.frames.length > 1;
    });
    assert.equal((await producer.next()).data.id, next.body.id);
    assert.equal(producer.frames.length, 2);
    producer.close();
    b.clock.advance(60_000);
    await until('nobody listens any more', async () => (await post(`${b.url}/v1/sessions/x/card/refresh`, '')).status === 409);
  });

  it('tell a writer whose card was overtaken on another gateway', async (t) => {
    const [a, b] = await two(t);
    const card = (gateway: Served): string => `${gateway.url}/v1/sessions/x/card`;
    assert.equal((await put(card(a), { markdown: 'one', expectedRevision: 0 })).body.revision, 1);
    assert.equal((await put(card(b), { markdown: 'two', expectedRevision: 1 })).body.revision, 2);
    const lost = await put(card(a), { markdown: 'three', expectedRevision: 1 });
    assert.deepEqual([lost.status, lost.body.revision, lost.body.card], [409, 2, { markdown: 'two' }]);
    assert.equal((await put(card(a), { markdown: 'four' })).body.revision, 3);
  });

  it('carry a write out once when its key comes to both of them', async (t) => {
    const gateways = await two(t);
    await post(`${gateways[0].url}/v1/sessions/x/events`, event('first'));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put(`${gateways[n % 2]?.url}/v1/sessions/x/card`, { markdown: 'once' }, { 'idempotency-key': 'k' }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.revision}`)), new Set(['200 1']));
    assert.equal((await http(`${gateways[1].url}/v1/sessions/x`)).body.revision, 1);
  });

  it('read a foreign frame by what the other was told', async (t) => {
    const [a, b] = await two(t);
    const frame = (status: string) => ({ callId: 'c', title: 'Build', current: 1, total: 2, status, message: 'm' });
    await post(`${a.url}/v1/sessions/x/events?dialect=report-progress`, frame('running'));
    await post(`${b.url}/v1/sessions/x/events?dialect=report-progress`, frame('completed'));
    const { body } = await post(`${a.url}/v1/sessions/x/events?dialect=report-progress`, frame('running'));
    assert.notEqual(body.results[0].outcome, 'applied');
    assert.deepEqual(
      (await http(`${a.url}/v1/sessions/x`)).body.operations.map((each: { state: string }) => each.state),
      ['completed'],
    );
  });

  it('show a reset to the readers of all of them', async (t) => {
    const [a, b] = await two(t);
    await post(`${a.url}/v1/sessions/x/events`, event('a'));
    const reader = stream(t, `${b.url}/v1/sessions/x/stream`);
    const { data: old } = await reader.next();
    await a.gateway.reset('x');
    assert.equal((await reader.next()).event, 'resync');
    const { data } = await reader.next();
    assert.notEqual(data.epoch, old.epoch);
    assert.deepEqual(data.operations, []);
  });

  it('end what a producer held whose gateway is gone', async (t) => {
    const [a, b] = await two(t);
    await a.gateway.publish('x', [event('held', { state: 'running' })], { lease: { producer: 'p', ttl: 5_000 } });
    await a.gateway.close();
    const reader = stream(t, `${b.url}/v1/sessions/x/stream`);
    await reader.next();
    await until('the end of the lease', () => {
      b.clock.advance(1_000);
      return reader.frames.some(({ event: type }) => type === 'operation');
    });
    const { body } = await http(`${b.url}/v1/sessions/x`);
    assert.deepEqual([body.operations[0].state, body.operations[0].reason], ['interrupted', 'producer_lost']);
  });

  it('count as commits what was stored, not what another was first with', async (t) => {
    const [a, b] = await two(t);
    await b.gateway.snapshot('x');
    await a.gateway.publish('x', [event('a')]);
    await b.gateway.publish('x', [event('b')]);
    const counts = ({ gateway: { stats } }: Served) => [stats.commitCount, stats.conflicts, stats.commitFailures];
    assert.deepEqual(
      [counts(a), counts(b)],
      [
        [1, 0, 0],
        [1, 1, 0],
      ],
    );
  });

  it('do not look up what they gather for their readers', async (t) => {
    const store = await createRedisStore(redis.url, { ...quiet, prefix: 'gathered:' });
    const shared = sharedOf(store);
    let looked = 0;
    const since: SharedStore['since'] = (session, position) => {
      looked += 1;
      return shared.since(session, position);
    };
    let answered = 0;
    const heads: SharedStore['heads'] = async (sessions) => {
      const found = await shared.heads(sessions);
      answered += 1;
      return found;
    };
    const { gateway, clock } = await serve(t, {
      store: { ...store, shared: Object.assign(Object.create(shared) as SharedStore, { since, heads }) },
      flushMs: 3_500,
    });
    const seen: string[] = [];
    gateway.subscribe('x', ({ type }) => seen.push(type));
    await until('the reader', () => seen.length === 1);
    await gateway.publish('x', [event('a', { state: 'running' })]);
    await gateway.publish('x', [event('a', { state: 'running', message: 'more' })]);
    looked = 0;
    answered = 0;
    clock.advance(1_000);
    await until('a look', () => answered > 0);
    // What the look asked for was asked before the second of these is stored.
    for (const id of ['b', 'c']) await gateway.publish('x', [event(id, { state: 'running' })]);
    assert.deepEqual([looked, seen], [0, ['snapshot', 'operation']]);
  });

  it('find by looking what no hint told', async (t) => {
    const options = { ...quiet, prefix: 'no-hints:' };
    const a = await serve(t, { store: await createRedisStore(redis.url, options) });
    const store = await createRedisStore(redis.url, options);
    const b = await serve(t, { store: { ...store, shared: unwatched(sharedOf(store)) } });
    const reader = stream(t, `${b.url}/v1/sessions/x/stream`);
    await reader.next();
    await post(`${a.url}/v1/sessions/x/events`, event('a'));
    b.clock.advance(1_000);
    assert.equal((await reader.next()).data.id, 'a');
    assert.ok(b.gateway.polls > 0);
  });

  it('say that Redis is away: refused writes, not ready, no heartbeat, readers let go; and are whole when it is back', async (t) => {
    const own = await RedisServer.start();
    t.after(() => own.remove());
    const clock = new TestClock();
    const store = await createRedisStore(own.url, { ...quiet, timeoutMs: 1_500 });
    const { url, gateway, log } = await serve(t, { clock, store, heartbeatMs: 500 });
    await post(`${url}/v1/sessions/x/events`, event('a'));
    const reader = stream(t, `${url}/v1/sessions/x/stream`);
    const { id } = await reader.next();
    clock.advance(500);
    assert.equal((await reader.next()).event, 'heartbeat');
    own.stop();
    t.after(() => own.go());
    await until('the loss of Redis', () => !gateway.ready);
    const refused = await post(`${url}/v1/sessions/x/events`, event('refused'));
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'unavailable']);
    assert.match(refused.headers['retry-after'] ?? '', /^[1-5]$/);
    assert.equal((await http(`${url}/readyz`)).body.error.code, 'unavailable');
    for (const address of ['/v1/sessions/y', '/v1/sessions', '/v1/sessions/x/stream'])
      assert.equal((await http(url + address)).status, 503);
    assert.match((await http(`${url}/metrics`)).text, /^sitrep_store_up 0$/m);
    const heard = reader.frames.length;
    await until('the end of the stream', () => {
      clock.advance(500);
      return reader.ended;
    });
    clock.advance(10_000);
    assert.ok(log.filter((line) => line.includes('Leases')).length <= 1, 'said once, however often it is looked');
    assert.equal(reader.frames.length, heard, 'no heartbeat said that all is well');
    own.go();
    await until('Redis', () => gateway.ready);
    await post(`${url}/v1/sessions/x/events`, event('b'));
    const again = stream(t, `${url}/v1/sessions/x/stream`, { 'last-event-id': id ?? '' });
    assert.equal((await again.next()).data.id, 'b', 'it is the same life of the server: nothing can be missing');
    assert.equal((await again.next()).event, 'heartbeat');
    assert.deepEqual(
      (await http(`${url}/v1/sessions/x`)).body.operations.map((each: { id: string }) => each.id),
      ['a', 'b'],
    );
  });
});

/** A shared store that tells nobody anything. */
function unwatched(shared: SharedStore): NonNullable<Store['shared']> {
  return {
    get up() {
      return shared.up;
    },
    get counts() {
      return shared.counts;
    },
    watch: () => undefined,
    follow: (session) => shared.follow(session),
    unfollow: (session) => shared.unfollow(session),
    reserve: (session, epoch) => shared.reserve(session, epoch),
    since: (session, position) => shared.since(session, position),
    heads: (sessions) => shared.heads(sessions),
  };
}
