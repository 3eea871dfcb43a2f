import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createToken, newVapidKeys, readKeys, readVapidKeys } from '@sitrep/server';
import { encodeMessage, topicOf } from '../../dist/push/message.js';
import { endpointFault, isPublic } from '../../dist/push/endpoint.js';
import { http, post, put, send, serve } from '../support.ts';
import { KEYS, run, servePush } from './support.ts';

describe('where a gateway pushes to', () => {
  it('is push services of browsers and hosts that were named, over TLS', () => {
    const rules = { hosts: ['push.example', '*.own.example:8443'], privateHosts: ['push.lan:4443'] };
    for (const good of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'https://FCM.googleapis.com:443/fcm/send/abc',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
      'https://push.example/x',
      'https://a.own.example:8443/x',
      'https://push.lan:4443/x',
    ])
      assert.equal(endpointFault(good, rules), undefined, good);
    for (const bad of [
      undefined,
      7,
      '',
      'fcm.googleapis.com',
      'http://fcm.googleapis.com/x',
      'ftp://fcm.googleapis.com/x',
      'https://user:pw@fcm.googleapis.com/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://evil-notify.windows.com/x',
      'https://notify.windows.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://push.example:8443/x',
      'https://push.lan/x',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://169.254.169.254/latest/meta-data',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://localhost/x',
      `https://push.example/${'x'.repeat(2_048)}`,
    ])
      assert.equal(typeof endpointFault(bad, rules), 'string', String(bad));
    // Named by its address, it still must not be one of this network.
    assert.match(endpointFault('https://10.0.0.1/x', { hosts: ['10.0.0.1'] }) ?? '', /address of this network/);
  });

  it('is public addresses only', () => {
    for (const own of [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.8.8.8',
      '169.254.169.254',
      '172.31.255.255',
      '192.168.1.1',
      '198.19.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:a00:1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2002:a00:1::',
      '2001:0:a00:1::',
      'no address',
    ])
      assert.equal(isPublic(own), false, own);
    for (const open of ['8.8.8.8', '172.32.0.1', '142.250.1.1', '2a00:1450:4001::200a', '2600:1900::1', '::ffff:8.8.8.8'])
      assert.equal(isPublic(open), true, open);
  });

  it('is never an address of this network that a listed name points to', async (t) => {
    // The name is allowed; that it leads here is seen when it is looked up.
    const pushing = await servePush(t, { more: { privateHosts: [], hosts: ['localhost:*'] } });
    assert.equal((await pushing.subscribe('phone')).status, 400);
    const { port } = new URL(pushing.service.url);
    const other = await servePush(t, { service: pushing.service, more: { privateHosts: [], hosts: [`localhost:${port}`] } });
    assert.equal((await other.subscribe('phone')).status, 200);
    await other.publish(run('r1', 'running'), run('r1', 'completed'));
    await other.pass(2);
    assert.deepEqual([other.service.received, other.service.strays], [[], []]);
    assert.match(other.log.join('\n'), /localhost points to (127\.0\.0\.1|::1), an address of this network/);
  });
});

/** Node gives a DELETE no length by itself. */
const remove = (url: string, value: object) =>
  send('DELETE', url, value, { 'content-length': String(Buffer.byteLength(JSON.stringify(value))) });

