import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { http, operation, post, put, raw, rawAnswer, send, serve, stream } from './support.ts';

const S = '/v1/sessions/s';

describe('the routes', () => {
  it('tell how the gateway is', async (t) => {
    const { url } = await serve(t);
    const { status, body } = await http(`${url}/healthz`);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['ok', 'version', 'store']);
    assert.equal(body.ok, true);
    assert.match(body.version, /^\d+\.\d+\.\d+/);
    assert.equal(body.store, 'memory');
  });

  it('list sessions with title and activity, newest first, bounded', async (t) => {
    const { url, clock } = await serve(t);
    await post(`${url}/v1/sessions/a/events`, [{ type: 'session', title: 'First' }, operation('x', { state: 'running' })]);
    await post(`${url}/v1/sessions/b/events`, operation('x', { state: 'blocked', blockedOn: { kind: 'permission' } }));
    await post(`${url}/v1/sessions/c/events`, operation('x', { state: 'completed' }));
    const { body } = await http(`${url}/v1/sessions`);
    assert.deepEqual(
      body.sessions.map(({ session, title, activity }: Record<string, string>) => [session, title, activity]),
      [
        ['c', undefined, 'done'],
        ['b', undefined, 'needs-you'],
        ['a', 'First', 'working'],
      ],
    );
    assert.equal(body.sessions[0].updatedAt, clock.now());
    assert.equal((await http(`${url}/v1/sessions?limit=1`)).body.sessions.length, 1);
    for (const limit of ['0', '1001', 'x', '1.5', '', '1e2', '0x10', '%205']) {
      const refused = await http(`${url}/v1/sessions?limit=${limit}`);
      assert.equal(refused.status, 400);
      assert.match(refused.body.error.message, /limit must be a whole number from 1 to 1000/);
    }
  });

  it('list nothing as working that nobody has heard of for half a minute', async (t) => {
    const { url, clock, gateway } = await serve(t);
    await post(`${url}/v1/sessions/run/events`, { type: 'run', run: 'r', state: 'running' });
    await post(`${url}/v1/sessions/asks/events`, operation('x', { state: 'blocked' }));
    await post(`${url}/v1/sessions/done/events`, operation('x', { state: 'completed' }));
    await post(`${url}/v1/sessions/heard/events`, operation('x', { state: 'running' }));
    const shown = async (): Promise<unknown> =>
      Object.fromEntries(
        (await http(`${url}/v1/sessions`)).body.sessions.map((each: Record<string, string>) => [each['session'], each['activity']]),
      );
    assert.deepEqual(await shown(), { run: 'working', asks: 'needs-you', done: 'done', heard: 'working' });
    clock.advance(30_001);
    await post(`${url}/v1/sessions/heard/events`, operation('x', { current: 1 }));
    assert.deepEqual(await shown(), { run: 'quiet', asks: 'needs-you', done: 'done', heard: 'working' });
    clock.advance(270_000);
    assert.deepEqual(await shown(), { run: 'stale', asks: 'needs-you', done: 'done', heard: 'quiet' });
    assert.equal((await gateway.sessions({ open: true })).find(({ session }) => session === 'run')?.activity, 'stale');
  });

  it('answer an unknown address with 404 and another method with 405 and what is allowed', async (t) => {
    const { url } = await serve(t);
    for (const path of ['/', '/v1', '/v1/sessions/s/nothing', '/v2/sessions', '/v1/sessions//events']) {
      const { status, body } = await http(url + path);
      assert.equal(status, 404, path);
      assert.equal(body.error.code, 'not_found');
    }
    for (const [method, path, allow] of [
      ['POST', '/healthz', 'GET, HEAD'],
      ['DELETE', S, 'GET, HEAD'],
      ['PUT', '/v1/sessions', 'GET, HEAD'],
      ['GET', `${S}/events`, 'POST'],
      ['POST', `${S}/card`, 'PUT'],
      ['POST', `${S}/stream`, 'GET, HEAD'],
    ] as const) {
      const { status, headers, body } = await http(url + path, { method });
      assert.equal(status, 405, `${method} ${path}`);
      assert.equal(headers.allow, allow);
      assert.equal(body.error.code, 'method_not_allowed');
    }
  });

  it('can be added to by the program that embeds the gateway, under the same Host check', async (t) => {
    const { gateway } = await serve(t);
    const { createGateway } = await import('@sitrep/server');
    const { createMemoryStore } = await import('@sitrep/server/memory');
    const own = createGateway({ store: createMemoryStore() });
    t.after(() => own.close());
    own.app.get('/mine', (c) => c.text('page'));
    const { url } = await own.listen({ port: 0 });
    assert.equal((await http(`${url}/mine`)).text, 'page');
    assert.equal((await http(`${url}/mine`, { headers: { 'sec-fetch-site': 'cross-site' } })).status, 200);
    assert.equal((await http(`${url}/mine`, { headers: { host: 'evil.example' } })).status, 403);
    assert.ok(gateway.app);
  });
});

