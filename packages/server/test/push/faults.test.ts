import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Store } from '@sitrep/server/store';
import { TestClock } from '../support.ts';
import { startService } from './service.ts';
import { build, KEYS, run, servePush } from './support.ts';
import type { Pushing } from './support.ts';

const end = (name = 'r1'): object[] => [run(name, 'running'), run(name, 'completed')];
const bodies = ({ service }: Pushing, name = 'phone'): string[] => service.taken(name).map(({ body }) => body);
const count = async ({ gateway, clock }: Pushing): Promise<number> => (await gateway.push?.subscriptions.all(clock.now()))?.length ?? -1;

describe('what a push service answers', () => {
  for (const status of [404, 410]) {
    it(`with ${status} ends the subscription, for progress as for the end`, async (t) => {
      const pushing = await servePush(t);
      await pushing.subscribe('phone');
      await pushing.subscribe('desk');
      pushing.service.replies = [status];
      await pushing.publish(run('r1', 'running'), build(1));
      await pushing.pass(1);
      assert.equal(await count(pushing), 1);
      pushing.service.replies = [status];
      await pushing.publish(run('r1', 'completed'));
      await pushing.pass(300);
      assert.equal(await count(pushing), 0);
      assert.equal(pushing.service.received.length, 3, 'and nothing is sent there again');
      assert.equal(pushing.gateway.push?.stats.gone, 2);
    });
  }

  it('with 413 is sent shorter, until it fits', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    pushing.service.replies = [413, 413];
    await pushing.publish(
      { type: 'session', title: '界'.repeat(120) },
      run('r1', 'running'),
      run('r1', 'failed', { reason: '🦊'.repeat(120) }),
    );
    await pushing.pass(1);
    const sizes = pushing.service.received.map(({ bytes }) => bytes);
    assert.equal(sizes.length, 3);
    assert.ok(sizes[0]! > sizes[2]!, String(sizes));
    assert.match(bodies(pushing)[0] ?? '', /^failed: 🦊/u);
    // One that takes nothing at all is given up, and kept.
    pushing.service.replies = Array<number>(50).fill(413);
    await pushing.publish(...end('r2'));
    await pushing.pass(300);
    assert.equal(await count(pushing), 1);
    assert.equal(pushing.gateway.push?.stats.dropped, 1);
  });

  it('with 429 is asked again when it said, and nothing else is sent there meanwhile', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    pushing.service.replies = [{ status: 429, headers: { 'retry-after': '90' } }];
    await pushing.publish(...end(), run('r2', 'running'));
    await pushing.pass(2);
    for (let n = 0; n < 8; n += 1) {
      await pushing.publish(build(n, { run: 'r2' }));
      await pushing.pass(10);
    }
    assert.equal(pushing.service.received.length, 1);
    await pushing.pass(15);
    assert.equal(bodies(pushing)[0], 'completed');
  });

  for (const status of [401, 403]) {
    it(`with ${status} is told to the operator, once; the subscription is kept and asked again later`, async (t) => {
      const pushing = await servePush(t);
      await pushing.subscribe('phone');
      pushing.service.replies = [status];
      await pushing.publish(...end());
      await pushing.pass(200);
      assert.equal(pushing.service.received.length, 1);
      assert.equal(pushing.log.length, 1);
      assert.match(pushing.log[0] ?? '', new RegExp(`localhost:\\d+ refuses the keys of push \\(${status}\\): .*Subscriptions are kept`));
      assert.equal(await count(pushing), 1);
      await pushing.pass(120);
      assert.deepEqual(bodies(pushing), ['completed']);
    });
  }

  it('with a fault of its own, nothing at all, or not in time, is asked again later and later', async (t) => {
    const pushing = await servePush(t, { more: { timeoutMs: 300 } });
    await pushing.subscribe('phone');
    pushing.service.replies = [500, 'reset', 'hang', 503];
    await pushing.publish(...end());
    await pushing.pass(120);
    assert.deepEqual(bodies(pushing), ['completed']);
    assert.equal(pushing.service.received.length, 5);
    assert.ok(pushing.log.length >= 1 && pushing.log.length <= 3, pushing.log.join('\n'));
    assert.equal(pushing.gateway.push?.stats.retried, 4);
  });

  it('with a redirect is not followed, and with a refusal of its own not asked again', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    pushing.service.replies = [
      { status: 307, headers: { location: `${pushing.service.url}/elsewhere` } },
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      400,
    ];
    for (const name of ['r1', 'r2', 'r3']) {
      await pushing.publish(...end(name));
      await pushing.pass(60);
    }
    assert.deepEqual(pushing.service.strays, []);
    assert.equal(pushing.service.received.length, 3);
    assert.equal(await count(pushing), 1);
    assert.equal(pushing.gateway.push?.stats.refused, 3);
  });

  it('slowly keeps nobody else waiting', async (t) => {
    const pushing = await servePush(t, { more: { timeoutMs: 30_000 } });
    await pushing.subscribe('slow');
    pushing.service.replies = ['hang'];
    await pushing.publish(...end());
    pushing.clock.advance(1_000);
    while (pushing.service.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await pushing.subscribe('quick');
    await pushing.publish(...end('r2'));
    const deadline = Date.now() + 20_000;
    while (bodies(pushing, 'quick').length === 0) {
      assert.ok(Date.now() < deadline, 'the other one was told');
      pushing.clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(bodies(pushing, 'slow'), []);
  });
});

/** A store that outlives the gateway that used it. */
const kept = (store: Store): Store => ({ ...store, close: async () => undefined });

