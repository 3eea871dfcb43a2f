import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { subscriptionId } from '../../dist/push/subscription.js';
import { Subscriptions } from '../../dist/push/subscriptions.js';
import { MemoryRecords } from '../../dist/store/memory/records.js';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { RecordStore } from '../../dist/store/records.js';
import { createMemoryStore } from '@sitrep/server/memory';
import { createToken, readKeys } from '@sitrep/server';
import { post, put, send, TestClock } from '../support.ts';
import type { Reply } from './service.ts';
import { build, run, servePush } from './support.ts';
import type { Pushing } from './support.ts';

const asks = (id: string, more: object = {}): object => ({ type: 'operation', id, state: 'blocked', title: 'Deploy', ...more });
const told = ({ service }: Pushing, name = 'phone') => service.taken(name).map(({ slot, body, alert }) => [slot, body, alert]);
const ended = (name: string): object[] => [run(name, 'running'), run(name, 'completed')];

describe('a place on a lock screen', () => {
  it('keeps how the run ended, whatever its subagents still do', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    await pushing.publish(run('r1', 'running'), run('child', 'running', { parent: 'r1' }), build(1, { run: 'child' }));
    await pushing.pass(1);
    await pushing.publish(run('r1', 'completed'));
    for (let n = 2; n < 60; n += 1) {
      await pushing.publish(build(n, { run: 'child' }));
      await pushing.pass(2);
    }
    await pushing.publish(run('child', 'completed', { parent: 'r1' }));
    await pushing.pass(60);
    assert.deepEqual(told(pushing), [
      ['status', 'Building project 1% · file 1', false],
      ['status', 'completed', true],
    ]);
  });

  it('does not go on saying how far something is that was taken away', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    await pushing.publish(build(42, { run: undefined }));
    await pushing.pass(1);
    await pushing.publish({ type: 'operation.clear', id: 'build' });
    await pushing.pass(60);
    assert.equal(told(pushing).length, 2);
    assert.doesNotMatch(String(told(pushing).at(-1)?.[1]), /42%/);
  });

  it('is written at most twice a minute without a sound, however often a request changes its words', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    for (let n = 0; n < 120; n += 1) {
      await pushing.publish(asks('ask', { run: undefined, blockedOn: { kind: 'question', prompt: `No ${n}?`, requestId: '1' } }));
      await pushing.pass(1);
    }
    await pushing.pass(60);
    assert.ok(told(pushing).length <= 7, `${told(pushing).length} in three minutes`);
    assert.match(String(told(pushing).at(-1)?.[1]), /No 119/);
  });

  it('is written at most twice a minute without a sound, however often runs are cancelled', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    await pushing.publish(run('r0', 'running'), build(1, { run: 'r0' }));
    await pushing.pass(1);
    for (let n = 0; n < 120; n += 1) {
      await pushing.publish(run(`r${n}`, 'cancelled'), run(`r${n + 1}`, 'running'));
      await pushing.pass(1);
    }
    assert.ok(told(pushing).length <= 6, `${told(pushing).length} in two minutes`);
  });

  it('keeps a request that came while an older answer waited to go out', async (t) => {
    const pushing = await servePush(t, { more: { timeoutMs: 300 } });
    const { gateway, clock, service } = pushing;
    await pushing.subscribe('phone');
    await pushing.publish(run('r9', 'running'), asks('one', { run: undefined }));
    await pushing.pass(1);
    // Something is on its way, and does not arrive.
    service.replies = ['hang'];
    await gateway.publish('chat-2', ended('r'));
    clock.advance(1_000);
    while (service.received.at(-1)?.message.session !== 'chat-2') await new Promise(setImmediate);
    await pushing.publish({ type: 'operation.clear', id: 'one' });
    await pushing.publish(asks('two', { run: undefined, title: 'Second' }));
    clock.advance(1_000);
    await gateway.push?.settled();
    await pushing.pass(60);
    assert.deepEqual(
      told(pushing)
        .filter(([slot]) => slot === 'attention')
        .at(-1),
      ['attention', 'Second needs you', true],
    );
  });
});

