import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { startServe } from './cli-support.ts';
import { http, operation, post, put, serve, stream } from './support.ts';

const EVENTS = '/v1/sessions/s/events';
const CARD = '/v1/sessions/s/card';
const key = (name: string) => ({ 'idempotency-key': name });

function storeFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-once-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'sitrep.db');
}

describe('a write with an idempotency key', () => {
  it('is carried out once and answered the same each time, whatever came between', async (t) => {
    const { url } = await serve(t);
    const body = [operation('a', { state: 'running' }), { type: 'operation', id: 'b', total: 'many' }, operation('a', { message: 'x' })];
    const first = await post(url + EVENTS, body, key('k1'));
    assert.deepEqual(
      first.body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'invalid', 'applied'],
    );
    assert.equal(first.headers['idempotency-replayed'], undefined);
    await post(url + EVENTS, operation('a', { message: 'y' }));
    const again = await post(url + EVENTS, body, key('k1'));
    assert.equal(again.status, 200);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual(again.body, first.body, 'results, issues and cursor');
    const { operations, seq } = (await http(`${url}/v1/sessions/s`)).body;
    assert.equal(operations[0].message, 'y', 'the repetition moved nothing back');
    assert.equal(seq, 3);
  });

  it('is refused with another body, address or kind under the same key, and nothing is written', async (t) => {
    const { url } = await serve(t);
    await post(url + EVENTS, operation('a', { state: 'running' }), key('k'));
    const others = [
      () => post(url + EVENTS, operation('a', { state: 'failed' }), key('k')),
      () => post(`${url + EVENTS}?dialect=progress`, { id: 'a', status: 'error' }, key('k')),
      () => put(url + CARD, { markdown: 'x' }, key('k')),
      () => post(`${url}/v1/sessions/s/reset`, '', key('k')),
    ];
    for (const other of others) {
      const { status, body } = await other();
      assert.equal(status, 422);
      assert.equal(body.error.code, 'idempotency_key_reused');
    }
    const { operations, card, seq } = (await http(`${url}/v1/sessions/s`)).body;
    assert.deepEqual([operations[0].state, card, seq], ['running', null, 1]);
    assert.equal(
      (await post(`${url}/v1/sessions/t/events`, operation('z'), key('k'))).body.results[0].outcome,
      'applied',
      'keys belong to a session',
    );
  });

  it('answers repetitions that arrive while the first is still being stored', async (t) => {
    const { url } = await serve(t);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => put(url + CARD, { markdown: 'one' }, { ...key('same'), 'x-n': String(n) })),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers[0]?.body.revision, 1);
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 19);
    assert.equal((await http(`${url}/v1/sessions/s`)).body.revision, 1);
  });

  it('does not remember a refused card, so that its repetition hears how the card stands then', async (t) => {
    const { url } = await serve(t);
    await put(url + CARD, { markdown: 'a' });
    const stale = { markdown: 'b', expectedRevision: 0 };
    assert.equal((await put(url + CARD, stale, key('k'))).body.revision, 1);
    await put(url + CARD, { markdown: 'c' });
    const again = await put(url + CARD, stale, key('k'));
    assert.deepEqual([again.status, again.body.revision, again.body.card], [409, 2, { markdown: 'c' }]);
  });

  it('needs a key of visible ASCII, at most 255 of it', async (t) => {
    const { url } = await serve(t);
    for (const bad of ['a'.repeat(256), 'a b', '\u00e9']) {
      const { status, body } = await post(url + EVENTS, operation('a'), key(bad));
      assert.deepEqual([status, body.error.code], [400, 'bad_request']);
      assert.match(body.error.message, /Idempotency-Key must be 1 to 255/);
    }
    assert.equal((await post(url + EVENTS, operation('a'), key('__proto__'))).status, 200);
    assert.equal((await post(url + EVENTS, operation('a'), key('"8e03978e-40d5-43dd-bc93-6894a57f9324"'))).status, 200);
  });

  it('of a session nothing was stored of leaves no trace, and what is stored later is judged anew', async (t) => {
    const { url } = await serve(t);
    assert.equal((await post(url + EVENTS, { type: 'operation' }, key('k'))).body.results[0].outcome, 'invalid');
    assert.equal((await http(`${url}/v1/sessions`)).body.sessions.length, 0);
    assert.equal((await post(url + EVENTS, operation('a'), key('k'))).body.results[0].outcome, 'applied');
  });

  it('neither moves the session up the list nor its time when it only repeats what is known', async (t) => {
    for (const store of [createMemoryStore(), createSqliteStore(storeFile(t))]) {
      const { url, clock } = await serve(t, { store });
      await post(url + EVENTS, operation('a', { state: 'completed' }));
      clock.advance(1_000);
      await post(`${url}/v1/sessions/other/events`, operation('a'));
      const before = (await http(`${url}/v1/sessions`)).body;
      clock.advance(1_000);
      const late = await post(url + EVENTS, operation('a', { message: 'late' }), key('k'));
      assert.equal(late.body.results[0].outcome, 'late');
      assert.equal((await post(url + EVENTS, operation('a', { message: 'late' }), key('k'))).headers['idempotency-replayed'], 'true');
      assert.deepEqual((await http(`${url}/v1/sessions`)).body, before);
    }
  });

  it('is remembered for the newest of a session only, by number and by age', async (t) => {
    for (const make of [createMemoryStore, (limits: object) => createSqliteStore(storeFile(t), limits)]) {
      const { url, clock } = await serve(t, { store: make({ receipts: 20, receiptAge: 60_000 }) });
      for (let n = 0; n < 60; n += 1) await post(url + EVENTS, operation('a', { current: n }), key(`k${n}`));
      const replayed = async (n: number): Promise<boolean> =>
        (await post(url + EVENTS, operation('a', { current: n }), key(`k${n}`))).headers['idempotency-replayed'] === 'true';
      for (let n = 59; n >= 40; n -= 1) assert.ok(await replayed(n), `k${n} is among the newest`);
      assert.equal(await replayed(30), false);
      clock.advance(61_000);
      for (let n = 60; n < 72; n += 1) await post(url + EVENTS, operation('a', { current: n }), key(`k${n}`));
      assert.equal(await replayed(55), false, 'too old');
    }
  });

  it('survives a kill, and is answered by the next process', async (t) => {
    const file = storeFile(t);
    const first = await startServe(t, ['--port', '0', '--store', file]);
    const body = Array.from({ length: 500 }, (_, n) => operation(`o${n}`, n % 7 === 0 ? { total: 'x' } : { state: 'running' }));
    const answer = await post(first.url + EVENTS, body, key('batch'));
    const card = await put(first.url + CARD, { markdown: 'kept' }, key('card'));
    first.cli.child.kill('SIGKILL');
    await first.cli.ended;
    const second = await startServe(t, ['--port', '0', '--store', file]);
    const again = await post(second.url + EVENTS, body, key('batch'));
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual(again.body, answer.body);
    const cardAgain = await put(second.url + CARD, { markdown: 'kept' }, key('card'));
    assert.deepEqual([cardAgain.headers['idempotency-replayed'], cardAgain.body], ['true', card.body]);
    assert.equal((await put(second.url + CARD, { markdown: 'other' }, key('card'))).status, 422);
    const { seq, revision } = (await http(`${second.url}/v1/sessions/s`)).body;
    assert.deepEqual([`${seq}`, revision], [String(Number(answer.body.cursor.split(':')[1]) + 1), 1]);
  });

  it('answers in process as it does over HTTP', async (t) => {
    const { gateway } = await serve(t);
    const events = [operation('a', { state: 'running' })];
    const first = await gateway.publish('s', events, { idempotencyKey: 'k' });
    assert.deepEqual(await gateway.publish('s', events, { idempotencyKey: 'k' }), { ...first, replayed: true });
    await assert.rejects(gateway.publish('s', [operation('b')], { idempotencyKey: 'k' }), { code: 'idempotency_key_reused' });
  });
});

