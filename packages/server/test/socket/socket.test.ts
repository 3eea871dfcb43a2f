import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createToken, newKey, readKeys } from '@sitrep/server';
import { http, operation, post, raw, rawAnswer, serve, stream } from '../support.ts';
import { socket } from './reader.ts';

const S = '/v1/sessions/s';
const HANDSHAKE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const keys = readKeys(newKey('HS256'));
const NOW = 1_700_000_000_000;

describe('a socket', () => {
  it('begins with a snapshot and brings each event with its position, the same JSON as the stream', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = socket(t, `${url}${S}/socket`);
    const twin = stream(t, `${url}${S}/stream`);
    const first = await reader.next();
    const snapshot = (await twin.next()).data;
    assert.deepEqual(first, { cursor: `${snapshot.epoch}:0`, event: { ...snapshot, at: first.event.at } });
    assert.equal(reader.ws.protocol, 'sitrep.v1');
    assert.equal(reader.ws.extensions, '');
    await gateway.publish('s', [operation('x', { title: '"quoted" \u{1f98a}' }), operation('y')]);
    await gateway.putCard('s', { markdown: 'note' });
    for (let n = 1; n <= 3; n += 1) {
      const { id, data } = await twin.next();
      assert.deepEqual(await reader.next(), { cursor: id, event: data });
    }
    assert.equal(gateway.clients, 2);
    reader.ws.close();
    assert.equal((await reader.end()).code, 1_005);
    while (gateway.clients > 1) await new Promise((resolve) => setImmediate(resolve));
  });

  it('goes on from a cursor, and says why where it cannot', async (t) => {
    const { url, gateway } = await serve(t);
    const { cursor } = await gateway.publish('s', [operation('x')]);
    await gateway.publish('s', [operation('y'), operation('z')]);
    const epoch = cursor.split(':')[0]!;
    const resumed = socket(t, `${url}${S}/socket?cursor=${cursor}`);
    assert.deepEqual([(await resumed.next()).cursor, (await resumed.next()).cursor], [`${epoch}:2`, `${epoch}:3`]);
    const beat = await resumed.next();
    assert.deepEqual([beat.cursor, beat.event.type, beat.event.seq], [undefined, 'heartbeat', 3]);
    for (const [asked, reason] of [
      ['other:1', 'epoch'],
      [`${epoch}:9`, 'ahead'],
      ['nonsense', 'epoch'],
    ] as const) {
      const reader = socket(t, `${url}${S}/socket?cursor=${asked}`);
      assert.deepEqual((await reader.next()).event, { type: 'resync', epoch, seq: 3, reason });
      assert.equal((await reader.next()).event.type, 'snapshot');
    }
    const header = socket(t, `${url}${S}/socket?cursor=nonsense`, [], { headers: { 'last-event-id': `${epoch}:2` } });
    assert.equal((await header.next()).cursor, `${epoch}:3`);
    assert.equal(header.ws.protocol, '');
  });

  it('has a heartbeat that repeats the position', async (t) => {
    const { url, clock } = await serve(t);
    const reader = socket(t, `${url}${S}/socket`);
    const { event } = await reader.next();
    clock.advance(15_000);
    assert.deepEqual(await reader.next(), { event: { type: 'heartbeat', epoch: event.epoch, seq: 0, at: clock.now() } });
  });

  it('ends with `end` and 1000, and closes with 1001 where it shall come back', async (t) => {
    const { url, gateway } = await serve(t);
    const ended = socket(t, `${url}${S}/socket`);
    await ended.next();
    gateway.endStreams({ reason: 'maintenance' });
    assert.deepEqual((await ended.next()).event, { type: 'end', reason: 'maintenance' });
    assert.deepEqual(await ended.end(), { code: 1_000, reason: 'end' });
    const left = socket(t, `${url}${S}/socket`);
    await left.next();
    gateway.endStreams({ end: false });
    assert.deepEqual(await left.end(), { code: 1_001, reason: 'going_away' });
  });

  it('is told when to come back before the gateway stops', async (t) => {
    const { url, gateway, clock } = await serve(t);
    const readers = [socket(t, `${url}${S}/socket`), socket(t, `${url}${S}/socket`)];
    for (const reader of readers) await reader.next();
    const drained = gateway.drain({ random: () => 0.5 });
    while (gateway.clients > 0) {
      clock.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await drained;
    for (const reader of readers) assert.deepEqual(await reader.end(), { code: 1_001, reason: 'going_away retry=1000' });
    const late = socket(t, `${url}${S}/socket`);
    const { code, reason } = await late.end();
    assert.match(`${code} ${reason}`, /^4503 closed retry=\d000$/);
  });

  it('never keeps a gateway from stopping, though nobody answers its goodbye', async (t) => {
    const { url, gateway } = await serve(t);
    const mute = await raw(t, url, `GET ${S}/socket HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n`);
    await new Promise((resolve) => mute.once('data', resolve));
    const idle = await raw(t, url, `GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n`);
    idle.on('data', () => undefined);
    await gateway.close();
  });

  it('takes no message: it only reads', async (t) => {
    const { url, gateway } = await serve(t);
    const speaker = socket(t, `${url}${S}/socket`);
    await speaker.next();
    speaker.ws.send('{"type":"operation","id":"x"}');
    assert.equal((await speaker.end()).code, 1_008);
    const loud = socket(t, `${url}${S}/socket`);
    await loud.next();
    loud.ws.send('x'.repeat(2_000));
    assert.equal((await loud.end()).code, 1_009);
    const odd = await raw(t, url, `GET ${S}/socket HTTP/1.1\r\nHost: localhost\r\n${HANDSHAKE}\r\n`);
    odd.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]));
    await new Promise((resolve) => odd.on('data', () => undefined).on('close', resolve));
    assert.equal((await gateway.snapshot('s')).seq, 0);
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('is cut when a ping stays without an answer', async (t) => {
    const { url, gateway, clock } = await serve(t, { slowClientMs: 30_000 });
    const dead = socket(t, `${url}${S}/socket`, undefined, { autoPong: false });
    const alive = socket(t, `${url}${S}/socket`);
    for (const reader of [dead, alive]) await reader.next();
    for (let beat = 1; beat <= 3; beat += 1) {
      clock.advance(15_000);
      await alive.next();
      // Its answer is on its way.
      await new Promise((resolve) => alive.ws.ping('', undefined, () => alive.ws.once('pong', resolve)));
    }
    assert.equal((await dead.end()).code, 1_006);
    assert.equal(alive.closed, undefined);
    assert.equal(gateway.stats.slow.cut, 1);
  });
});

