import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createGateway, createToken, newKey, readKeys } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { http, operation, post, rawAnswer, serve, stream } from './support.ts';

const S = '/v1/sessions/s';
const keys = readKeys(newKey('HS256'));

describe('the rate of requests', () => {
  it('is bounded for an address, says when to come back, and grows again with time', async (t) => {
    const { url, clock } = await serve(t, { rateLimit: 5 });
    for (let n = 0; n < 10; n += 1) assert.equal((await http(`${url}${S}`)).status, 200, `${n}`);
    const { status, body, headers } = await post(`${url}${S}/events`, operation('x'));
    assert.deepEqual([status, body.error.code, headers['retry-after']], [429, 'too_many_requests', '1']);
    assert.equal((await http(`${url}/healthz`)).status, 200);
    assert.equal((await http(`${url}${S}/stream`)).status, 429);
    clock.advance(400);
    assert.equal((await http(`${url}${S}`)).status, 200);
    assert.equal((await http(`${url}${S}`)).status, 200);
    assert.equal((await http(`${url}${S}`)).status, 429);
    clock.advance(3_600_000);
    for (let n = 0; n < 10; n += 1) assert.equal((await http(`${url}${S}`)).status, 200);
    assert.equal((await http(`${url}${S}`)).status, 429);
  });

  it('may be less than one a second', async (t) => {
    const { url } = await serve(t, { rateLimit: 0.1 });
    assert.equal((await http(`${url}${S}`)).status, 200);
    assert.equal((await http(`${url}${S}`)).headers['retry-after'], '10');
  });

  it('is counted for each token by itself, and for bad tokens by their address', async (t) => {
    const { url, clock } = await serve(t, { rateLimit: 2, keys });
    const headers = await Promise.all(
      ['a', 'b'].map(async () => ({ authorization: `Bearer ${await createToken(keys, { prefixes: [''], now: clock.now() })}` })),
    );
    const statuses = async (with_: Record<string, string>, count: number) => {
      const seen: number[] = [];
      for (let n = 0; n < count; n += 1) seen.push((await http(`${url}${S}`, { headers: with_ })).status);
      return seen;
    };
    // The first use of a token is counted for its address, all others for the token.
    assert.deepEqual(await statuses(headers[0]!, 6), [200, 200, 200, 200, 200, 429]);
    assert.deepEqual(await statuses(headers[1]!, 6), [200, 200, 200, 200, 200, 429]);
    assert.deepEqual(await statuses({ authorization: 'Bearer x.y.z' }, 3), [401, 401, 429]);
    assert.deepEqual(await statuses({}, 1), [429]);
  });

  it('is counted for the address a trusted proxy saw, whatever the caller says before it', async (t) => {
    const { url } = await serve(t, { rateLimit: 1, trustProxy: true });
    const from = async (forwarded: string) => (await http(`${url}${S}`, { headers: { 'x-forwarded-for': forwarded } })).status;
    assert.deepEqual([await from('1.1.1.1'), await from('9.9.9.9, 1.1.1.1'), await from('8.8.8.8,1.1.1.1')], [200, 200, 429]);
    assert.equal(await from('1.1.1.1, 2.2.2.2'), 200);
    // A subscriber of IPv6 has a network, not an address.
    assert.deepEqual([await from('2001:db8::1'), await from('2001:DB8:0:0:ffff::2'), await from('2001:0db8::9:9')], [200, 200, 429]);
    assert.equal(await from('2001:db8:0:1::1'), 200);
    assert.deepEqual([await from('::ffff:1.1.1.1'), await from('nonsense')], [429, 200]);
    const { url: direct } = await serve(t, { rateLimit: 1 });
    for (const [forwarded, status] of [
      ['1.1.1.1', 200],
      ['2.2.2.2', 200],
      ['3.3.3.3', 429],
    ] as const) {
      assert.equal((await http(`${direct}${S}`, { headers: { 'x-forwarded-for': forwarded } })).status, status);
    }
  });
});