describe('POST reset', () => {
  const RESET = '/v1/sessions/s/reset';

  it('begins the session anew: everything goes but the revision, and readers get a new beginning', async (t) => {
    const { url } = await serve(t);
    await post(url + EVENTS, [
      { type: 'session', title: 'Old', usage: { tokens: 5 } },
      { type: 'run', run: 'r', state: 'running' },
      operation('a', { run: 'r', state: 'running' }),
    ]);
    await put(url + CARD, { markdown: 'old' });
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    const before = (await reader.next()).data;
    const { status, body } = await post(url + RESET, '');
    assert.equal(status, 200);
    assert.equal(body.revision, 2);
    const resync = await reader.next();
    assert.deepEqual([resync.event, resync.data.reason], ['resync', 'reset']);
    const snapshot = await reader.next();
    assert.equal(snapshot.event, 'snapshot');
    const { epoch, seq, operations, runs, card, revision, title, usage } = snapshot.data;
    assert.equal(`${epoch}:${seq}`, body.cursor);
    assert.notEqual(epoch, before.epoch);
    assert.deepEqual([operations, runs, card, revision, title, usage], [[], [], null, 2, undefined, undefined]);
    await post(url + EVENTS, operation('new', { state: 'running' }));
    const next = await reader.next();
    assert.deepEqual([next.event, next.id], ['operation', `${epoch}:${seq + 1}`]);
    const behind = stream(t, `${url}/v1/sessions/s/stream`, { 'last-event-id': `${before.epoch}:${before.seq}` });
    assert.equal((await behind.next()).data.reason, 'epoch');
    const onward = stream(t, `${url}/v1/sessions/s/stream`, { 'last-event-id': body.cursor });
    assert.equal((await onward.next()).data.id, 'new', 'the new history can be resumed from its beginning');
  });

  for (const restart of [false, true]) {
    it(`drops what still comes of the life before${restart ? ', after a kill as well' : ''}`, async (t) => {
      const file = storeFile(t);
      let { cli, url } = await startServe(t, ['--port', '0', '--store', file]);
      await post(url + EVENTS, [
        { type: 'run', run: 'r', state: 'running' },
        operation('a', { run: 'r', state: 'running' }),
        operation(7, { state: 'running' }),
        operation('cleared', { state: 'running' }),
        { type: 'operation.clear', id: 'cleared' },
      ]);
      await put(`${url}${CARD}?run=r`, { markdown: 'old' }, key('old-card'));
      await post(url + RESET, '');
      if (restart) {
        cli.child.kill('SIGKILL');
        await cli.ended;
        ({ cli, url } = await startServe(t, ['--port', '0', '--store', file]));
      }
      const late = [
        operation('a', { run: 'r', message: 'late' }),
        operation('never seen', { run: 'r', state: 'running' }),
        operation(7, { state: 'completed' }),
        operation('cleared', { message: 'late' }),
        { type: 'run', run: 'r', state: 'completed' },
        { type: 'card', revision: 9, run: 'r', card: { markdown: 'late' } },
      ];
      const { body } = await post(url + EVENTS, late);
      assert.deepEqual(
        body.results.map(({ outcome }: { outcome: string }) => outcome),
        late.map(() => 'late'),
      );
      const refused = await put(`${url}${CARD}?run=r`, { markdown: 'late' });
      assert.deepEqual([refused.status, refused.body.revision, refused.body.card], [409, 2, null]);
      assert.equal((await put(url + CARD, { markdown: 'x', expectedRevision: 1 })).status, 409);
      const replay = await put(`${url}${CARD}?run=r`, { markdown: 'old' }, key('old-card'));
      assert.deepEqual(
        [replay.headers['idempotency-replayed'], replay.body.revision],
        ['true', 1],
        'a lost answer is given, nothing is written',
      );
      const fresh = (await http(`${url}/v1/sessions/s`)).body;
      assert.deepEqual([fresh.operations, fresh.runs, fresh.card, fresh.revision], [[], [], null, 2]);
      const again = await post(url + EVENTS, [
        operation('a', { state: 'running' }),
        operation('a', { run: 'r2', state: 'running' }),
        operation(7, { attempt: 2, state: 'running' }),
      ]);
      assert.deepEqual(
        again.body.results.map(({ outcome }: { outcome: string }) => outcome),
        ['applied', 'applied', 'applied'],
      );
      assert.equal((await put(url + CARD, { markdown: 'new', expectedRevision: 2 })).body.revision, 3);
    });
  }

  it('does nothing to a session nothing was stored of, and answers alike', async (t) => {
    const { url } = await serve(t);
    const { status, body } = await post(url + RESET, '');
    assert.deepEqual([status, body.revision], [200, 0]);
    assert.equal((await http(`${url}/v1/sessions`)).body.sessions.length, 0);
  });

  it('with a key begins anew once', async (t) => {
    const { url } = await serve(t);
    await put(url + CARD, { markdown: 'x' });
    const first = await post(url + RESET, '', key('k'));
    await put(url + CARD, { markdown: 'new' });
    const again = await post(url + RESET, '', key('k'));
    assert.deepEqual([again.body, again.headers['idempotency-replayed']], [first.body, 'true']);
    assert.deepEqual((await http(`${url}/v1/sessions/s`)).body.card, { markdown: 'new' });
  });
});