describe('the body', () => {
  it('must be declared as JSON', async (t) => {
    const { url } = await serve(t);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'text/plain; a=application/json',
      'application/jsonp',
      undefined,
    ]) {
      for (const [method, path] of [
        ['POST', `${S}/events`],
        ['PUT', `${S}/card`],
      ] as const) {
        const { status, body } = await http(url + path, {
          method,
          headers: type === undefined ? {} : { 'content-type': type },
          body: '{}',
        });
        assert.equal(status, 415, String(type));
        assert.equal(body.error.code, 'unsupported_media_type');
      }
    }
    for (const type of ['application/json; charset=utf-16', 'application/json;charset="latin1"']) {
      const { status, body } = await post(`${url}${S}/events`, operation('x'), { 'content-type': type });
      assert.deepEqual([status, body.error.code], [415, 'unsupported_media_type'], type);
      assert.match(body.error.message, /UTF-8/);
    }
    const packed = await post(`${url}${S}/events`, operation('x'), { 'content-encoding': 'gzip' });
    assert.equal(packed.status, 415);
    assert.match(packed.body.error.message, /content-encoding/);
    for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])
      assert.equal((await post(`${url}${S}/events`, operation('x'), { 'content-type': type })).status, 200);
  });

  it('may be so large and no larger, declared or not', async (t) => {
    const { url } = await serve(t, { bodyLimit: 1_000 });
    const fits = JSON.stringify(operation('x', { pad: '' }));
    const exact = JSON.stringify(operation('x', { pad: 'p'.repeat(1_000 - fits.length) }));
    assert.equal((await post(`${url}${S}/events`, exact)).status, 200);
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      for (const [method, path] of [
        ['POST', `${S}/events`],
        ['PUT', `${S}/card`],
      ] as const) {
        const { status, body } = await send(method, url + path, `${exact} `, headers as Record<string, string>);
        assert.equal(status, 413);
        assert.equal(body.error.code, 'payload_too_large');
        assert.match(body.error.message, /at most 1000 bytes/);
      }
    }
    assert.equal((await send('POST', `${url}${S}/events`, exact, { 'transfer-encoding': 'chunked' })).status, 200);
  });

  it('that is no JSON is answered with what it should be', async (t) => {
    const { url } = await serve(t);
    assert.match((await post(`${url}${S}/events`, '{')).body.error.message, /one event, or an array of events/);
    assert.match((await put(`${url}${S}/card`, '{')).body.error.message, /a card: an object with plan, markdown or both/);
  });

  it('that breaks off leaves nothing behind, and no fault in the log', async (t) => {
    const { url, log } = await serve(t);
    for (const length of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const socket = await raw(
        t,
        url,
        `POST ${S}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${length}\r\n\r\n`,
      );
      // The answer to Expect says that the handler is at work.
      await once(socket, 'data');
      socket.write(length.startsWith('C') ? '{"type":' : '8\r\n{"type":\r\n');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    assert.equal((await http(`${url}${S}`)).body.seq, 0);
    assert.deepEqual(log, []);
  });

  it('is read as UTF-8, also when a character is cut by a chunk', async (t) => {
    const { url } = await serve(t);
    const bytes = Buffer.from(JSON.stringify(operation('x', { title: 'ü🦊' })));
    const cut = bytes.indexOf(0xf0) + 2;
    const chunk = (part: Buffer): string => `${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`;
    const { connect } = await import('node:net');
    const { port } = new URL(url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST ${S}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        socket.write(chunk(bytes.subarray(0, cut)), 'latin1');
        setImmediate(() => socket.write(`${chunk(bytes.subarray(cut))}0\r\n\r\n`, 'latin1'));
      });
      socket.on('data', () => undefined).on('close', () => resolve());
    });
    assert.equal((await http(`${url}${S}`)).body.operations[0].title, 'ü🦊');
  });
});

