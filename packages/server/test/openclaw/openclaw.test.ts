import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createToken, newKey, readKeys } from '@sitrep/server';
import { http, serve } from '../support.ts';
import { CONNECT, connected, open } from './client.ts';

const KEY = 'agent:main:release';
const keys = readKeys(newKey('HS256'));
const NOW = 1_700_000_000_000;
const mint = (claims: object) => createToken(keys, { now: NOW, ...claims });
const plan = [
  { step: 'Inspect the failing route', status: 'completed' },
  { step: 'Repair the session owner', status: 'in_progress' },
  { step: 'Run focused verification', status: 'pending' },
];

describe("the handshake of OpenClaw's protocol", () => {
  it('answers `connect` with what is spoken here', async (t) => {
    const { url } = await serve(t);
    const client = await open(t, url);
    const { payload } = await client.ask('connect', CONNECT);
    assert.deepEqual(Object.keys(payload).toSorted(), ['auth', 'features', 'policy', 'protocol', 'server', 'snapshot', 'type']);
    assert.deepEqual([payload.type, payload.protocol], ['hello-ok', 4]);
    assert.deepEqual(payload.auth, { role: 'operator', scopes: ['operator.read', 'operator.write'] });
    assert.deepEqual(payload.features.methods, ['progressCard.get', 'progressCard.put', 'progressCard.refresh']);
    assert.ok(payload.features.events.includes('progressCard.changed'));
    assert.deepEqual(payload.features.capabilities, ['progress-card-agent-scope-v1']);
    assert.deepEqual(payload.policy, { maxPayload: 1_048_576, maxBufferedBytes: 1_048_576, tickIntervalMs: 15_000 });
    assert.ok(payload.server.version !== '' && payload.server.connId !== '');
    assert.deepEqual(payload.snapshot.stateVersion, { presence: 0, health: 0 });
    const older = await open(t, url);
    assert.equal((await older.ask('connect', { ...CONNECT, minProtocol: 3, maxProtocol: 3 })).payload.protocol, 3);
  });

  it('refuses what is no connect, in the words of that gateway, and closes', async (t) => {
    const { url } = await serve(t);
    for (const [method, params, message, code] of [
      ['progressCard.get', { sessionKey: KEY }, /^invalid handshake: first request must be connect$/, 1_008],
      ['connect', { ...CONNECT, minProtocol: 5, maxProtocol: 6 }, /^protocol mismatch$/, 1_002],
      ['connect', { ...CONNECT, client: { id: 'cli' } }, /^invalid connect params: /, 1_008],
      ['connect', { ...CONNECT, minProtocol: '4' }, /^invalid connect params: /, 1_008],
      ['connect', { ...CONNECT, role: 'node' }, /^invalid role$/, 1_008],
      ['connect', null, /^invalid connect params: /, 1_008],
    ] as const) {
      const client = await open(t, url);
      const { ok, error } = await client.ask(method, params);
      assert.deepEqual([ok, error.code], [false, 'INVALID_REQUEST']);
      assert.match(error.message, message);
      if (code === 1_002) assert.deepEqual(error.details, { code: 'PROTOCOL_MISMATCH', expectedProtocol: 4 });
      assert.equal((await client.reader.end()).code, code);
    }
    const mute = await open(t, url);
    mute.reader.ws.send('{"type":"hello"}');
    assert.deepEqual(await mute.reader.end(), { code: 1_008, reason: 'invalid request frame' });
    const loud = await open(t, url);
    loud.reader.ws.send(JSON.stringify({ type: 'req', id: '1', method: 'connect', params: { ...CONNECT, locale: 'x'.repeat(70_000) } }));
    assert.equal((await loud.reader.end()).code, 1_009);
    assert.equal((await http(`${url}/v1/openclaw`)).status, 426);
  });

  it('answers unknown methods and broken frames without closing', async (t) => {
    const { url } = await serve(t);
    const client = await connected(t, url);
    const unknown = await client.ask('sessions.list', {});
    assert.deepEqual(unknown.error, { code: 'INVALID_REQUEST', message: 'unknown method: sessions.list' });
    client.reader.ws.send('{oops');
    assert.equal((await client.answer('invalid')).error.message, 'invalid request frame');
    assert.equal((await client.send({ id: 'x', type: 'req' })).error.code, 'INVALID_REQUEST');
    assert.equal(
      (await client.send({ id: 'y', type: 'req', method: 'progressCard.get', extra: 1 })).error.message,
      'invalid request frame',
    );
    client.reader.ws.send('{"type":"cancel","id":"z"}');
    client.reader.ws.send(Buffer.from('{}'), { binary: true });
    assert.equal((await client.answer('invalid')).ok, false);
    assert.equal((await client.ask('connect', CONNECT)).error.code, 'INVALID_REQUEST');
    assert.deepEqual((await client.ask('progressCard.get', { sessionKey: KEY })).payload, { card: null });
  });
});