describe('a card event', () => {
  it('that names a revision already taken by another card is stale, and one without end is refused', async (t) => {
    const { url } = await serve(t);
    const card = (revision: number, markdown: string) => ({ type: 'card', revision, card: { markdown } });
    const { body } = await post(url + EVENTS, [
      card(3, 'a'),
      card(3, 'b'),
      card(3, 'a'),
      card(2, 'c'),
      card(2 ** 52 + 1, 'end'),
      card(2 ** 52, 'far'),
    ]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'stale', 'duplicate', 'stale', 'invalid', 'applied'],
    );
    assert.equal(body.results[4].issues[0].path, '/revision');
    assert.equal((await put(url + CARD, { markdown: 'on' })).body.revision, 2 ** 52 + 1);
    // Whoever counts up from the card that stands, and whoever leaves counting to the gateway, goes on as well.
    const next = await post(url + EVENTS, [card(2 ** 52 + 3, 'jump'), card(2 ** 52 + 2, 'next'), card(2 ** 52 + 2, 'next')]);
    assert.deepEqual(
      next.body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['invalid', 'applied', 'duplicate'],
    );
    const { results } = (await post(`${url}${EVENTS}?dialect=progress-card`, { markdown: 'tool' })).body;
    assert.deepEqual(results, [{ outcome: 'applied' }]);
    assert.equal((await http(`${url}/v1/sessions/s`)).body.card.markdown, 'tool');
  });
});