describe('the Host header', () => {
  it('must be a loopback name or one that was allowed', async (t) => {
    const { url } = await serve(t, { allowedHosts: ['Board.example', 'exact.example:8080'] });
    const status = async (host: string): Promise<number> => (await http(`${url}${S}`, { headers: { host } })).status;
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:9', '[::1]:4747', 'board.example', 'board.example:99', 'exact.example:8080'])
      assert.equal(await status(host), 200, host);
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'exact.example',
      'exact.example:80',
      '127.0.0.1.nip.io',
      '0.0.0.0',
      '127.0.0.2',
      'localhost@evil.example',
    ]) {
      const code = await status(host);
      assert.ok(code === 403 || code === 400, `${host}: ${code}`);
    }
    const { body } = await http(`${url}${S}`, { headers: { host: 'evil.example' } });
    assert.equal(body.error.code, 'forbidden_host');
    assert.match(await rawAnswer(t, url, `GET ${S} HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n`), /^HTTP\/1\.1 400 /);
  });

  it('must not come twice', async (t) => {
    const { url } = await serve(t);
    for (const second of ['evil.example', 'localhost']) {
      for (const path of [S, `${S}/stream`, '/healthz', '/nothing']) {
        const answer = await rawAnswer(t, url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: ${second}\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 40[03] /, `${path} ${second}`);
      }
    }
  });

  it('is checked before anything is stored or streamed', async (t) => {
    const { url, gateway } = await serve(t);
    const headers = { host: 'evil.example' };
    assert.equal((await post(`${url}${S}/events`, operation('x'), headers)).status, 403);
    assert.equal((await put(`${url}${S}/card`, { markdown: 'x' }, headers)).status, 403);
    assert.equal((await http(`${url}${S}/stream`, { headers })).status, 403);
    assert.equal(gateway.clients, 0);
    assert.equal((await http(`${url}${S}`)).body.seq, 0);
  });
});