describe('a slow socket', () => {
  it('is sent the newest of what changed in place of what it missed, and is told when it happens again', async (t) => {
    const { url, gateway, clock } = await serve(t, { clientBufferLimit: 100_000 });
    const slow = socket(t, `${url}${S}/socket`);
    const healthy = socket(t, `${url}${S}/socket`);
    for (const reader of [slow, healthy]) await reader.next();
    let n = 0;
    const missMuch = async (): Promise<number> => {
      slow.ws.pause();
      const before = slow.messages.length;
      // 39 MB, far more than the kernel takes for a reader that does not read.
      for (const last = n + 2_500; n < last; n += 1)
        await gateway.publish('s', [operation(n === 7 ? 'once' : 'x', { message: `at ${n}`, ext: { pad: 'p'.repeat(15_000) }, seq: n })]);
      for (let k = 0; k < 2_500; k += 1) await healthy.next();
      slow.ws.resume();
      return before;
    };
    const came = async (type: string, seq: number): Promise<void> => {
      while (slow.messages.at(-1)?.event.type !== type || slow.messages.at(-1).event.seq !== seq) await slow.next();
    };
    await missMuch();
    await came('changes', 2_500);
    const first = slow.messages.findIndex(({ event }) => event.type === 'changes');
    // No gap before the changes, and little was queued.
    assert.deepEqual(
      slow.messages.slice(1, first).map(({ cursor }) => Number(cursor.split(':')[1])),
      Array.from({ length: first - 1 }, (_, k) => k + 1),
    );
    assert.ok(first * 15_000 < 16_000_000, `${first} messages had been queued for a reader that did not read`);
    assert.equal(
      slow.messages.slice(0, first).some(({ event }) => event.type === 'resync'),
      false,
    );
    const { operations, after, seq } = slow.messages[first].event;
    assert.deepEqual([after, slow.messages[first].cursor.split(':')[1]], [first - 1, String(seq)]);
    assert.deepEqual(
      operations.map(({ id, message }: Record<string, unknown>) => [id, message]),
      [['x', `at ${seq - 1}`]],
    );
    const again = await missMuch();
    await came('snapshot', 5_000);
    assert.ok(slow.messages.slice(again).some(({ event }) => event.type === 'resync' && event.reason === 'slow'));
    assert.ok(gateway.stats.slow.coalesced >= 1);
    assert.ok(gateway.stats.slow.resynced >= 1);
    // A heartbeat that finds it idle forgives it.
    clock.advance(15_000);
    while (slow.messages.at(-1)?.event.type !== 'heartbeat') await slow.next();
  });

  it('that takes nothing at all is cut off', async (t) => {
    const { url, gateway, clock } = await serve(t, { clientBufferLimit: 50_000, slowClientMs: 30_000 });
    const slow = socket(t, `${url}${S}/socket`);
    await slow.next();
    slow.ws.pause();
    for (let n = 1; n <= 600; n += 1) await gateway.publish('s', [operation('x', { seq: n, ext: { pad: 'p'.repeat(15_000) } })]);
    for (let beat = 0; beat < 3; beat += 1) {
      assert.equal(gateway.clients, 1);
      clock.advance(15_000);
    }
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('the rights of a socket', () => {
  const mint = (claims: object) => createToken(keys, { now: NOW, ...claims });
  const guarded = { keys };

  it('come with a header, a subprotocol, a cookie or a ticket, and the token is never sent back', async (t) => {
    const { url } = await serve(t, guarded);
    const token = await mint({ sessions: ['s'] });
    const authorization = `Bearer ${token}`;
    const { body } = await post(`${url}${S}/ticket`, {}, { authorization });
    for (const [query, protocols, headers] of [
      ['', [], { authorization }],
      ['', ['sitrep.v1', `sitrep.bearer.${token}`], {}],
      ['', ['sitrep.v1'], { cookie: `sitrep_token=${token}` }],
      [`?ticket=${body.ticket}`, ['sitrep.v1'], {}],
    ] as const) {
      const reader = socket(t, `${url}${S}/socket${query}`, protocols, { headers });
      assert.equal((await reader.next()).event.type, 'snapshot');
      assert.equal(reader.ws.protocol, protocols[0] ?? '');
    }
    const used = socket(t, `${url}${S}/socket?ticket=${body.ticket}`);
    assert.deepEqual(await used.end(), { code: 4_401, reason: 'invalid_token' });
  });

  it('are refused in the close code where a page can read that, and by status elsewhere', async (t) => {
    const { url, gateway } = await serve(t, guarded);
    const other = await mint({ sessions: ['o'] });
    const old = await createToken(keys, { sessions: ['s'], now: NOW - 7_200_000 });
    for (const [token, code, reason] of [
      [undefined, 401, 'unauthorized'],
      ['nonsense', 401, 'invalid_token'],
      [old, 401, 'token_expired'],
      [other, 403, 'forbidden'],
    ] as const) {
      const offers = token === undefined ? [] : [`sitrep.bearer.${token}`];
      const page = socket(t, `${url}${S}/socket`, ['sitrep.v1', ...offers]);
      assert.deepEqual(await page.end(), { code: 4_000 + code, reason });
      assert.deepEqual(page.messages, []);
      const program = socket(t, `${url}${S}/socket`, [], token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
      await program.end();
      assert.equal(program.status, code);
      assert.equal(JSON.parse(program.answer).error.code, reason);
    }
    assert.equal(gateway.clients, 0);
  });

  it('end with the token: `end` says so, and 4401', async (t) => {
    const { url, clock } = await serve(t, guarded);
    const token = await mint({ sessions: ['s'], expiresIn: 60 });
    const reader = socket(t, `${url}${S}/socket`, ['sitrep.v1', `sitrep.bearer.${token}`]);
    await reader.next();
    clock.advance(62_000);
    let last;
    do last = (await reader.next()).event;
    while (last.type === 'heartbeat');
    assert.deepEqual(last, { type: 'end', reason: 'token_expired' });
    assert.deepEqual(await reader.end(), { code: 4_401, reason: 'token_expired' });
  });

  it('are asked for only after Host and Origin, which no page can talk its way around', async (t) => {
    const { url } = await serve(t, { allowedOrigins: ['https://board.example'] });
    for (const [headers, code] of [
      [{ origin: 'https://evil.example' }, 'forbidden_origin'],
      [{ origin: 'null' }, 'forbidden_origin'],
      [{ 'sec-fetch-site': 'cross-site' }, 'forbidden_origin'],
      [{ host: 'evil.example' }, 'forbidden_host'],
    ] as const) {
      const page = socket(t, `${url}${S}/socket`, ['sitrep.v1'], { headers });
      await page.end();
      assert.equal(page.status, 403);
      assert.equal(JSON.parse(page.answer).error.code, code);
    }
    for (const origin of [url, 'https://board.example']) {
      const page = socket(t, `${url}${S}/socket`, ['sitrep.v1'], { headers: { origin } });
      assert.equal((await page.next()).event.type, 'snapshot');
    }
  });
});

describe('limits of sockets', () => {
  it('are those of streams, told in the close code with the time to come back', async (t) => {
    const { url } = await serve(t, { clientLimit: 3, sessionClientLimit: 2 });
    const readers = [socket(t, `${url}${S}/socket`), socket(t, `${url}${S}/socket`)];
    for (const reader of readers) await reader.next();
    assert.deepEqual(await socket(t, `${url}${S}/socket`).end(), { code: 4_429, reason: 'too_many_streams retry=2000' });
    await stream(t, `${url}/v1/sessions/o/stream`).next();
    assert.deepEqual(await socket(t, `${url}/v1/sessions/p/socket`).end(), { code: 4_503, reason: 'too_many_clients retry=2000' });
    assert.deepEqual(await socket(t, `${url}/v1/sessions/${'n'.repeat(300)}/socket`).end(), { code: 4_400, reason: 'bad_request' });
  });

  it('count each address', async (t) => {
    const { url, gateway } = await serve(t, { addressClientLimit: 1 });
    const first = socket(t, `${url}${S}/socket`);
    await first.next();
    assert.equal((await socket(t, `${url}${S}/socket`).end()).code, 4_429);
    first.ws.close();
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
    await socket(t, `${url}${S}/socket`).next();
  });

  it('leave the rest of HTTP as it was: no upgrade, another protocol, another address, a handshake that is none', async (t) => {
    const { url } = await serve(t);
    const plain = await http(`${url}${S}/socket`);
    assert.equal(plain.status, 426);
    assert.equal(plain.headers.upgrade, 'websocket');
    assert.equal(plain.body.error.code, 'upgrade_required');
    const ask = (path: string, more: string) => rawAnswer(t, url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`);
    assert.match(await ask('/v1/nothing/socket', HANDSHAKE), /^HTTP\/1\.1 404 .*"not_found"/s);
    assert.match(
      await ask('/healthz', 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'),
      /^HTTP\/1\.1 200 .*"ok":true/s,
    );
    assert.match(await ask(`${S}/socket`, 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n'), /^HTTP\/1\.1 426 /);
    assert.match(await ask(`${S}/socket`, HANDSHAKE.replace('Version: 13', 'Version: 7')), /^HTTP\/1\.1 4\d\d /);
    assert.match(await ask(`${S}/socket`, HANDSHAKE.replace(/Sec-WebSocket-Key.*\r\n/, '')), /^HTTP\/1\.1 400 /);
    const sse = await raw(t, url, `GET ${S}/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`);
    let text = '';
    for await (const chunk of sse) {
      text += String(chunk);
      if (text.includes('event: snapshot')) break;
    }
    assert.match(text, /^HTTP\/1\.1 200 OK.*event: snapshot/s);
  });

  it('are no matter where nothing else is spoken than HTTP: a body is read, and a reader that leaves is gone', async (t) => {
    const { url, gateway } = await serve(t);
    const body = JSON.stringify(operation('x'));
    for (const offer of ['Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n', `${HANDSHAKE}`]) {
      const head = `POST ${S}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
      const writer = await raw(t, url, `${head}${offer}\r\n${body.slice(0, 9)}`);
      writer.write(body.slice(9));
      const [answer] = (await once(writer, 'data')) as [Buffer];
      assert.match(String(answer), /^HTTP\/1\.1 200 .*"results":\[/s);
      const reader = await raw(t, url, `GET ${S}/stream HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n`);
      await once(reader, 'data');
      while (gateway.clients < 1) await new Promise((resolve) => setImmediate(resolve));
      reader.destroy();
      while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await gateway.snapshot('s')).seq, 1);
  });

  it('are told to whoever listens to requests, as a change of protocol', async (t) => {
    const seen: [string, number][] = [];
    const { url } = await serve(t, { onRequest: ({ path, status }) => seen.push([path, status]) });
    await socket(t, `${url}${S}/socket?cursor=x`).next();
    assert.deepEqual(seen, [[`${S}/socket`, 101]]);
  });
});
