import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readKeys, createToken } from '@sitrep/server';
import { post } from '../support.ts';
import { build, run, servePush } from './support.ts';

const title = { type: 'session', title: 'my-project', usage: { tokens: 12_400, cost: { amount: 0.03, currency: 'USD' } } };
const blocked = (id: string, more: object = {}): object => ({
  type: 'operation',
  id,
  run: 'r1',
  state: 'blocked',
  title: 'Deploy',
  ...more,
});

describe('what a browser is told by push', () => {
  it('is how far it is, without a sound, and at the end that it ended, with one', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    assert.equal((await subscribe('phone')).status, 200);
    await publish(title, run('r1', 'running'), build(42));
    await pass(1);
    await publish({ ...build(100), state: 'completed' }, run('r1', 'completed'));
    await pass(2);
    const [progress, end, ...more] = service.received;
    assert.deepEqual(more, []);
    assert.deepEqual([progress?.ttl, progress?.urgency, end?.ttl, end?.urgency], [120, 'low', 86_400, 'normal']);
    assert.equal(progress?.topic, end?.topic);
    const { id: _, at: __, ...first } = progress?.message ?? {};
    assert.deepEqual(first, {
      sitrep: 1,
      session: 'chat-1',
      slot: 'status',
      tag: 'chat-chat-1-status',
      title: 'my-project · 12.4K tok · $0.03',
      body: 'Building project 42% · file 42',
      alert: false,
      close: ['chat-chat-1-attention'],
    });
    const { tag, body, alert, id } = end?.message ?? {};
    assert.deepEqual({ tag, body, alert }, { tag: 'chat-chat-1-status', body: 'completed', alert: true });
    assert.match(id ?? '', /^[\w-]+:5 status$/);
  });

  it('is at most two messages a minute while it works, each the newest, and one at the end, whatever goes on', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(run('r1', 'running'), run('sub', 'running', { parent: 'r1' }), {
      type: 'operation',
      id: 'bg',
      state: 'running',
      ambient: true,
    });
    for (let n = 1; n <= 150; n += 1) {
      const child = { type: 'operation', id: `child-${n % 4}`, run: 'r1', parent: 'build', state: n > 140 ? 'completed' : 'running' };
      await publish(build(n / 2), child);
      await pass(1);
    }
    const quiet = service.taken('phone');
    assert.deepEqual(
      quiet.map(({ alert }) => alert),
      Array(quiet.length).fill(false),
    );
    assert.ok(quiet.length >= 4 && quiet.length <= 6, `${quiet.length} in two and a half minutes`);
    for (const [n, { at }] of quiet.entries()) assert.ok(n === 0 || at - (quiet[n - 1]?.at ?? 0) >= 30_000);
    assert.match(quiet.at(-1)?.body ?? '', /^Building project 6\d%/, 'the newest');
    await publish(run('sub', 'completed', { parent: 'r1' }), run('r1', 'completed'));
    await publish(run('r1', 'completed', { endedAt: 5 }), { type: 'operation', id: 'bg', state: 'completed', ambient: true });
    await pass(120);
    const rest = service.taken('phone').slice(quiet.length);
    assert.deepEqual(
      rest.map(({ body, alert }) => [body, alert]),
      [['completed', true]],
    );
  });

  it('is not said again where nothing changed', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(run('r1', 'running'), build(5));
    await pass(1);
    for (let n = 0; n < 3; n += 1) {
      await publish(build(5, { ext: { n } }));
      await pass(40);
    }
    assert.equal(service.received.length, 1);
  });

  it('is each request once, in a place of its own, and that it was answered', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(title, run('r1', 'running'), blocked('ask', { blockedOn: { kind: 'question', prompt: 'Where to?', requestId: '1' } }));
    await pass(2);
    await publish(blocked('ask', { message: 'still' }));
    await pass(40);
    const attention = service.received.filter(({ message }) => message.slot === 'attention');
    assert.deepEqual(
      attention.map(({ ttl, urgency, message }) => [ttl, urgency, message.tag, message.body, message.alert]),
      [[86_400, 'high', 'chat-chat-1-attention', 'Deploy has a question: Where to?', true]],
    );
    assert.ok(
      service.received.every(({ message }) => message.close === undefined),
      'nothing takes it away meanwhile',
    );
    await publish({ ...blocked('ask'), state: 'running', message: 'to the west' });
    await pass(3);
    const last = service.taken('phone').at(-1);
    assert.deepEqual(
      [last?.slot, last?.body, last?.alert, last?.close],
      ['status', 'Deploy · to the west', false, ['chat-chat-1-attention']],
    );
    // A question that is open when the run ends is over with it, and the end says so too.
    await publish(blocked('ask', { message: null, blockedOn: { kind: 'permission', requestId: '2' } }));
    await pass(60);
    await publish(run('r1', 'failed', { reason: 'out of tokens' }));
    await pass(60);
    const ends = service.taken('phone').slice(-2);
    assert.deepEqual(
      ends.map(({ slot, body, alert, close }) => [slot, body, alert, close]),
      [
        ['attention', 'Deploy needs permission', true, undefined],
        ['status', 'failed: out of tokens', true, ['chat-chat-1-attention']],
      ],
    );
  });

  it('is that one run is done while the question of another one stays where it is', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    const question = { blockedOn: { kind: 'question', prompt: 'Where to?', requestId: '1' } };
    await publish(title, run('r1', 'running'), run('r2', 'running'), { ...blocked('ask', question), run: 'r2' });
    await pass(60);
    await publish(run('r1', 'completed'));
    await pass(60);
    const tags = new Map(service.received.map(({ message }) => [message.tag, message.alert]));
    assert.equal(tags.get('chat-chat-1-attention'), true);
    assert.ok(
      service.received.every(({ message }) => message.close === undefined),
      'the question stays',
    );
    assert.notEqual(service.taken('phone').at(-1)?.body, 'Nothing needs you any more');
    await publish(run('r2', 'completed'));
    await pass(60);
    const last = service.taken('phone').at(-1);
    assert.deepEqual([last?.slot, last?.alert, last?.close], ['status', true, ['chat-chat-1-attention']]);
  });

  it('is never a question that was answered before it went out', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(blocked('ask', { run: undefined }));
    await publish({ type: 'operation.clear', id: 'ask' });
    await pass(10);
    service.replies = [503];
    await publish(blocked('again', { run: undefined }));
    await pass(1);
    await publish({ type: 'operation.clear', id: 'again' });
    await pass(120);
    assert.deepEqual(service.taken('phone'), []);
  });

  it('is that nothing is asked any more, where there is nothing else to show', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(title, blocked('ask', { run: undefined }));
    await pass(2);
    await publish({ type: 'operation.clear', id: 'ask' });
    await pass(2);
    assert.deepEqual(
      service.taken('phone').map(({ slot, body, alert }) => [slot, body, alert]),
      [
        ['attention', 'Deploy needs you', true],
        ['attention', 'Nothing needs you any more', false],
      ],
    );
  });

  it('is nothing of what was cancelled, but that it is no longer under way', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(run('r0', 'running'), run('r0', 'cancelled'));
    await pass(3);
    assert.deepEqual(service.taken('phone'), [], 'nothing was shown, nothing is to be replaced');
    await publish(run('r1', 'running'), build(1));
    await pass(2);
    await publish(run('r1', 'cancelled'));
    await pass(3);
    assert.deepEqual(
      service.taken('phone').map(({ body, alert }) => [body, alert]),
      [
        ['Building project 1% · file 1', false],
        ['cancelled', false],
      ],
    );
  });

  it('is never more than two alerts a minute of one session: then the newest counts', async (t) => {
    const { subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    for (let n = 1; n <= 20; n += 1) {
      await publish({ type: 'operation', id: `job-${n}`, state: 'completed', title: `Job ${n}` });
      await pass(2);
    }
    await pass(120);
    const bodies = service.taken('phone').map(({ body }) => body);
    assert.ok(bodies.length <= 4, String(bodies));
    assert.equal(bodies[0], 'Job 1 completed');
    assert.equal(bodies.at(-1), 'Job 20 completed');
  });

  it('is nothing while its user looks at that session, and the end only to somebody who did not see it', async (t) => {
    const { url, subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    const look = (visible: boolean, page = 'tab-1') => post(`${url}/v1/sessions/chat-1/presence`, { page, visible });
    assert.equal((await look(true)).status, 204);
    await publish(run('r1', 'running'), build(10));
    for (let n = 0; n < 4; n += 1) {
      await pass(20);
      await look(true);
      await publish(build(20 + n));
    }
    assert.deepEqual(service.received, [], 'none while it is looked at');
    // Its page goes on after the end: it was seen.
    await publish(run('r1', 'completed'));
    await pass(15);
    await look(true);
    await pass(60);
    assert.deepEqual(service.received, []);
    // This time the page dies before the end: nobody saw it, so it is told once the page is given up.
    await look(true);
    await publish(run('r2', 'running'));
    await pass(1);
    await publish(run('r2', 'completed'));
    await pass(30);
    assert.deepEqual(service.received, []);
    await pass(30);
    assert.deepEqual(
      service.taken('phone').map(({ body, alert }) => [body, alert]),
      [['completed', true]],
    );
    // A page that says it is hidden counts no longer, another one of the same user does.
    await look(true, 'tab-2');
    await look(true);
    await look(false);
    await publish(run('r3', 'running'), build(1, { run: 'r3' }));
    await pass(35);
    assert.equal(service.received.length, 1);
    await look(false, 'tab-2');
    await pass(15);
    assert.equal(service.received.length, 2);
  });

  it('is replaced on other devices, without a sound, when the end was seen on this one', async (t) => {
    const { url, subscribe, publish, pass, service } = await servePush(t);
    await subscribe('phone');
    await publish(run('r1', 'running'), build(42));
    await pass(1);
    await post(`${url}/v1/sessions/chat-1/presence`, { page: 'tab', visible: true });
    await publish(run('r1', 'completed'));
    await pass(5);
    await post(`${url}/v1/sessions/chat-1/presence`, { page: 'tab', visible: true });
    await pass(20);
    assert.deepEqual(
      service.taken('phone').map(({ body, alert }) => [body, alert]),
      [
        ['Building project 42% · file 42', false],
        ['completed', false],
      ],
    );
  });

  it('is for each user what they may read, on each of their browsers', async (t) => {
    const keys = readKeys('a secret of thirty-two bytes or more');
    const { gateway, url, subscribe, pass, service, clock } = await servePush(t, { keys });
    const bearer = async (subject: string | undefined, prefixes: string[]) => ({
      authorization: `Bearer ${await createToken(keys, { subject, prefixes, now: clock.now() })}`,
    });
    const ada = await bearer('ada', ['a/']);
    const bob = await bearer('bob', ['']);
    const nobody = await bearer(undefined, ['']);
    assert.equal((await subscribe('ada-phone', {}, ada)).status, 200);
    assert.equal((await subscribe('ada-desk', { session: 'a/2' }, ada)).status, 200);
    assert.equal((await subscribe('bob', {}, bob)).status, 200);
    assert.equal((await subscribe('x', {}, nobody)).body.error.code, 'forbidden');
    assert.equal((await subscribe('x', { session: 'b/1' }, ada)).body.error.code, 'forbidden');
    assert.equal((await subscribe('x')).status, 401);
    // Bob looks; that says nothing of Ada.
    await post(`${url}/v1/sessions/a%2F1/presence`, { page: 'tab', visible: true }, bob);
    for (const session of ['a/1', 'a/2', 'b/1']) await gateway.publish(session, [run('r', 'running'), run('r', 'completed')]);
    await pass(3);
    const told = (name: string) => service.taken(name).map(({ session }) => session);
    assert.deepEqual(told('ada-phone'), ['a/1', 'a/2']);
    assert.deepEqual(told('ada-desk'), ['a/2']);
    assert.deepEqual(told('bob'), ['a/2', 'b/1']);
  });
});