describe('the Origin header', () => {
  it('is refused unless it is absent, the own one, or listed', async (t) => {
    const { url } = await serve(t, { allowedOrigins: ['https://board.example'] });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(`${url}${S}/events`, operation('x'), headers)).status;
    assert.equal(await status({}), 200);
    assert.equal(await status({ origin: url }), 200);
    assert.equal(await status({ origin: 'https://board.example' }), 200);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://board.example',
      'https://board.example.evil.example',
      'http://localhost:1',
      'file://',
    ]) {
      assert.equal(await status({ origin }), 403, origin);
    }
    assert.equal((await post(`${url}${S}/events`, operation('x'), { origin: 'null' })).body.error.code, 'forbidden_origin');
    assert.equal(
      (await http(`${url}${S}`, { headers: { origin: 'https://evil.example' } })).headers['access-control-allow-origin'],
      undefined,
    );
  });

  it('gets CORS headers when it is listed, on errors and streams too', async (t) => {
    const { url } = await serve(t, { allowedOrigins: ['https://board.example'] });
    const headers = { origin: 'https://board.example', 'sec-fetch-site': 'cross-site' };
    for (const answer of [
      await http(`${url}${S}`, { headers }),
      await http(`${url}/v1/nothing`, { headers }),
      await http(`${url}/nothing`, { headers }),
      await http(`${url}/healthz`, { headers }),
      await post(`${url}/readyz`, operation('x'), headers),
      await post(`${url}${S}/events`, '{', headers),
    ]) {
      assert.equal(answer.headers['access-control-allow-origin'], 'https://board.example', String(answer.status));
      assert.equal(answer.headers.vary, 'Origin');
    }
    const reader = stream(t, `${url}${S}/stream`, headers);
    await reader.next();
    assert.equal(reader.headers['access-control-allow-origin'], 'https://board.example');
  });

  it('is not shared with by what a program adds of its own', async (t) => {
    const { url, gateway } = await serve(t, { allowedOrigins: ['https://board.example'] });
    gateway.app.get('/mine', (c) => c.text('mine'));
    const { status, headers } = await fetch(`${url}/mine`, { headers: { origin: 'https://board.example' } });
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), null);
  });

  it('is told of once when it is refused, as it would be allowed, and never of more than twenty', async (t) => {
    const { url, log } = await serve(t, { allowedOrigins: ['https://board.example'] });
    const ask = (origin: string, method = 'GET') => http(`${url}${S}`, { method, headers: { origin } });
    for (let n = 0; n < 3; n++) await ask('http://localhost:5173');
    await ask('http://localhost:5173', 'OPTIONS');
    for (const quiet of ['https://board.example', url, 'null', 'file://', 'http://a$(reboot)', 'http://a b', `http://${'a'.repeat(500)}`])
      await ask(quiet);
    assert.deepEqual(log, [
      'Refused pages of http://localhost:5173. If they may read and write here: --allow-origin http://localhost:5173 (allowedOrigins in a program).',
    ]);
    for (let n = 0; n < 30; n++) await ask(`https://s${n}.example`);
    assert.equal(log.length, 20);
    assert.match(log.at(-1) ?? '', /further origins are not told/);
  });

  it('is answered in advance when it is listed', async (t) => {
    const { url } = await serve(t, { allowedOrigins: ['https://board.example'] });
    const ask = (origin: string) =>
      http(`${url}${S}/events`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
          'access-control-request-private-network': 'true',
        },
      });
    const yes = await ask('https://board.example');
    assert.equal(yes.status, 204);
    assert.match(String(yes.headers['access-control-allow-headers']), /authorization, content-type, idempotency-key, last-event-id/);
    assert.equal(yes.headers['access-control-allow-private-network'], 'true');
    assert.equal((await ask('https://evil.example')).status, 403);
  });

  it('is not needed for a cross-site request to be refused', async (t) => {
    const { url, gateway } = await serve(t);
    const { status } = await http(`${url}${S}/stream`, { headers: { 'sec-fetch-site': 'cross-site' } });
    assert.equal(status, 403);
    assert.equal(gateway.clients, 0);
    assert.equal((await http(`${url}${S}`, { headers: { 'sec-fetch-site': 'same-site' } })).status, 403);
    for (const site of ['same-origin', 'none'])
      assert.equal((await http(`${url}${S}`, { headers: { 'sec-fetch-site': site } })).status, 200);
  });
});

describe('the name of a session', () => {
  it('is percent-encoded UTF-8, or refused: no two addresses mean one session', async (t) => {
    const { url } = await serve(t);
    for (const name of ['%', '%zz', '%f', '%ff', '%ed%a0%80', '%c3x']) {
      const answer = await rawAnswer(t, url, `GET /v1/sessions/${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 400 .*bad_request.*percent-encoded/s, name);
    }
    for (const name of ['a/b', '%ff', '100%', '__proto__', '🦊'.repeat(256), 'a b', '...']) {
      assert.equal((await http(`${url}/v1/sessions/${encodeURIComponent(name)}`)).body.session, name);
    }
  });

  it('has 1 to 256 characters, no control character, and can stand in an address', async (t) => {
    const { url, gateway } = await serve(t);
    for (const name of ['x'.repeat(257), 'a\u0000', 'a\n', '\u007f']) {
      assert.equal((await post(`${url}/v1/sessions/${encodeURIComponent(name)}/events`, operation('x'))).status, 400);
    }
    for (const name of ['', '.', '..']) await assert.rejects(gateway.publish(name, [operation('x')]), { code: 'bad_request' });
  });
});

describe('what is hardly HTTP', () => {
  it('gets a clear answer and harms nobody', async (t) => {
    const { url } = await serve(t);
    assert.match(await rawAnswer(t, url, 'NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 .*\{"error":\{"code":"bad_request"/s);
    assert.match(
      await rawAnswer(t, url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 .*16 KiB/s,
    );
    assert.match(await rawAnswer(t, url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(await rawAnswer(t, url, 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n'), /^$/);
    assert.equal((await http(`${url}/healthz`)).status, 200);
  });
});
