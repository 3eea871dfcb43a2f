import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import { http, operation, serve, stream } from './support.ts';

const S = '/v1/sessions/s';
const STREAM = `${S}/stream?dialect=report-progress`;

describe('a stream in a foreign shape', () => {
  it('brings `progress_update` frames as the readers of report_progress expect them, whole each time', async (t) => {
    const { url, gateway } = await serve(t);
    await gateway.publish('s', [operation('a', { state: 'running', title: 'Build', current: 5, total: 100, message: 'Compiling' })]);
    const reader = stream(t, `${url}${STREAM}`);
    const first = await reader.next();
    assert.deepEqual(first, {
      id: first.id,
      event: 'progress_update',
      data: { callId: 'a', title: 'Build', current: 5, total: 100, status: 'running', message: 'Compiling' },
    });
    assert.match(first.id!, /:1$/);
    await gateway.publish('s', [operation('a', { current: 42 }), operation('b', { state: 'running', title: 'Test', parent: 'a' })]);
    assert.deepEqual((await reader.next()).data, { ...first.data, current: 42 });
    const child = (await reader.next()).data;
    assert.deepEqual([child.callId, child.parentCallId, child.total], ['b', 'a', 100]);
    await gateway.publish('s', [operation('a', { state: 'completed', message: null })]);
    assert.deepEqual((await reader.next()).data, { ...first.data, current: 42, status: 'completed', message: '' });
  });

  it('gives back what came in that shape as it came', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = stream(t, `${url}${STREAM}`);
    while (gateway.clients === 0) await new Promise((resolve) => setImmediate(resolve));
    const frames = [
      { callId: 'c1', title: 'Building project', current: 5, total: 100, status: 'running', message: '' },
      { callId: 'c1', title: 'Building project', current: 42, total: 100, status: 'running', message: 'Compiling source files...' },
      { callId: 'c1', title: 'Building project', current: 100, total: 100, status: 'completed', message: '' },
    ];
    await gateway.publish('s', frames, { dialect: 'report-progress' });
    for (const frame of frames) assert.deepEqual((await reader.next()).data, frame);
  });

  it('tells one that comes back how things stand, and has nothing for it to misread', async (t) => {
    const { url, gateway, clock } = await serve(t);
    await gateway.publish('s', [operation('a', { state: 'running', title: 'A', run: 'r' }), { type: 'run', run: 'r', state: 'running' }]);
    const reader = stream(t, `${url}${STREAM}`, { 'last-event-id': 'whatever:7' });
    assert.equal((await reader.next()).data.title, 'A');
    clock.advance(15_000);
    await gateway.putCard('s', { markdown: 'note' });
    // What a run leaves open when it ends has failed.
    await gateway.publish('s', [{ type: 'run', run: 'r', state: 'completed' }]);
    const last = (await reader.next()).data;
    assert.equal(last.status, 'failed');
    gateway.endStreams({ reason: 'maintenance' });
    await reader.finished();
    assert.deepEqual(
      reader.frames.map(({ event }) => event),
      ['progress_update', 'progress_update'],
    );
  });

  it('is written once for all its readers, whenever they came', async (t) => {
    const { url, gateway } = await serve(t);
    const readers = [stream(t, `${url}${STREAM}`)];
    for (let n = 1; n <= 6; n += 1) {
      await gateway.publish('s', [operation('a', { state: 'running', title: 'A', current: n, total: 10 })]);
      for (const reader of readers) assert.equal((await reader.next()).data.current, n);
      const late = stream(t, `${url}${STREAM}`);
      assert.equal((await late.next()).data.current, n);
      readers.push(late);
    }
    for (const reader of readers.splice(0)) reader.close();
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
    await gateway.publish('s', [operation('a', { current: 7 })]);
    assert.equal((await stream(t, `${url}${STREAM}`).next()).data.current, 7);
  });

  it('begins anew with the session', async (t) => {
    const { url, gateway } = await serve(t);
    await gateway.publish('s', [operation('a', { state: 'running', title: 'A' })]);
    const readers = [stream(t, `${url}${STREAM}`), stream(t, `${url}${STREAM}`)];
    for (const reader of readers) await reader.next();
    await gateway.reset('s');
    await gateway.publish('s', [operation('b', { state: 'running', title: 'B' })]);
    for (const reader of readers) assert.equal((await reader.next()).data.title, 'B');
  });

  it('is there in every dialect that can be written, and in no other', async (t) => {
    const { url, gateway } = await serve(t);
    await gateway.publish('s', [
      operation('a', { state: 'running', title: 'A', seq: 1, current: 1, total: 2 }),
      operation('b', { state: 'blocked', title: 'B', blockedOn: { kind: 'question', prompt: 'Go on?' } }),
      operation('c', { state: 'completed', title: 'C' }),
      { type: 'card', revision: 1, card: { markdown: 'note' } },
    ]);
    for (const [name, { only }] of Object.entries(dialects)) {
      const address = `${url}${S}/stream?dialect=${name}`;
      if (only === 'in') {
        const { status, body } = await http(address);
        assert.deepEqual([status, body.error.code], [400, 'unknown_dialect']);
        continue;
      }
      const reader = stream(t, address);
      const { event, data } = await reader.next();
      assert.equal(event, name === 'report-progress' ? 'progress_update' : 'message');
      assert.ok(data !== undefined && data !== null, name);
      reader.close();
    }
    assert.equal((await http(`${url}${S}/stream?dialect=nonsense`)).body.error.code, 'unknown_dialect');
    assert.equal((await http(`${url}${STREAM}`, { method: 'HEAD' })).status, 200);
  });

  it('follows the rules of every stream: the limit, and the end of a reader that is slow', async (t) => {
    const { url, gateway } = await serve(t, { sessionClientLimit: 1 });
    await gateway.publish('s', [operation('a', { state: 'running', title: 'A' })]);
    const reader = stream(t, `${url}${STREAM}`);
    await reader.next();
    assert.equal((await http(`${url}${STREAM}`)).status, 429);
    reader.close();
    while (gateway.clients > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await stream(t, `${url}${STREAM}`).next()).data.title, 'A');
  });
});
