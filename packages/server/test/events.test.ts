import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { http, operation, post, serve, stream } from './support.ts';

const S = '/v1/sessions/s';

describe('POST events', () => {
  it('takes one event without session and time, and answers what became of it and where the history stands', async (t) => {
    const { url, clock } = await serve(t);
    const { status, body } = await post(`${url}${S}/events`, operation('x', { state: 'running', title: 'Hello' }));
    assert.equal(status, 200);
    assert.deepEqual(body.results, [{ outcome: 'applied' }]);
    assert.match(body.cursor, /^[\w-]{12}:1$/);
    const snapshot = (await http(`${url}${S}`)).body;
    assert.equal(snapshot.seq, 1);
    assert.equal(`${snapshot.epoch}:${snapshot.seq}`, body.cursor);
    assert.deepEqual(snapshot.operations, [
      { id: 'x', attempt: 1, state: 'running', updatedAt: clock.now(), title: 'Hello', startedAt: clock.now() },
    ]);
  });

  it('names every outcome, in order, and gives a position to what was applied only', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, [
      operation('x', { state: 'running', seq: 5, at: 1 }),
      operation('x', { message: 'again', seq: 5, at: 2 }),
      operation('x', { message: 'old', seq: 4, at: 3 }),
      operation('x', { state: 'completed', seq: 6, at: 4 }),
      operation('x', { message: 'too late', seq: 7, at: 5 }),
      { type: 'operation.clear', id: 'nobody' },
      { type: 'from-the-future' },
      operation('y', { current: 'many' }),
      7,
    ]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'duplicate', 'stale', 'applied', 'late', 'unknown', 'unknown', 'invalid', 'invalid'],
    );
    assert.match(body.cursor, /:2$/);
    assert.equal(body.results[7].issues[0].path, '/current');
    assert.match(body.results[7].issues[0].message, /current/);
    assert.equal(body.results[6].issues[0].code, 'unknown_type');
  });

  it('stores nothing of a bad entry and everything of the good ones around it', async (t) => {
    const { url } = await serve(t);
    await post(`${url}${S}/events`, [
      operation('good1', { state: 'running' }),
      operation('bad', { state: 'sleeping' }),
      operation('good2', { state: 'running' }),
    ]);
    const { body } = await http(`${url}${S}`);
    assert.deepEqual(
      body.operations.map(({ id }: { id: string }) => id),
      ['good1', 'good2'],
    );
    assert.equal(body.seq, 2);
  });

  it('keeps the number 7 and the text "7" apart', async (t) => {
    const { url } = await serve(t);
    await post(`${url}${S}/events`, [operation(7, { title: 'number' }), operation('7', { title: 'text' }), operation(7, { message: 'm' })]);
    const { body } = await http(`${url}${S}`);
    assert.deepEqual(
      body.operations.map(({ id, title }: { id: unknown; title: string }) => [id, title]),
      [
        [7, 'number'],
        ['7', 'text'],
      ],
    );
  });

  it('refuses an event that names another session', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, operation('x', { session: 'other' }));
    assert.equal(body.results[0].outcome, 'invalid');
    assert.equal(body.results[0].issues[0].path, '/session');
    assert.equal(body.results[0].issues[0].code, 'session');
    assert.equal((await http(`${url}/v1/sessions`)).body.sessions.length, 0);
  });

  it('takes an empty array as nothing to do', async (t) => {
    const { url } = await serve(t);
    const { status, body } = await post(`${url}${S}/events`, []);
    assert.equal(status, 200);
    assert.deepEqual(body.results, []);
    assert.match(body.cursor, /:0$/);
  });

  it('answers 400 with issues when the body is not JSON, or neither an object nor an array', async (t) => {
    const { url } = await serve(t);
    for (const text of ['{"type":', '', 'null', '7', '"x"', 'true']) {
      const { status, body } = await post(`${url}${S}/events`, text);
      assert.equal(status, 400, text);
      assert.equal(body.error.code, 'bad_json');
      assert.equal(body.issues[0].code, 'syntax');
    }
  });

  it('refuses more events than a request may hold, naming the limit', async (t) => {
    const { url } = await serve(t, { batchLimit: 3 });
    const { status, body } = await post(
      `${url}${S}/events`,
      [1, 2, 3, 4].map((n) => operation(n)),
    );
    assert.equal(status, 400);
    assert.equal(body.error.code, 'too_many_events');
    assert.match(body.error.message, /at most 3 events.*holds 4/);
    assert.equal((await http(`${url}${S}`)).body.seq, 0);
  });

  it('refuses one event that is larger than an event may be, naming the limit', async (t) => {
    const { url } = await serve(t, { eventLimit: 500 });
    const { body } = await post(`${url}${S}/events`, [operation('x', { title: 'fits' }), operation('y', { foreign: 'ü'.repeat(250) })]);
    assert.equal(body.results[0].outcome, 'applied');
    assert.equal(body.results[1].issues[0].code, 'too_many_bytes');
    assert.match(body.results[1].issues[0].message, /500 bytes/);
  });

  it('survives an event that is nested beyond all reason', async (t) => {
    const { url } = await serve(t);
    const deep = `{"type":"operation","id":"x","ext":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const { status, body } = await post(`${url}${S}/events`, deep);
    assert.equal(status, 200);
    assert.equal(body.results[0].outcome, 'invalid');
    assert.equal((await post(`${url}${S}/events`, operation('y'))).body.results[0].outcome, 'applied');
  });

  it('takes names that would harm a plain object', async (t) => {
    const { url } = await serve(t);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const { body } = await post(
        `${url}/v1/sessions/${name}/events`,
        `{"type":"operation","id":"__proto__","__proto__":{"state":"failed"},"title":"t"}`,
      );
      assert.equal(body.results[0].outcome, 'applied');
      const snapshot = (await http(`${url}/v1/sessions/${name}`)).body;
      assert.equal(snapshot.session, name);
      assert.equal(snapshot.operations[0].state, 'pending');
    }
    assert.equal(({} as Record<string, unknown>)['state'], undefined);
  });

  it('ends what a run left open when the run ends', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, [
      { type: 'run', run: 'r1', state: 'running', at: 10 },
      operation('a', { run: 'r1', state: 'running', at: 11 }),
      operation('b', { run: 'r1', state: 'completed', at: 12 }),
      operation('c', { state: 'running', at: 13 }),
      { type: 'run', run: 'r1', state: 'completed', at: 14 },
      operation('a', { run: 'r1', message: 'still here', at: 15 }),
    ]);
    assert.equal(body.results.at(-1).outcome, 'late');
    const snapshot = (await http(`${url}${S}`)).body;
    assert.deepEqual(
      snapshot.operations.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`),
      ['a interrupted', 'b completed', 'c running'],
    );
    assert.equal(snapshot.operations[0].reason, 'run_ended');
    assert.equal(snapshot.operations[0].endedAt, 14);
  });

  it('does not let a late event bring back what was cleared', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, [
      operation('a', { state: 'running' }),
      { type: 'operation.clear', id: 'a' },
      operation('a', { message: 'late' }),
      operation('a', { attempt: 2, state: 'running' }),
    ]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'applied', 'late', 'applied'],
    );
  });

  it('goes on streaming after bad input of every sort', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    assert.equal((await reader.next()).event, 'snapshot');
    await post(`${url}${S}/events`, '{');
    await post(`${url}${S}/events`, [null, 1, 'x', [], {}, operation('x', { state: 5 })]);
    await http(`${url}${S}/events`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    await post(`${url}${S}/events`, operation('ok'));
    const frame = await reader.next();
    assert.equal(frame.data.id, 'ok');
    assert.match(frame.id ?? '', /:1$/);
  });
});