it('a store that cannot be written to refuses a subscription, and push goes on when it can', async (t) => {
  const store = createMemoryStore();
  let broken = false;
  const records = {
    get: store.records!.get.bind(store.records),
    list: store.records!.list.bind(store.records),
    write: async (writes: Parameters<NonNullable<Store['records']>['write']>[0]) => {
      if (broken) throw new Error('no room');
      return store.records!.write(writes);
    },
  };
  const pushing = await servePush(t, { store: { ...store, records } });
  await pushing.subscribe('phone');
  await pushing.publish(...end());
  broken = true;
  const refused = await pushing.subscribe('desk');
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'store_failed']);
  await pushing.pass(3);
  assert.deepEqual(bodies(pushing), []);
  assert.match(pushing.log.join('\n'), /Push could not look at what is to be told: no room/);
  broken = false;
  await pushing.pass(3);
  assert.deepEqual(bodies(pushing), ['completed']);
});

describe('a restart of the gateway', () => {
  const kinds: Record<string, (t: TestContext) => () => Store> = {
    memory: () => {
      const store = createMemoryStore();
      return () => kept(store);
    },
    sqlite: (t) => {
      const directory = mkdtempSync(join(tmpdir(), 'sitrep-push-'));
      t.after(() => rmSync(directory, { recursive: true, force: true }));
      return () => createSqliteStore(join(directory, 'a.db'), { log: () => undefined });
    },
  };
  for (const [name, open] of Object.entries(kinds)) {
    it(`loses no alert and repeats none (${name})`, async (t) => {
      const again = open(t);
      const clock = new TestClock();
      const service = await startService(t, KEYS.publicKey);
      const life = (): Promise<Pushing> => servePush(t, { store: again(), clock, service });
      const first = await life();
      await first.subscribe('phone');
      await first.publish(run('r1', 'running'), build(1));
      await first.pass(1);
      // Committed, and stopped before anybody looked at it.
      await first.publish(run('r1', 'completed'));
      await first.gateway.close();
      assert.deepEqual(bodies(first), ['Building project 1% · file 1']);

      const second = await life();
      await second.pass(3);
      assert.deepEqual(bodies(second).slice(1), ['completed']);
      // Shared out, not taken by the service, and stopped.
      service.replies = [503];
      await second.publish(run('r2', 'running'), run('r2', 'failed', { reason: 'budget' }));
      await second.pass(1);
      await second.gateway.close();

      const third = await life();
      await third.pass(120);
      assert.deepEqual(bodies(third).slice(2), ['failed: budget']);
      await third.gateway.close();

      const fourth = await life();
      await fourth.pass(120);
      assert.equal(service.received.length, 4, 'three that were taken and one that was not');
      // How often it may be told is not forgotten either.
      await fourth.publish(run('r3', 'running'), build(1, { run: 'r3' }));
      await fourth.pass(1);
      await fourth.gateway.close();
      const fifth = await life();
      await fifth.publish(build(2, { run: 'r3' }));
      await fifth.pass(20);
      assert.equal(service.received.length, 5);
      await fifth.pass(15);
      assert.equal(service.received.length, 6);
    });
  }

  it('that breaks off between commit and everything else loses none', async (t) => {
    const store = createMemoryStore();
    const service = await startService(t, KEYS.publicKey);
    const clock = new TestClock();
    const first = await servePush(t, { store: kept(store), service, clock });
    await first.subscribe('phone');
    await first.pass(1);
    await first.publish(...end());
    // It is never closed and never looks again: what is left is what the store has.
    const second = await servePush(t, { store: kept(store), service, clock: Object.assign(new TestClock(), { time: clock.time }) });
    await second.pass(5);
    assert.deepEqual(bodies(second), ['completed']);
  });

  it('and a second gateway beside it tell everybody once', async (t) => {
    const shared = createMemoryStore();
    const service = await startService(t, KEYS.publicKey);
    const clock = new TestClock();
    const node = (): Promise<Pushing> =>
      servePush(t, { store: { ...createMemoryStore(), records: shared.records, commit: commitTo(shared) }, service, clock });
    const [one, two] = [await node(), await node()];
    for (const name of ['phone', 'desk', 'tablet']) await one.subscribe(name);
    for (let n = 1; n <= 10; n += 1) {
      const [name, at] = [`r${n}`, n % 2 ? one : two];
      await at.gateway.publish(`chat-${n}`, [run(name, 'running')]);
      await at.gateway.publish(`chat-${n}`, [run(name, 'completed')]);
      // Both look at once, at the same records.
      clock.advance(1_000);
      await Promise.all([one.gateway.push?.settled(), two.gateway.push?.settled()]);
    }
    for (let n = 0; n < 10; n += 1) {
      clock.advance(1_000);
      await Promise.all([one.gateway.push?.settled(), two.gateway.push?.settled()]);
    }
    for (const name of ['phone', 'desk', 'tablet']) {
      const alerts = service.taken(name).filter(({ alert }) => alert);
      assert.deepEqual(
        alerts.map(({ session }) => session).toSorted(),
        Array.from({ length: 10 }, (_, n) => `chat-${n + 1}`).toSorted(),
        name,
      );
    }
  });
});

/** Sessions of its own, records in common. */
function commitTo(shared: Store): Store['commit'] {
  const own = createMemoryStore();
  return async (changes) => {
    for (const { records } of changes) if (records) await shared.records?.write(records);
    return own.commit(changes);
  };
}