describe('a subscription', () => {
  it('that passes to another user takes nothing along that waited for the one before', async (t) => {
    const keys = readKeys('a secret of thirty-two bytes or more');
    const pushing = await servePush(t, { keys });
    const { gateway, service, url, clock } = pushing;
    const bearer = async (subject: string, prefixes: string[]) => ({
      authorization: `Bearer ${await createToken(keys, { subject, prefixes, now: clock.now() })}`,
    });
    const subscription = service.subscribe('shared');
    await put(`${url}/v1/push/subscriptions`, subscription, await bearer('ada', ['a/']));
    service.replies = [503];
    await gateway.publish('a/1', ended('r'));
    await pushing.pass(1);
    assert.equal((await put(`${url}/v1/push/subscriptions`, subscription, await bearer('bob', ['b/']))).status, 200);
    await pushing.pass(120);
    assert.deepEqual(service.taken('shared'), []);
  });

  it('is told nothing more of a session that was taken from it, even what waited', async (t) => {
    const pushing = await servePush(t);
    const { service, url, gateway } = pushing;
    const subscription = service.subscribe('phone');
    for (const session of ['chat-1', 'chat-2']) await put(`${url}/v1/push/subscriptions`, { ...subscription, session });
    service.replies = [503];
    await gateway.publish('chat-1', ended('r'));
    await pushing.pass(1);
    const body = { endpoint: subscription.endpoint, session: 'chat-1' };
    const taken = await send('DELETE', `${url}/v1/push/subscriptions`, body, { 'content-length': String(JSON.stringify(body).length) });
    assert.equal(taken.status, 204);
    await pushing.pass(120);
    assert.deepEqual(service.taken('phone'), []);
  });

  it('is refused with a key that nothing can be encrypted for', async (t) => {
    const pushing = await servePush(t);
    const { url, service } = pushing;
    const given = service.subscribe('phone');
    const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url');
    const refused = await put(`${url}/v1/push/subscriptions`, { ...given, keys: { ...given.keys, p256dh } });
    assert.equal(refused.body.error?.code, 'bad_request');
  });

  it('cannot be taken over by who knows its address and not its secret', async (t) => {
    const keys = readKeys('a secret of thirty-two bytes or more');
    const pushing = await servePush(t, { keys });
    const { gateway, service, url, clock } = pushing;
    const bearer = async (subject: string) => ({
      authorization: `Bearer ${await createToken(keys, { subject, prefixes: [''], now: clock.now() })}`,
    });
    const ada = service.subscribe('ada');
    const eve = service.subscribe('eve');
    await put(`${url}/v1/push/subscriptions`, ada, await bearer('ada'));
    const stolen = await put(`${url}/v1/push/subscriptions`, { ...eve, endpoint: ada.endpoint }, await bearer('eve'));
    assert.equal(stolen.body.error?.code, 'forbidden');
    await put(`${url}/v1/push/subscriptions`, eve, await bearer('eve'));
    const old = { endpoint: eve.endpoint, auth: eve.keys.auth };
    const moved = await send('PATCH', `${url}/v1/push/subscriptions`, { ...eve, endpoint: ada.endpoint, old });
    assert.equal(moved.body.error?.code, 'forbidden');
    await gateway.publish('chat-1', ended('r'));
    await pushing.pass(1);
    assert.equal(service.taken('ada').length, 1);
  });

  it('that gets another address is told there what waited for the old one, also while others subscribe', async (t) => {
    const pushing = await servePush(t);
    const { service, url } = pushing;
    const old = service.subscribe('old');
    await put(`${url}/v1/push/subscriptions`, old);
    service.replies = [503];
    await pushing.publish(...ended('r'));
    await pushing.pass(1);
    const wish = { ...service.subscribe('new'), old: { endpoint: old.endpoint, auth: old.keys.auth } };
    const [moved] = await Promise.all([
      send('PATCH', `${url}/v1/push/subscriptions`, wish),
      ...['a', 'b', 'c'].map((name) => pushing.subscribe(name)),
    ]);
    assert.equal(moved.status, 200);
    await pushing.pass(60);
    assert.deepEqual([told(pushing, 'old'), told(pushing, 'new')], [[], [['status', 'completed', true]]]);
  });

  it('is not pushed to at a host that is no longer allowed', async (t) => {
    const store = createMemoryStore();
    const first = await servePush(t, { store });
    await first.subscribe('phone');
    const { service } = first;
    const second = await servePush(t, { store, service, more: { privateHosts: [] } });
    await second.publish(...ended('r'));
    await second.pass(60);
    assert.deepEqual(service.received, []);
    assert.match(second.log.join(), /is no push service this gateway knows/);
  });
});

