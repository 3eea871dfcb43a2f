import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createRedisStore } from '@sitrep/server/redis';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { post, TestClock } from '../support.ts';
import { startService } from './service.ts';
import type { PushService } from './service.ts';
import { build, KEYS, run, servePush } from './support.ts';
import type { Pushing } from './support.ts';

const NAMES = ['phone', 'desk'];

describe('push from gateways on one Redis', () => {
  let redis: RedisServer;
  before(async () => {
    redis = await RedisServer.start();
  });
  after(() => redis.remove());
  let count = 0;

  async function nodes(
    t: TestContext,
  ): Promise<{ readonly node: () => Promise<Pushing>; readonly service: PushService; readonly clock: TestClock }> {
    const service = await startService(t, KEYS.publicKey);
    const clock = new TestClock();
    const prefix = `push-${count++}:`;
    return {
      service,
      clock,
      node: async () => servePush(t, { service, clock, store: await createRedisStore(redis.url, { log: () => undefined, prefix }) }),
    };
  }

  async function pass(clock: TestClock, seconds: number, ...all: readonly Pushing[]): Promise<void> {
    for (let n = 0; n < seconds; n += 1) {
      clock.advance(1_000);
      await Promise.all(all.map(({ gateway }) => gateway.push?.settled()));
    }
  }

  it('tells of each end once, whoever it was written to', async (t) => {
    const { node, service, clock } = await nodes(t);
    const [one, two] = [await node(), await node()];
    for (const [n, name] of NAMES.entries()) await (n === 0 ? one : two).subscribe(name);
    await pass(clock, 1, one, two);
    for (let n = 0; n < 10; n += 1) {
      const [first, second] = n % 2 === 0 ? [one, two] : [two, one];
      await first.gateway.publish(`chat-${n}`, [run('r', 'running')]);
      await second.gateway.publish(`chat-${n}`, [run('r', 'completed')]);
      await pass(clock, 1, one, two);
    }
    await pass(clock, 10, one, two);
    for (const name of NAMES) {
      const ends = service.taken(name).filter(({ alert }) => alert);
      assert.deepEqual(
        ends.map(({ session }) => session).toSorted(),
        Array.from({ length: 10 }, (_, n) => `chat-${n}`),
        name,
      );
    }
  });

  it('holds to two messages a minute and to what one of them was told of the user, together', async (t) => {
    const { node, service, clock } = await nodes(t);
    const [one, two] = [await node(), await node()];
    await one.subscribe('phone');
    await pass(clock, 1, one, two);
    await one.publish(run('r1', 'running'));
    for (let n = 1; n <= 60; n += 1) {
      await (n % 2 === 0 ? one : two).publish(build(n));
      await pass(clock, 1, one, two);
    }
    const told = service.taken('phone').length;
    assert.ok(told >= 2 && told <= 3, `${told} in a minute`);
    await post(`${one.url}/v1/sessions/chat-1/presence`, { page: 'p', visible: true });
    for (let n = 61; n <= 95; n += 1) {
      await two.publish(build(n));
      await pass(clock, 1, one, two);
    }
    assert.equal(service.taken('phone').length, told, 'the other one knows that the user looks');
  });

  it('goes on with what a gateway left that is gone', async (t) => {
    const { node, service, clock } = await nodes(t);
    const one = await node();
    await one.subscribe('phone');
    await pass(clock, 1, one);
    await one.publish(run('r1', 'running'), run('r1', 'completed'));
    await one.gateway.close();
    const two = await node();
    await pass(clock, 6, two);
    assert.deepEqual(
      service.taken('phone').map(({ body }) => body),
      ['completed'],
    );
  });
});