describe('the streams of one address', () => {
  it('are bounded, and what is closed or refused makes room', async (t) => {
    const { url, gateway } = await serve(t, { addressClientLimit: 2, trustProxy: true, sessionClientLimit: 3 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const readers = [stream(t, `${url}${S}/stream`, from('1.1.1.1')), stream(t, `${url}/v1/sessions/o/stream`, from('1.1.1.1'))];
    for (const reader of readers) await reader.next();
    const { status, body, headers } = await http(`${url}/v1/sessions/p/stream`, { headers: from('1.1.1.1') });
    assert.deepEqual([status, body.error.code, headers['retry-after']], [429, 'too_many_streams', '2']);
    assert.match(body.error.message, /One address may have at most 2/);
    const others = [stream(t, `${url}${S}/stream`, from('2.2.2.2')), stream(t, `${url}${S}/stream`, from('3.3.3.3'))];
    for (const reader of others) await reader.next();
    // Refused for the session, and so not counted for the address.
    for (let n = 0; n < 3; n += 1) {
      assert.match((await http(`${url}${S}/stream`, { headers: from('3.3.3.3') })).body.error.message, /A session serves at most 3/);
    }
    readers[0]?.close();
    while (gateway.clients > 3) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await stream(t, `${url}/v1/sessions/p/stream`, from('1.1.1.1')).next()).event, 'snapshot');
    assert.equal((await stream(t, `${url}/v1/sessions/p/stream`, from('3.3.3.3')).next()).event, 'snapshot');
  });
});

describe('the operations of one session', () => {
  it('lets readers know which operations had to leave', async () => {
    const store = createMemoryStore();
    const gateway = createGateway({ store, operationLimit: 2, log: () => undefined });
    const index = new SessionIndex('s');
    const told: string[] = [];
    gateway.subscribe('s', (event) => {
      told.push(event.type === 'operation' || event.type === 'operation.clear' ? `${event.type} ${event.id}` : event.type);
      if (event.type === 'snapshot') index.load(event);
      else if (event.type === 'changes') assert.fail('in process every event is told');
      else if (event.type !== 'heartbeat' && event.type !== 'resync' && event.type !== 'end') index.apply(event);
    });
    const ids = async (): Promise<unknown[]> => (await gateway.snapshot('s')).operations.map(({ id }) => id);
    await gateway.snapshot('s');
    for (const id of ['a', 'b', 'c']) await gateway.publish('s', [{ type: 'operation', id, state: 'running' }]);
    assert.deepEqual(told, ['snapshot', 'operation a', 'operation b', 'operation.clear a', 'operation c']);
    // One that has ended when it comes is the first to go.
    await gateway.publish('s', [{ type: 'operation', id: 'd', run: 'r', state: 'completed' }]);
    assert.deepEqual(told.slice(5), ['operation d', 'operation.clear d']);
    assert.deepEqual(await ids(), ['b', 'c']);
    assert.deepEqual(
      [...index.operations.values()].map(({ id }) => id),
      ['b', 'c'],
    );
    for (const gone of [{ id: 'a' }, { id: 'd', run: 'r' }])
      assert.equal((await gateway.publish('s', [{ type: 'operation', ...gone }])).results[0]?.outcome, 'late');
    assert.deepEqual((await store.load('s'))?.tombstones.length, 2, 'and the store remembers them');
    await gateway.close();
  });

  it('are bounded: finished ones go first, and the rest stays', async (t) => {
    const { url } = await serve(t, { operationLimit: 3 });
    const events = ['a', 'b', 'c'].map((id) => operation(id, { state: id === 'b' ? 'completed' : 'running' }));
    await post(`${url}${S}/events`, [...events, operation('d', { state: 'running' })]);
    const { body } = await http(`${url}${S}`);
    assert.deepEqual(
      body.operations.map(({ id }: { id: string }) => id),
      ['a', 'c', 'd'],
    );
  });
});

describe('the headers of a request', () => {
  it('are bounded, in words a program can read', async (t) => {
    const { url } = await serve(t);
    const answer = await rawAnswer(t, url, `GET ${S} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 431 .*"code":"headers_too_large"/s);
  });
});