describe('the addresses of push', () => {
  it('answer push_off without keys, and presence changes nothing', async (t) => {
    const { url } = await serve(t);
    for (const answer of [await http(`${url}/v1/push/key`), await put(`${url}/v1/push/subscriptions`, {})]) {
      assert.deepEqual([answer.status, answer.body.error.code], [404, 'push_off']);
    }
    assert.equal((await post(`${url}/v1/sessions/s/presence`, { page: 'p', visible: true })).status, 204);
  });

  it('give the key, and take what a browser gives and nothing else', async (t) => {
    const { url, service, gateway, clock } = await servePush(t);
    assert.deepEqual((await http(`${url}/v1/push/key`)).body, { key: KEYS.publicKey });
    const good = service.subscribe('phone');
    const at = `${url}/v1/push/subscriptions`;
    for (const [body, message] of [
      [[], /must be a subscription/],
      [{ ...good, keys: {} }, /keys\.p256dh/],
      [{ ...good, keys: { ...good.keys, p256dh: 'AAAA' } }, /keys\.p256dh/],
      [{ ...good, keys: { ...good.keys, auth: `${good.keys.auth}AA` } }, /keys\.auth/],
      [{ ...good, endpoint: 'https://intranet.example/' }, /no push service/],
      [{ ...good, session: 7 }, /session/],
      [{ ...good, session: '..' }, /session/],
    ] as const) {
      const answer = await put(at, body);
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'bad_request']);
      assert.match(answer.body.error.message, message);
    }
    assert.equal((await put(at, good, { 'content-type': 'text/plain' })).status, 415);
    assert.equal((await put(at, good, { origin: 'https://evil.example' })).status, 403);
    const first = await put(at, { ...good, session: 'a' });
    assert.deepEqual([first.status, first.body.sessions], [200, ['a']]);
    assert.deepEqual((await put(at, { ...good, session: 'b' })).body, { id: first.body.id, sessions: ['a', 'b'] });
    assert.equal(first.text.includes(good.endpoint), false);
    const all = async () => gateway.push?.subscriptions.all(clock.now());
    assert.equal((await all())?.length, 1);
    assert.equal((await remove(at, { endpoint: good.endpoint, session: 'a' })).status, 204);
    assert.deepEqual(
      (await all())?.map(({ only }) => only),
      [['b']],
    );
    assert.equal((await remove(at, { endpoint: good.endpoint, session: 'b' })).status, 204);
    assert.deepEqual(await all(), []);
    assert.equal((await remove(at, {})).status, 400);
    assert.equal((await http(at)).headers['allow'], 'PUT, PATCH, DELETE');
  });

  it('keep so many subscriptions of a user, in all, and as long as a page renews them', async (t) => {
    const pushing = await servePush(t, { more: { subscriptionsPerUser: 2, subscriptions: 3, subscriptionMs: 60_000 } });
    const count = async () => (await pushing.gateway.push?.subscriptions.all(pushing.clock.now()))?.length;
    for (const name of ['a', 'b', 'c']) {
      await pushing.subscribe(name);
      await pushing.pass(1);
    }
    assert.equal(await count(), 2, 'the one renewed longest ago went');
    await pushing.publish(run('r1', 'running'), run('r1', 'completed'));
    await pushing.pass(2);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => pushing.service.taken(name).length),
      [0, 1, 1],
    );
    await pushing.pass(60);
    assert.equal(await count(), 0);
  });

  it('let the whole be full for one user without another one losing any', async (t) => {
    const keys = readKeys('a secret of thirty-two bytes or more');
    const pushing = await servePush(t, { keys, more: { subscriptions: 2 } });
    const bearer = async (subject: string) => ({
      authorization: `Bearer ${await createToken(keys, { subject, prefixes: [''], now: pushing.clock.now() })}`,
    });
    for (const name of ['a', 'b']) assert.equal((await pushing.subscribe(name, {}, await bearer('ada'))).status, 200);
    const full = await pushing.subscribe('c', {}, await bearer('bob'));
    assert.deepEqual([full.status, full.body.error.code], [429, 'too_many_subscriptions']);
    assert.ok(full.headers['retry-after']);
  });

  it('let a browser that knows its old endpoint and secret take a new one, and nobody else', async (t) => {
    const { url, service, gateway, clock } = await servePush(t);
    const [old, next] = [service.subscribe('old'), service.subscribe('next')];
    const at = `${url}/v1/push/subscriptions`;
    await put(at, { ...old, session: 's' });
    const known = { endpoint: old.endpoint, auth: old.keys.auth };
    for (const wrong of [{ ...known, auth: next.keys.auth }, { ...known, endpoint: next.endpoint }, {}, null]) {
      const answer = await send('PATCH', at, { ...next, old: wrong });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
    }
    assert.equal((await send('PATCH', at, { ...next, endpoint: 'https://evil.example/', old: known })).status, 400);
    assert.equal((await send('PATCH', at, { ...next, old: known })).status, 200);
    const found = await gateway.push?.subscriptions.all(clock.now());
    assert.deepEqual(
      found?.map(({ endpoint, only }) => [endpoint, only]),
      [[next.endpoint, ['s']]],
    );
  });

  it('refuse a presence that is none', async (t) => {
    const { url } = await servePush(t);
    for (const body of [{}, { page: '', visible: true }, { page: 'p'.repeat(65), visible: true }, { page: 'p', visible: 'yes' }, []])
      assert.equal((await post(`${url}/v1/sessions/s/presence`, body)).status, 400);
  });
});