describe('subscriptions, however many', () => {
  const wish = (n: number) => ({ endpoint: `https://push.example/${n}`, p256dh: 'p', auth: 'a' });
  const reach = { user: 'u', sessions: [], prefixes: [''] };
  const limits = { perUser: 1_000, total: 1_000, lifetimeMs: 1_000 };

  it('are not read again for each one that is made, renewed or taken away', async () => {
    const records = new MemoryRecords();
    let reads = 0;
    const counted: RecordStore = {
      get: (kind, key) => records.get(kind, key),
      write: (writes) => records.write(writes),
      list: (kind, options) => {
        reads += 1;
        return records.list(kind, options);
      },
    };
    const subscriptions = new Subscriptions(counted, limits);
    for (let n = 0; n < 200; n += 1) await subscriptions.put(wish(n % 150), reach, n);
    for (let n = 0; n < 50; n += 1) await subscriptions.remove(wish(n).endpoint, 'u', undefined, 200);
    assert.ok(reads <= 1, `${reads} times`);
    assert.deepEqual(await subscriptions.all(200), await new Subscriptions(records, limits).all(200));
  });

  it('are told by writes of no more records than a store takes at once', async (t) => {
    const store = createMemoryStore();
    const { records } = store;
    assert.ok(records);
    const reached = { user: '', sessions: [], prefixes: [''], only: null, renewedAt: new TestClock().now() };
    const held = Array.from({ length: 6_000 }, (_, n) => ({ ...wish(n), ...reached, id: `${n}` }));
    await records.write(held.map((value) => ({ kind: 'push.subscription', key: value.id, value: JSON.stringify(value) })));
    let most = 0;
    const write = records.write.bind(records);
    records.write = (writes) => {
      most = Math.max(most, writes.length);
      return write(writes);
    };
    const pushing = await servePush(t, { store });
    await pushing.publish(...ended('r'));
    await pushing.pass(1);
    assert.ok(most <= 5_001, `${most} at once`);
    assert.equal((await records.list('push.delivery')).length, held.length);
  });

  it('are the same for every gateway, whichever changes them', async () => {
    const records = new MemoryRecords();
    const nodes = [0, 1, 2].map(() => new Subscriptions(records, limits));
    for (let round = 0; round < 40; round += 1) {
      await Promise.all(
        nodes.map(async (node, n) => {
          await node.put(wish(round * 3 + n), reach, 1);
          if (round % 4 === n) await node.remove(wish(round).endpoint, 'u', undefined, 1);
          if (round % 5 === n) await node.drop(subscriptionId(wish(round * 2).endpoint));
        }),
      );
    }
    const [stored, ...seen] = await Promise.all([new Subscriptions(records, limits), ...nodes].map((node) => node.all(1)));
    const ids = (all: typeof stored) => all?.map(({ id }) => id).toSorted();
    for (const all of seen) assert.deepEqual(ids(all), ids(stored));
    assert.ok((stored?.length ?? 0) > 60);
  });
});

describe('a request to a person', () => {
  it('that nobody was told of yet is told when another one is answered', async (t) => {
    const pushing = await servePush(t);
    await pushing.subscribe('phone');
    pushing.service.replies = [503];
    await pushing.publish(asks('one', { run: undefined }));
    await pushing.publish(asks('two', { run: undefined, title: 'Second' }));
    await pushing.publish(asks('three', { run: undefined, title: 'Third' }));
    await pushing.pass(1);
    await pushing.publish({ type: 'operation.clear', id: 'three' });
    await pushing.pass(30);
    assert.deepEqual(told(pushing), [['attention', 'Second needs you', true]]);
  });
});