describe('the session name in the address', () => {
  it('may hold any text up to 256 characters', async (t) => {
    const { url } = await serve(t);
    for (const name of ['a/b', 'ü 🦊', '100%', 'a+b', '..', 'x'.repeat(256), '🦊'.repeat(256)]) {
      const address = `${url}/v1/sessions/${encodeURIComponent(name).replaceAll('.', '%2E')}`;
      if (name === '..') continue;
      await post(`${address}/events`, operation('x'));
      assert.equal((await http(address)).body.session, name);
    }
  });

  it('is refused when it is too long or holds control characters', async (t) => {
    const { url } = await serve(t);
    for (const name of ['x'.repeat(257), 'a\nb', 'a\u0000b', 'a\rb', '\u007f']) {
      for (const [method, part] of [
        ['GET', ''],
        ['POST', '/events'],
        ['PUT', '/card'],
        ['GET', '/stream'],
      ] as const) {
        const { status, body } = await http(`${url}/v1/sessions/${encodeURIComponent(name)}${part}`, {
          method,
          headers: { 'content-type': 'application/json' },
          body: method === 'GET' ? undefined : '{}',
        });
        assert.equal(status, 400);
        assert.equal(body.error.code, 'bad_request');
        assert.match(body.error.message, /session must be 1 to 256 characters/);
      }
    }
  });
});