describe('messages', () => {
  const message = {
    sitrep: 1,
    session: 's',
    slot: 'status',
    tag: 'chat-s-status',
    title: '',
    body: '',
    alert: true,
    id: 'e:1',
    at: 1,
  } as const;

  it('fit into what push services take, whatever their texts, and end on a whole character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 3_000 }),
        fc.string({ unit: fc.constantFrom('"', '\\', '\u0007', '界', '🦊', 'a'), maxLength: 3_000 }),
        fc.integer({ min: 200, max: 3_993 }),
        (title, body, limit) => {
          const bytes = encodeMessage({ ...message, title, body }, limit);
          assert.ok(bytes.length <= limit, `${bytes.length} of ${limit}`);
          const read = JSON.parse(bytes.toString()) as { title: string; body: string };
          if (!title.includes('\ufffd')) assert.ok(!bytes.includes(Buffer.from('\ufffd')));
          if (Buffer.byteLength(JSON.stringify({ ...message, title, body })) <= limit)
            assert.deepEqual([read.title, read.body], [title, body]);
          for (const [text, whole] of [
            [read.title, title],
            [read.body, body],
          ] as const)
            assert.ok(text === '' || text === whole || whole.startsWith(text.replace(/…$/, '')));
        },
      ),
      { numRuns: 300 },
    );
    // Of two long texts not every few bytes are tried.
    const long = encodeMessage({ ...message, title: '🦊'.repeat(100_000), body: '界'.repeat(100_000) });
    assert.ok(long.length <= 3_993 && long.length > 3_800);
  });

  it('have a topic of 32 characters for a place, that says nothing of it', () => {
    const topics = new Set(
      ['chat-a-status', 'chat-a-attention', `chat-${'ü:/'.repeat(80)}-status`].flatMap((tag) => [topicOf(tag, 'x'), topicOf(tag, 'y')]),
    );
    assert.equal(topics.size, 6);
    for (const topic of topics) assert.match(topic, /^[\w-]{32}$/);
  });
});

describe('keys of push', () => {
  it('are a pair, of whoever can be turned to', () => {
    for (let n = 0; n < 20; n += 1) {
      const keys = newVapidKeys('https://ops.example/contact');
      assert.deepEqual(readVapidKeys(JSON.stringify(keys)), keys);
    }
    const [one, two] = [newVapidKeys('mailto:a@example.com'), newVapidKeys('mailto:a@example.com')];
    for (const [text, message] of [
      ['', /must be JSON/],
      ['null', /"subject"/],
      [JSON.stringify({ ...one, subject: 'ops' }), /"subject"/],
      [JSON.stringify({ ...one, subject: 'https://localhost' }), /"subject"/],
      [JSON.stringify({ ...one, publicKey: 'AAAA' }), /"publicKey" must be/],
      [JSON.stringify({ ...one, privateKey: '' }), /"privateKey" must be/],
      [JSON.stringify({ ...one, publicKey: two.publicKey }), /not that of/],
    ] as const)
      assert.throws(() => readVapidKeys(text), message);
  });
});
