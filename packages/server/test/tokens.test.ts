import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createToken, newKey, publicKey, readKeys } from '@sitrep/server';
import type { GatewayOptions, TokenClaims, TokenKey } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { http, operation, post, put, serve, stream } from './support.ts';

const S = '/v1/sessions/s';
const NOW = 1_700_000_000_000;
const keys = readKeys(newKey('HS256'));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const mint = (claims: TokenClaims, with_: readonly TokenKey[] = keys) => createToken(with_, { now: NOW, ...claims });
const base64 = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const guarded = (t: TestContext, options: Partial<GatewayOptions> = {}) => serve(t, { keys, ...options });

describe('keys', () => {
  it('are read as a JSON Web Key, a set of them, PEM, or a secret, and sign what they check', async () => {
    const { privateKey, publicKey: half } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const made = newKey('EdDSA');
    for (const [text, algorithm] of [
      [newKey('HS256'), 'HS256'],
      [made, 'EdDSA'],
      [`{"keys":[${publicKey(readKeys(newKey('EdDSA'))[0]!)},${made}]}`, 'EdDSA'],
      [pem, 'EdDSA'],
      ['a secret of thirty-two bytes or more\n', 'HS256'],
    ] as const) {
      const read = readKeys(text);
      assert.equal(read[0]?.algorithm, algorithm);
      assert.match(await mint({ prefixes: [''] }, read), /^[\w-]+\.[\w-]+\.[\w-]+$/);
    }
    const onlyPublic = readKeys(half.export({ type: 'spki', format: 'pem' }) as string);
    assert.equal(onlyPublic[0]?.sign, undefined);
    await assert.rejects(mint({ prefixes: [''] }, onlyPublic), /None of the keys can sign/);
    assert.equal(publicKey(keys[0]!), undefined);
    assert.equal(JSON.parse(publicKey(readKeys(made)[0]!)!).d, undefined);
  });

  it('that are none are refused in words that do not quote them', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    for (const [text, why] of [
      ['topsecret', /at least 32 bytes; this one has 9/],
      ['{"topsecret":', /JSON/],
      ['{"keys":[]}', /1 to 20/],
      ['{"kty":"RSA","n":"topsecret"}', /kty/],
      ['{"kty":"OKP","crv":"Ed25519","x":"topsecret"}', /base64url/],
      ['{"kty":"oct","alg":"HS512","k":"topsecret"}', /HS256/],
      [`{"kty":"oct","use":"enc","k":"${'A'.repeat(60)}"}`, /use/],
      [rsa, /Ed25519, not rsa/],
      ['-----BEGIN PRIVATE KEY-----\ntopsecret\n-----END PRIVATE KEY-----', /PEM/],
    ] as const) {
      assert.throws(
        () => readKeys(text),
        ({ message }: Error) => why.test(message) && !message.includes('topsecret'),
        text,
      );
    }
  });

  it('make no token that says nothing or too much', async () => {
    await assert.rejects(mint({}), /must name sessions/);
    await assert.rejects(mint({ sessions: [''] }), RangeError);
    await assert.rejects(mint({ sessions: Array.from({ length: 101 }, (_, n) => `s${n}`) }), /at most 100/);
    await assert.rejects(mint({ sessions: ['s'], scope: 'root' as 'read' }), /scope/);
    for (const expiresIn of [0, -1, 1.5, Number.NaN, Infinity]) await assert.rejects(mint({ sessions: ['s'], expiresIn }), /expiresIn/);
  });
});

