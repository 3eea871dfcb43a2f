import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createGateway, createToken, readKeys } from '@sitrep/server';
import type { GatewayOptions } from '@sitrep/server';
import { createRedisStore } from '@sitrep/server/redis';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { operation, post, put, serve, stream, TestClock } from '../support.ts';
import type { Served } from '../support.ts';
import { quiet, sharedOf, until } from './support.ts';

const S = '/v1/sessions/s';
const as = (producer: string) => ({ 'sitrep-lease': `${producer}; ttl=15` });

describe('gateways on one Redis', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  let count = 0;
  async function nodes(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<[Served, Served]> {
    const stored = { ...quiet, prefix: `leases-${count++}:` };
    const open = async (): Promise<Served> => serve(t, { store: await createRedisStore(redis.url, stored), ...options });
    return [await open(), await open()];
  }

  const states = async ({ gateway }: Served) =>
    Object.fromEntries(
      (await gateway.snapshot('s')).operations.map(({ id, state, reason }) => [id, reason ? `${state}: ${reason}` : state]),
    );

  it('hear a producer on any of them, and end once, on one of them, what nobody is heard of', async (t) => {
    const [a, b] = await nodes(t);
    await post(`${a.url}${S}/events`, operation('alive', { state: 'running' }), as('alive'));
    await post(`${a.url}${S}/events`, [operation('dead', { state: 'running' }), operation('taken', { state: 'running' })], as('dead'));
    // Goes on elsewhere, and takes over what the other began.
    await post(`${b.url}${S}/events`, operation('taken', { message: 'mine now' }), as('alive'));
    const begun = (await a.gateway.snapshot('s')).seq;
    for (let second = 0; second < 30; second += 1) {
      for (const { clock } of [a, b]) clock.advance(1_000);
      const { body } = await put(`${b.url}${S}/leases/alive`, { ttl: 15 });
      assert.equal(body.held, 2);
    }
    const expected = { alive: 'running', dead: 'interrupted: producer_lost', taken: 'running' };
    for (const node of [a, b]) await until('the same on both', async () => JSON.stringify(await states(node)) === JSON.stringify(expected));
    assert.equal((await b.gateway.snapshot('s')).seq, begun + 1, 'one event ended it, however many looked');
    const late = await post(`${b.url}${S}/events`, operation('dead', { message: 'back' }), as('dead'));
    assert.deepEqual(late.body.results, [{ outcome: 'late', reason: 'producer_lost' }]);
  });

  it('let nobody be lost whose gateway has another idea of the time than the others', async (t) => {
    const options = { ...quiet, prefix: 'clocks:' };
    const minutes = (n: number) => {
      const clock = new TestClock();
      clock.time = Date.now() + n * 60_000;
      return clock;
    };
    for (const [session, wrong] of [
      ['ahead', 6],
      ['behind', -6],
    ] as const) {
      const right = createGateway({ store: await createRedisStore(redis.url, options), clock: minutes(0) });
      const clock = minutes(wrong);
      const other = createGateway({ store: await createRedisStore(redis.url, options), clock });
      t.after(() => Promise.all([right.close(), other.close()]));
      await right.publish(session, [operation('a', { state: 'running' })], { lease: { producer: 'p', ttl: 120_000 } });
      const leases = sharedOf(other.options.store) && other.options.store.leases;
      const lease = async () => (await leases?.of(session))?.leases[0];
      const begun = await lease();
      // The other one is awake for longer than the lease lives; to the server hardly any time went by.
      for (let second = 0; second < 125; second += 1) {
        clock.advance(1_000);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await other.renewLease(session, { producer: 'nobody' });
      assert.equal((await other.snapshot(session)).operations[0]?.state, 'running', session);
      assert.deepEqual(await lease(), begun, session);
    }
  });

  it('take a ticket that any of them gave out, once', async (t) => {
    const keys = readKeys('a secret of thirty-two bytes or more');
    const [a, b] = await nodes(t, { keys });
    const token = await createToken(keys, { sessions: ['s'], now: a.clock.now() });
    const { ticket } = (await post(`${a.url}${S}/ticket`, {}, { authorization: `Bearer ${token}` })).body as { ticket: string };
    const readers = [b, a, b, a, b].map(({ url }) => stream(t, `${url}${S}/stream?ticket=${ticket}`));
    const letIn = await Promise.all(
      readers.map((reader) =>
        reader.next().then(
          ({ event }) => event,
          () => reader.status,
        ),
      ),
    );
    assert.deepEqual(letIn.toSorted(), [401, 401, 401, 401, 'snapshot']);
  });
});