it('many subscriptions of one slow service are all told, each once, and none waits for its own deadline', async (t) => {
  const pushing = await servePush(t, { more: { timeoutMs: 5_000, subscriptionsPerUser: 1_000 } });
  const { service, gateway } = pushing;
  const names = Array.from({ length: 200 }, (_, n) => `phone-${n}`);
  for (const name of names) assert.equal((await pushing.subscribe(name)).status, 200);
  service.delayMs = 300;
  await pushing.publish(...ended('r'));
  await pushing.pass(1);
  assert.equal(service.received.length, names.length);
  assert.deepEqual([gateway.push?.stats.sent, gateway.push?.stats.retried], [names.length, 0]);
});

describe('a clock that is set back an hour', () => {
  for (const what of ['progress', 'the end', 'a retry', 'what a page sees'] as const) {
    it(`does not hold back ${what}`, async (t) => {
      const pushing = await servePush(t);
      const { clock, service, url } = pushing;
      await pushing.subscribe('phone');
      await pushing.publish(run('r1', 'running'), build(1));
      await pushing.pass(1);
      if (what === 'the end') for (const name of ['a', 'b', 'c']) await pushing.publish(...ended(name)).then(() => pushing.pass(1));
      if (what === 'what a page sees') await post(`${url}/v1/sessions/chat-1/presence`, { page: 'tab', visible: true });
      if (what === 'a retry') service.replies = [500, 500, 500, 500];
      if (what === 'a retry') await pushing.publish(run('r1', 'completed'));
      else await pushing.publish(build(2));
      await pushing.pass(what === 'a retry' ? 30 : 1);
      service.replies = [];
      clock.time -= 3_600_000;
      clock.shift(-3_600_000);
      const before = service.received.length;
      if (what !== 'a retry') await pushing.publish(...(what === 'progress' ? [build(3)] : [run('r1', 'completed')]));
      await pushing.pass(75);
      const since = service.received.slice(before).map(({ message }) => message.alert);
      assert.ok(what === 'progress' ? since.length > 0 : since.includes(true), 'it is told');
    });
  }
});

it('a gateway that is stopped sends nothing more, and the next one tells who is left', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-push-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const open = () => createSqliteStore(join(directory, 'a.db'), { log: () => undefined });
  const first = await servePush(t, { store: open(), more: { subscriptionsPerUser: 1_000, timeoutMs: 60_000 } });
  const { service, clock, gateway } = first;
  const names = Array.from({ length: 100 }, (_, n) => `phone-${n}`);
  for (const name of names) await first.subscribe(name);
  // Twenty are taken, the next ones are on their way for ever.
  service.replies = [...Array<Reply>(20).fill(201), ...Array<Reply>(100).fill('hang')];
  await first.publish(...ended('r'));
  clock.advance(1_000);
  while (service.received.length < 30) await new Promise(setImmediate);
  await gateway.close();
  const sent = service.received.length;
  assert.ok(sent <= 36, `${sent} were sent`);
  service.replies = [];
  // What had left before may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(service.received.length <= 36, `${service.received.length - sent} more were sent`);
  const second = await servePush(t, { store: open(), service, clock, more: { subscriptionsPerUser: 1_000 } });
  await second.pass(90);
  for (const name of names)
    assert.equal(new Set(service.received.filter((each) => each.name === name).map(({ message }) => message.id)).size, 1);
});

it('a service that asks to be asked again at once is not asked every second', async (t) => {
  const pushing = await servePush(t);
  await pushing.subscribe('phone');
  pushing.service.replies = Array.from({ length: 200 }, () => ({ status: 429, headers: { 'retry-after': '0' } }));
  await pushing.publish(...ended('r1'));
  await pushing.pass(120);
  assert.ok(pushing.service.received.length <= 7, `${pushing.service.received.length} in two minutes`);
});