describe('a gateway with keys', () => {
  it('asks for a token everywhere but for how it is, and says how', async (t) => {
    const { url } = await guarded(t);
    assert.equal((await http(`${url}/healthz`)).status, 200);
    const answers = await Promise.all([
      http(`${url}/v1/sessions`),
      http(`${url}${S}`),
      http(`${url}${S}/stream`),
      post(`${url}${S}/events`, operation('x')),
      put(`${url}${S}/card`, { markdown: 'x' }),
      post(`${url}${S}/ticket`, {}),
      post(`${url}/v1/cookie`, {}),
    ]);
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, body.error.code, headers['www-authenticate']], [401, 'unauthorized', 'Bearer realm="sitrep"']);
    }
    assert.equal((await http(`${url}${S}/stream`, { method: 'HEAD' })).status, 401);
    assert.equal((await http(`${url}${S}`, { headers: { authorization: 'Basic eDp5' } })).body.error.code, 'unauthorized');
  });

  it('lets a token do what its scope says, in the sessions it names, and nothing else', async (t) => {
    const { url } = await guarded(t);
    const allowed = { read: [], write: [], admin: [] } as Record<string, unknown[]>;
    for (const scope of ['read', 'write', 'admin'] as const) {
      const headers = bearer(await mint({ scope, sessions: ['s'], prefixes: ['team/'] }));
      for (const session of ['s', 'team%2Fa', 'other', 'sub', 'tea']) {
        const at = `${url}/v1/sessions/${session}`;
        allowed[scope]?.push([
          session,
          (await http(at, { headers })).status,
          (await post(`${at}/events`, operation('x'), headers)).status,
          (await put(`${at}/card`, { markdown: 'x' }, headers)).status,
        ]);
      }
    }
    const everything = ['s', 'team%2Fa'].map((session) => [session, 200, 200, 200]);
    const nothing = ['other', 'sub', 'tea'].map((session) => [session, 403, 403, 403]);
    assert.deepEqual(allowed['write'], [...everything, ...nothing]);
    assert.deepEqual(allowed['admin'], [...everything, ...nothing]);
    assert.deepEqual(allowed['read'], [...['s', 'team%2Fa'].map((session) => [session, 200, 403, 403]), ...nothing]);
  });

  it('answers for a session that is denied as for one that is not there, and leaves it off the list', async (t) => {
    const { url, gateway } = await guarded(t);
    await gateway.put('secret', { markdown: 'not yours' });
    await gateway.put('s', { markdown: 'yours' });
    const headers = bearer(await mint({ sessions: ['s'] }));
    const [there, not] = await Promise.all(['secret', 'nothing'].map((name) => http(`${url}/v1/sessions/${name}`, { headers })));
    assert.deepEqual([there?.status, there?.text], [403, not?.text]);
    assert.equal(there?.body.error.code, 'forbidden');
    for (const part of ['/stream', '/stream?cursor=a:1'])
      assert.equal((await http(`${url}/v1/sessions/secret${part}`, { headers })).status, 403);
    const names = async (claims: TokenClaims, query = '') =>
      (await http(`${url}/v1/sessions${query}`, { headers: bearer(await mint(claims)) })).body.sessions.map(
        (row: { session: string }) => row.session,
      );
    assert.deepEqual(await names({ sessions: ['s'] }), ['s']);
    assert.deepEqual(await names({ sessions: ['secret'] }, '?limit=1'), ['secret']);
    assert.deepEqual(await names({ prefixes: [''] }), ['s', 'secret']);
    assert.deepEqual(await names({ prefixes: ['x'] }), []);
  });

  it('takes no token that it did not sign, that is of something else, or that says nothing clear', async (t) => {
    const { url } = await guarded(t);
    const good = await mint({ sessions: ['s'] });
    const [head = '', body = '', signature = ''] = good.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const secret = keys[0]!.sign!.export();
    const signed = (header: unknown, payload: unknown) => {
      const text = `${base64(header)}.${base64(payload)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const HS256 = { alg: 'HS256' };
    assert.equal((await http(`${url}${S}`, { headers: bearer(signed(HS256, claims)) })).status, 200, 'the forger of this test can sign');
    const { exp: _, ...endless } = claims;
    const { aud: __, ...anybodys } = claims;
    for (const [what, token] of Object.entries({
      none: `${base64({ alg: 'none' })}.${body}.`,
      'none with signature': `${base64({ alg: 'none' })}.${body}.${signature}`,
      'other algorithm': signed({ alg: 'HS512' }, claims),
      'public key as secret': signed({ alg: 'EdDSA' }, claims),
      'other key': await mint({ sessions: ['s'] }, readKeys(newKey('HS256'))),
      'other body': `${head}.${base64({ ...claims, scope: 'admin' })}.${signature}`,
      'no expiry': signed(HS256, endless),
      'other audience': signed(HS256, { ...claims, aud: 'board' }),
      'no audience': signed(HS256, anybodys),
      'not yet': signed(HS256, { ...claims, nbf: claims.exp }),
      'other scope': signed(HS256, { ...claims, scope: 'read write' }),
      'no scope': signed(HS256, { ...claims, scope: undefined }),
      'sessions no list': signed(HS256, { ...claims, sessions: 's' }),
      'sessions no names': signed(HS256, { ...claims, sessions: [['s'], 7] }),
      'subject no text': signed(HS256, { ...claims, sub: 7 }),
      'name no text': signed(HS256, { ...claims, jti: { id: 7 } }),
      'too many': signed(HS256, { ...claims, prefixes: Array.from({ length: 101 }, () => '') }),
      'critical extension': signed({ ...HS256, crit: ['b64'], b64: false }, claims),
      'too long': signed(HS256, { ...claims, pad: 'p'.repeat(9_000) }),
      'no dots': 'nodots',
      'odd header': `${base64('{')}.${body}.${signature}`,
      prototype: signed(HS256, JSON.parse(`{"__proto__":{"scope":"admin"},"aud":"sitrep","exp":${claims.exp},"prefixes":[""]}`)),
    })) {
      const answer = await http(`${url}${S}`, { headers: bearer(token) });
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'invalid_token'], what);
      assert.match(String(answer.headers['www-authenticate']), /error="invalid_token"/);
      assert.equal(answer.text.includes(token), false);
    }
  });

  it('takes tokens of every key of its set, so that keys can be changed without a break', async (t) => {
    const [older, newer] = [newKey('HS256'), newKey('EdDSA')];
    const checking = publicKey(readKeys(newer)[0]!);
    const { url } = await serve(t, { keys: readKeys(`{"keys":[${checking},${older}]}`) });
    for (const key of [older, newer]) {
      const headers = bearer(await mint({ sessions: ['s'] }, readKeys(key)));
      assert.equal((await http(`${url}${S}`, { headers })).status, 200);
    }
    const unnamed = readKeys('{"kty":"oct","k":"' + base64('a secret of thirty-two bytes or more') + '"}');
    assert.equal((await http(`${url}${S}`, { headers: bearer(await mint({ sessions: ['s'] }, unnamed)) })).status, 401);
  });

  it('refuses a token from the moment it expires, remembered or not', async (t) => {
    const { url, clock } = await guarded(t);
    const headers = bearer(await mint({ sessions: ['s'], expiresIn: 60 }));
    assert.equal((await http(`${url}${S}`, { headers })).status, 200);
    clock.advance(59_999);
    assert.equal((await http(`${url}${S}`, { headers })).status, 200);
    clock.advance(1);
    const { status, body } = await http(`${url}${S}`, { headers });
    assert.deepEqual([status, body.error.code], [401, 'token_expired']);
  });

  it('tells a writer of the card in its way, which is why writing contains reading', async (t) => {
    const { url } = await guarded(t);
    const headers = bearer(await mint({ scope: 'write', sessions: ['s'] }));
    await put(`${url}${S}/card`, { markdown: 'first' }, headers);
    const { status, body } = await put(`${url}${S}/card`, { markdown: 'second', expectedRevision: 0 }, headers);
    assert.deepEqual([status, body.revision, body.card], [409, 1, { markdown: 'first' }]);
  });

  it('answers the preflight of a listed page before there can be a token, and lets it send one', async (t) => {
    const { url } = await guarded(t, { allowedOrigins: ['https://board.example'] });
    const headers = {
      origin: 'https://board.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await http(`${url}${S}/events`, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.match(String(preflight.headers['access-control-allow-headers']), /\bauthorization\b/);
    assert.equal(preflight.headers['access-control-allow-credentials'], undefined);
    const refused = await http(`${url}${S}`, { headers: { origin: 'https://board.example' } });
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, 'https://board.example']);
  });

  it('without keys it listens on loopback and nowhere else', async (t) => {
    const { gateway } = await serve(t);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'board.example']) {
      await assert.rejects(gateway.listen({ port: 0, host }), /Without keys it listens on loopback only/);
    }
    for (const host of ['localhost', '127.0.0.9']) await (await gateway.listen({ port: 0, host })).close();
    const { gateway: other } = await guarded(t);
    await (await other.listen({ port: 0, host: '0.0.0.0' })).close();
  });
});

describe('a stream', () => {
  it('ends with a typed reason when its token expires, and not before', async (t) => {
    const { url, clock, gateway } = await guarded(t);
    const reader = stream(t, `${url}${S}/stream`, bearer(await mint({ sessions: ['s'], expiresIn: 60 })));
    const longer = stream(t, `${url}${S}/stream`, bearer(await mint({ sessions: ['s'], expiresIn: 600 })));
    await reader.next();
    await longer.next();
    clock.advance(14_999);
    clock.advance(44_000);
    await gateway.publish('s', [operation('x')]);
    for (const event of ['heartbeat', 'heartbeat', 'heartbeat', 'operation']) assert.equal((await reader.next()).event, event);
    clock.advance(2_000);
    const end = await reader.next();
    if (end.event === 'heartbeat') assert.deepEqual((await reader.next()).data, { type: 'end', reason: 'token_expired' });
    else assert.deepEqual(end.data, { type: 'end', reason: 'token_expired' });
    await reader.finished();
    while (gateway.clients > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(longer.ended, false);
  });

  it('replays nothing to a token that expired while the store was read', async (t) => {
    const memory = createMemoryStore();
    const waiting: (() => void)[] = [];
    let slow = false;
    const store: typeof memory = {
      ...memory,
      async eventsAfter(session, seq) {
        if (slow) await new Promise<void>((resolve) => waiting.push(resolve));
        return memory.eventsAfter(session, seq);
      },
    };
    const { url, clock, gateway } = await guarded(t, { store });
    const { cursor } = await gateway.publish('s', [operation('x')]);
    await gateway.publish('s', [operation('secret')]);
    slow = true;
    const headers = { ...bearer(await mint({ sessions: ['s'], expiresIn: 60 })), 'last-event-id': cursor };
    const reader = stream(t, `${url}${S}/stream`, headers);
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(60_000);
    waiting[0]?.();
    assert.deepEqual((await reader.next()).data, { type: 'end', reason: 'token_expired' });
    await reader.finished();
    assert.equal(reader.frames.length, 1);
    await assert.rejects(reader.next());
    assert.equal((await http(`${url}${S}/stream`, { headers })).status, 401);
  });

  it('is opened by a ticket once, soon, and for its own session only', async (t) => {
    const { url, clock } = await guarded(t);
    const headers = bearer(await mint({ sessions: ['s', 'o'], expiresIn: 600 }));
    const ask = async () => (await post(`${url}${S}/ticket`, {}, headers)).body as { ticket: string; expiresAt: number };
    const { ticket, expiresAt } = await ask();
    assert.equal(expiresAt, clock.now() + 30_000);
    const reader = stream(t, `${url}${S}/stream?ticket=${ticket}`);
    assert.equal((await reader.next()).event, 'snapshot');
    const again = await http(`${url}${S}/stream?ticket=${ticket}`);
    assert.deepEqual([again.status, again.body.error.code], [401, 'invalid_token']);
    const other = await ask();
    assert.equal((await http(`${url}/v1/sessions/o/stream?ticket=${other.ticket}`)).status, 401);
    assert.equal((await http(`${url}${S}/stream?ticket=${other.ticket}`)).status, 401, 'a ticket that was tried is used up');
    const late = await ask();
    clock.advance(30_000);
    assert.equal((await http(`${url}${S}/stream?ticket=${late.ticket}`)).status, 401);
    for (const path of [S, '/v1/sessions']) assert.equal((await http(`${url}${path}?ticket=${(await ask()).ticket}`)).status, 401);
    assert.equal((await post(`${url}/v1/sessions/secret/ticket`, {}, headers)).status, 403);
    clock.advance(570_000);
    await reader.finished();
    assert.deepEqual(reader.frames.at(-1)?.data, { type: 'end', reason: 'token_expired' });
  });

  it('is opened by a ticket of another gateway over the same store, and of an earlier life, by one of those that ask at once', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-tickets-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, 'a.db');
    const shared = createMemoryStore();
    const [one, other] = [await guarded(t, { store: shared }), await guarded(t, { store: shared })];
    const ask = async (url: string) =>
      ((await post(`${url}${S}/ticket`, {}, bearer(await mint({ sessions: ['s'] })))).body as { ticket: string }).ticket;
    const ticket = await ask(one.url);
    const readers = [one, other, one, other].map(({ url }) => stream(t, `${url}${S}/stream?ticket=${ticket}`));
    const events = await Promise.all(
      readers.map((reader) =>
        reader.next().then(
          ({ event }) => event,
          () => reader.status,
        ),
      ),
    );
    assert.deepEqual(events.toSorted(), [401, 401, 401, 'snapshot']);
    assert.ok(!JSON.stringify(await shared.records?.list('ticket')).includes(ticket));

    const first = await guarded(t, { store: createSqliteStore(path) });
    const kept = await ask(first.url);
    assert.deepEqual(
      (await first.gateway.options.store.records?.list('ticket'))?.map(({ value }) => value.includes(kept)),
      [false],
    );
    await first.gateway.close();
    const second = await guarded(t, { store: createSqliteStore(path) });
    assert.equal((await stream(t, `${second.url}${S}/stream?ticket=${kept}`).next()).event, 'snapshot');
    assert.equal((await http(`${second.url}${S}/stream?ticket=${kept}`)).status, 401);
    // Those nobody used do not pile up.
    for (let n = 0; n < 5; n += 1) await ask(second.url);
    second.clock.advance(30_000);
    for (let n = 0; n < 3; n += 1) await ask(second.url);
    assert.equal((await second.gateway.options.store.records?.list('ticket'))?.length, 3);
  });

  it('is opened by a cookie that no script can read and that changes nothing', async (t) => {
    const { url } = await guarded(t);
    const token = await mint({ scope: 'admin', prefixes: [''], expiresIn: 60 });
    const { headers, body, status } = await post(`${url}/v1/cookie`, {}, bearer(token));
    const [set = ''] = headers['set-cookie'] ?? [];
    assert.deepEqual([status, body], [200, { expiresAt: NOW + 60_000 }]);
    assert.deepEqual(set.split('; ').toSorted(), ['HttpOnly', 'Max-Age=60', 'Path=/v1', 'SameSite=Strict', `sitrep_token=${token}`]);
    const cookie = { cookie: `a=b; sitrep_token=${token}` };
    assert.equal((await stream(t, `${url}${S}/stream`, cookie).next()).event, 'snapshot');
    assert.equal((await http(`${url}${S}`, { headers: cookie })).status, 200);
    assert.equal((await post(`${url}${S}/events`, operation('x'), cookie)).status, 401);
    assert.equal((await put(`${url}${S}/card`, { markdown: 'x' }, cookie)).status, 401);
    assert.equal((await post(`${url}/v1/cookie`, {}, cookie)).status, 401);
    for (const site of ['same-site', 'cross-site']) {
      assert.equal((await http(`${url}${S}/stream`, { headers: { ...cookie, 'sec-fetch-site': site } })).status, 403, site);
    }
    const secure = await post(`${url}/v1/cookie`, {}, { ...bearer(token), origin: `https://${new URL(url).host}` });
    assert.match(String(secure.headers['set-cookie']), /; Secure/);
    const gone = await http(`${url}/v1/cookie`, { method: 'DELETE' });
    assert.match(String(gone.headers['set-cookie']), /^sitrep_token=; Max-Age=0;/);
    const long = await mint({ sessions: Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(40, 'x')) });
    assert.equal((await post(`${url}/v1/cookie`, {}, bearer(long))).status, 400);
  });
});

describe('without keys', () => {
  it('tickets and cookies are asked for in vain but without a fault, so that pages need not know', async (t) => {
    const { url } = await serve(t);
    const { ticket } = (await post(`${url}${S}/ticket`, {})).body;
    assert.equal((await stream(t, `${url}${S}/stream?ticket=${ticket}`).next()).event, 'snapshot');
    const { status, body, headers } = await post(`${url}/v1/cookie`, {});
    assert.deepEqual([status, body, headers['set-cookie']], [200, { expiresAt: null }, undefined]);
  });
});