describe('progress cards in that protocol', () => {
  it('are put, got, replaced whole and cleared, with revisions that rise for ever', async (t) => {
    const { url, clock, gateway } = await serve(t);
    const client = await connected(t, url);
    const put = async (body: object) => (await client.ask('progressCard.put', { sessionKey: KEY, ...body })).payload;
    const updatedAt = clock.now();
    assert.deepEqual(await put({ plan, markdown: 'No blocker.' }), {
      card: { sessionKey: KEY, revision: 1, updatedAt, markdown: 'No blocker.', steps: plan },
    });
    assert.deepEqual((await client.ask('progressCard.get', { sessionKey: KEY })).payload.card.steps, plan);
    assert.deepEqual(await put({ markdown: 'Only a note.' }), {
      card: { sessionKey: KEY, revision: 2, updatedAt, markdown: 'Only a note.' },
    });
    assert.deepEqual(await put({}), { card: null });
    assert.deepEqual((await client.ask('progressCard.get', { sessionKey: KEY })).payload, { card: null });
    assert.equal((await put({ markdown: ' \n\t', plan: [] })).card, null);
    assert.equal((await put({ plan })).card.revision, 4);
    // It is the same card as everywhere else.
    const { card, revision } = await gateway.snapshot(KEY);
    assert.deepEqual([card, revision], [{ plan }, 4]);
  });

  it('are cleared only when nothing came between, where that is asked for; a conflict is an answer and no news', async (t) => {
    const { url } = await serve(t);
    const client = await connected(t, url);
    const put = (body: object) => client.ask('progressCard.put', { sessionKey: KEY, ...body });
    await put({ markdown: 'one' });
    await client.event('progressCard.changed');
    const refused = await put({ expectedRevision: 2 });
    assert.deepEqual([refused.ok, refused.payload.card.revision], [true, 1]);
    assert.deepEqual((await put({ expectedRevision: 1 })).payload, { card: null });
    const { payload } = await client.event('progressCard.changed');
    assert.deepEqual(payload, { sessionKey: KEY, revision: null });
    // A tombstone has no revision to compare, and the clear of what is cleared is told all the same.
    assert.deepEqual((await put({ expectedRevision: 2 })).payload, { card: null });
    await put({});
    assert.equal((await client.event('progressCard.changed')).payload.revision, null);
    assert.equal((await put({ markdown: 'two' })).payload.card.revision, 3);
    assert.equal((await client.event('progressCard.changed')).payload.revision, 3);
    assert.deepEqual(client.events, []);
    const { error } = await put({ markdown: 'three', expectedRevision: 3 });
    assert.deepEqual(error, { code: 'INVALID_REQUEST', message: 'expectedRevision is only valid when clearing a card' });
  });

  it('are refused by the profile of 2026.9, and cleaned by it', async (t) => {
    const { url } = await serve(t);
    const client = await connected(t, url);
    const put = (body: object) => client.ask('progressCard.put', { sessionKey: KEY, ...body });
    for (const bad of [
      { markdown: null },
      { plan: null },
      { plan: {} },
      { markdown: 'a'.repeat(8_193) },
      { markdown: `${'a'.repeat(8_190)}\u200b` },
      { markdown: 'é'.repeat(4_097) },
      { plan: [{ step: 'a'.repeat(513), status: 'pending' }] },
      { plan: Array.from({ length: 51 }, () => ({ step: 'a', status: 'pending' })) },
      { plan: [{ step: '   ', status: 'pending' }] },
      { plan: [{ step: '\u200b', status: 'pending' }] },
      { plan: [{ step: 'a', status: 'inProgress' }] },
      { plan: [{ step: 'a', status: 'failed' }] },
      { plan: [{ step: 'a', status: 'pending', more: 1 }] },
      { plan: ['a', 'b'].map((step) => ({ step, status: 'in_progress' })) },
      { markdown: 'a', note: 1 },
      { markdown: 'a', sessionKey: ' ' },
    ]) {
      const { ok, error } = await put(bad);
      assert.deepEqual([ok, error.code], [false, 'INVALID_REQUEST'], JSON.stringify(bad).slice(0, 80));
    }
    assert.deepEqual((await client.ask('progressCard.get', { sessionKey: KEY })).payload, { card: null });
    const { card } = (await put({ markdown: '  hi\u200b  ', plan: [{ step: '  A\u200bB\u202eC  ', status: 'pending' }] })).payload;
    assert.deepEqual([card.markdown, card.steps], ['  hi  ', [{ step: '  ABC  ', status: 'pending' }]]);
    for (const good of [
      { markdown: 'é'.repeat(4_096) },
      { plan: Array.from({ length: 50 }, () => ({ step: 'a'.repeat(512), status: 'pending' })) },
    ])
      assert.equal((await put(good)).ok, true);
  });

  it('are told of when they change, whoever changes them, and a burst once', async (t) => {
    const { url, gateway } = await serve(t);
    const clients = [await connected(t, url), await connected(t, url)];
    for (const client of clients) await client.ask('progressCard.get', { sessionKey: KEY });
    await gateway.publish(KEY, [{ type: 'operation', id: 'x', state: 'running' }]);
    for (let n = 1; n <= 200; n += 1) await gateway.putCard(KEY, { markdown: `note ${n}` });
    for (const client of clients) {
      const revisions: number[] = [];
      while (revisions.at(-1) !== 200) revisions.push((await client.event('progressCard.changed')).payload.revision);
      assert.ok(revisions.length < 100, `${revisions.length} events`);
      assert.deepEqual(
        revisions,
        revisions.toSorted((a, b) => a - b),
      );
    }
    await gateway.reset(KEY);
    for (const client of clients) {
      const { payload, seq } = await client.event('progressCard.changed');
      assert.deepEqual(payload, { sessionKey: KEY, revision: null });
      assert.ok(seq > 0);
    }
    assert.ok((await clients[0]!.ask('progressCard.put', { sessionKey: KEY, markdown: 'after' })).payload.card.revision > 200);
    // Of a session it never asked for it hears nothing.
    await gateway.putCard('other', { markdown: 'note' });
    assert.equal((await clients[1]!.event('progressCard.changed')).payload.sessionKey, KEY);
    assert.equal(gateway.clients, 2);
    for (const client of clients) client.reader.ws.close();
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('of the one global session are told apart by agent', async (t) => {
    const { url, gateway } = await serve(t);
    const client = await connected(t, url);
    const put = (agentId: string | undefined, markdown: string) =>
      client.ask('progressCard.put', { sessionKey: 'global', ...(agentId && { agentId }), markdown });
    assert.equal((await put('a', 'of a')).payload.card.sessionKey, 'agent:a:global');
    assert.equal((await put('b', 'of b')).payload.card.sessionKey, 'agent:b:global');
    assert.equal((await put(undefined, 'of all')).payload.card.sessionKey, 'global');
    assert.deepEqual((await gateway.snapshot('agent:a:global')).card, { markdown: 'of a' });
    assert.equal((await client.ask('progressCard.get', { sessionKey: KEY, agentId: 'a' })).payload.card, null);
  });

  it('are asked of their producer by refresh, which is accepted once for each key', async (t) => {
    const { url, gateway } = await serve(t);
    const client = await connected(t, url);
    const refresh = (idempotencyKey: string) => client.ask('progressCard.refresh', { sessionKey: KEY, idempotencyKey });
    assert.deepEqual((await refresh('k1')).error, { code: 'INVALID_REQUEST', message: 'There is no progress card to refresh.' });
    await gateway.putCard(KEY, { markdown: 'old' });
    const nobody = (await refresh('k1')).error;
    assert.deepEqual([nobody.code, nobody.details], ['UNAVAILABLE', { code: 'PROGRESS_CARD_REFRESH_TERMINAL' }]);
    const asked: number[] = [];
    const stop = gateway.onRefresh(KEY, ({ revision }) => asked.push(revision));
    t.after(stop);
    let accepted;
    do accepted = await refresh('k2');
    while (!accepted.ok);
    assert.deepEqual([accepted.payload.status, accepted.payload.revision], ['accepted', 1]);
    assert.match(accepted.payload.runId, /^progress-card-refresh:./);
    assert.deepEqual(await refresh('k2').then(({ payload }) => payload), accepted.payload);
    assert.deepEqual(asked, [1]);
    await gateway.putCard(KEY, { markdown: 'new' });
    assert.deepEqual((await refresh('k2')).payload, accepted.payload);
    const soon = (await refresh('k3')).error;
    assert.deepEqual([soon.code, soon.retryable], ['UNAVAILABLE', true]);
    assert.ok(soon.retryAfterMs > 0);
    assert.equal((await client.ask('progressCard.refresh', { sessionKey: KEY })).error.code, 'INVALID_REQUEST');
  });
});

describe('rights in that protocol', () => {
  it('are those of the token: for its sessions, to read or to write', async (t) => {
    const { url, gateway } = await serve(t, { keys });
    await gateway.putCard(KEY, { markdown: 'note' });
    const reader = await connected(t, url, { auth: { token: await mint({ sessions: [KEY] }) } });
    assert.equal((await reader.ask('progressCard.get', { sessionKey: KEY })).payload.card.revision, 1);
    assert.deepEqual((await reader.ask('progressCard.put', { sessionKey: KEY, markdown: 'x' })).error, {
      code: 'FORBIDDEN',
      message: 'missing scope: operator.write',
      details: { code: 'MISSING_SCOPE', missingScope: 'operator.write', requiredScopes: ['operator.write'] },
    });
    const denied = (await reader.ask('progressCard.get', { sessionKey: 'another' })).error;
    assert.deepEqual([denied.code, denied.details.code], ['INVALID_REQUEST', 'SESSION_PARTICIPATION_REQUIRED']);
    const writer = await connected(t, url, { auth: { token: await mint({ prefixes: ['agent:main:'], scope: 'write' }) } });
    assert.equal((await writer.ask('progressCard.put', { sessionKey: KEY, markdown: 'x' })).payload.card.revision, 2);
    assert.equal((await reader.event('progressCard.changed')).payload.revision, 2);
    const modest = await connected(t, url, { scopes: ['operator.read'], auth: { token: await mint({ prefixes: [''], scope: 'admin' }) } });
    assert.equal((await modest.ask('progressCard.put', { sessionKey: KEY, markdown: 'y' })).error.code, 'FORBIDDEN');
    assert.equal((await gateway.snapshot('another')).seq, 0);
  });

  it('need a token, in `connect` or the header, and no cookie will do', async (t) => {
    const { url, clock } = await serve(t, { keys });
    const token = await mint({ sessions: [KEY], expiresIn: 10 });
    for (const [auth, code] of [
      [undefined, 'AUTH_TOKEN_MISSING'],
      [{ token: 'nonsense' }, 'AUTH_TOKEN_MISMATCH'],
      [{ token: await createToken(keys, { sessions: [KEY], now: NOW - 7_200_000 }) }, 'AUTH_TOKEN_MISMATCH'],
    ] as const) {
      const client = await open(t, url, { headers: { cookie: `sitrep_token=${token}` } });
      const { error } = await client.ask('connect', { ...CONNECT, ...(auth && { auth }) });
      assert.deepEqual([error.code, error.details.code], ['INVALID_REQUEST', code]);
      assert.match(error.message, /^unauthorized: /);
      assert.equal((await client.reader.end()).code, 1_008);
    }
    const byHeader = await open(t, url, { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual((await byHeader.ask('connect', CONNECT)).payload.auth.scopes, ['operator.read']);
    clock.advance(12_000);
    assert.deepEqual(await byHeader.reader.end(), { code: 1_008, reason: 'token expired' });
  });
});

describe('a connection in that protocol', () => {
  it('ticks, and is let go with a notice before the gateway stops', async (t) => {
    const { url, gateway, clock } = await serve(t);
    const client = await connected(t, url);
    await client.ask('progressCard.get', { sessionKey: KEY });
    clock.advance(15_000);
    const tick = await client.event('tick');
    assert.deepEqual(tick.payload, { ts: clock.now() });
    assert.equal(tick.seq, 1);
    const drained = gateway.drain({ random: () => 0.5 });
    while (gateway.clients > 0) {
      clock.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await drained;
    assert.deepEqual((await client.event('shutdown')).payload, { reason: 'service restart', restartExpectedMs: 1_000 });
    assert.deepEqual(await client.reader.end(), { code: 1_012, reason: 'service restart' });
  });

  it('is counted, and its requests are', async (t) => {
    const { url } = await serve(t, { rateLimit: 5, addressClientLimit: 1 });
    const client = await connected(t, url);
    const ids = Array.from({ length: 30 }, (_, n) => `n${n}`);
    for (const id of ids)
      client.reader.ws.send(JSON.stringify({ type: 'req', id, method: 'progressCard.get', params: { sessionKey: KEY } }));
    const answers = [];
    for (const id of ids) answers.push(await client.answer(id));
    const refused = answers.filter(({ ok }) => !ok);
    assert.ok(refused.length >= 15 && refused.length < 30, `${refused.length} refused`);
    for (const { error } of refused) assert.deepEqual([error.code, error.retryable], ['UNAVAILABLE', true]);
    await assert.rejects(open(t, url));
    client.reader.ws.close();
    await client.reader.end();
  });
});
