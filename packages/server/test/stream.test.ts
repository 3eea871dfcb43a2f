import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { StreamEvent } from '@sitrep/schema/wire';
import { createMemoryStore } from '@sitrep/server/memory';
import { framesOf, http, operation, post, put, raw, rawAnswer, serve, stream } from './support.ts';
import type { Frame } from './support.ts';

const S = '/v1/sessions/s';

describe('GET stream', () => {
  it('sends headers and a snapshot at once, for a session that does not exist yet too', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    const first = await reader.next();
    assert.equal(reader.status, 200);
    assert.equal(reader.headers['content-type'], 'text/event-stream');
    assert.equal(reader.headers['cache-control'], 'no-cache, no-transform');
    assert.equal(reader.headers['x-accel-buffering'], 'no');
    assert.equal(first.event, 'snapshot');
    assert.equal(first.data.type, 'snapshot');
    assert.equal(first.data.seq, 0);
    assert.deepEqual(first.data.operations, []);
    assert.equal(first.id, `${first.data.epoch}:0`);
  });

  it('goes on from the empty snapshot in the same epoch', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    const { data } = await reader.next();
    await post(`${url}${S}/events`, operation('x'));
    const frame = await reader.next();
    assert.equal(frame.id, `${data.epoch}:1`);
    assert.equal(frame.event, 'operation');
    assert.deepEqual(frame.data, { type: 'operation', session: 's', id: 'x', at: data.at });
  });

  it('sends each applied event once, in order, and nothing of the others', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    await reader.next();
    await post(`${url}${S}/events`, [
      operation('x', { seq: 1 }),
      operation('x', { seq: 1 }),
      operation('x', { bad: 1, state: 'no' }),
      operation('x', { seq: 2, message: 'm' }),
    ]);
    await put(`${url}${S}/card`, { markdown: 'n' });
    const frames = [await reader.next(), await reader.next(), await reader.next()];
    assert.deepEqual(
      frames.map(({ id, event }) => `${id?.split(':')[1]} ${event}`),
      ['1 operation', '2 operation', '3 card'],
    );
  });

  it('shows nothing of one session to the readers of another', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    await reader.next();
    await post(`${url}/v1/sessions/other/events`, operation('secret'));
    await post(`${url}${S}/events`, operation('mine'));
    assert.equal((await reader.next()).data.id, 'mine');
  });

  it('misses and doubles nothing between the snapshot and what follows, under a steady flow of writes', async (t) => {
    const { url, gateway } = await serve(t);
    const load = { on: true };
    const writer = (async () => {
      for (let n = 1; load.on; n += 1) await gateway.publish('s', [operation('x', { seq: n, current: n })]);
    })();
    for (let n = 0; n < 30; n += 1) {
      const reader = stream(t, `${url}${S}/stream`);
      const { data } = await reader.next();
      assert.equal(data.operations[0]?.current ?? 0, data.seq);
      for (let seq = data.seq + 1; seq < data.seq + 5; seq += 1) assert.equal((await reader.next()).data.current, seq);
      reader.close();
    }
    load.on = false;
    await writer;
  });

  it('answers HEAD with the headers alone', async (t) => {
    const { url, gateway } = await serve(t);
    const { status, headers, text } = await http(`${url}${S}/stream`, { method: 'HEAD' });
    assert.deepEqual([status, headers['content-type'], text], [200, 'text/event-stream', '']);
    assert.equal(gateway.clients, 0);
  });

  it('serves an HTTP/1.0 proxy without chunks', async (t) => {
    const { url, gateway } = await serve(t);
    const socket = await raw(t, url, `GET ${S}/stream HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    let text = '';
    const ended = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (text.includes('event: operation')) void gateway.close();
        else if (text.includes('event: snapshot')) void gateway.publish('s', [operation('x')]);
      });
      socket.on('end', resolve);
    });
    await ended;
    assert.doesNotMatch(text, /transfer-encoding/i);
    assert.match(
      text,
      /\r\n\r\nretry: 1000\n\nid: \S+:0\nevent: snapshot\ndata: \{.*\}\n\nid: \S+:1\nevent: operation\ndata: \{.*\}\n\nevent: end\ndata: \{.*\}\n\n$/s,
    );
  });

  it('ends chunked streams as chunked coding demands', async (t) => {
    const { url, gateway } = await serve(t);
    const answer = rawAnswer(t, url, `GET ${S}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    while (gateway.clients === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    void gateway.close();
    const text = await answer;
    assert.match(text, /transfer-encoding: chunked/i);
    assert.ok(text.endsWith('0\r\n\r\n'));
  });
});

describe('resuming', () => {
  it('sends exactly what was missed, then a heartbeat, without a snapshot', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, [operation('a'), operation('b'), operation('c')]);
    const [epoch] = body.cursor.split(':');
    const reader = stream(t, `${url}${S}/stream`, { 'last-event-id': `${epoch}:1` });
    assert.deepEqual([(await reader.next()).id, (await reader.next()).id], [`${epoch}:2`, `${epoch}:3`]);
    const beat = await reader.next();
    assert.equal(beat.event, 'heartbeat');
    assert.deepEqual([beat.data.epoch, beat.data.seq, beat.id], [epoch, 3, undefined]);
    await post(`${url}${S}/events`, operation('d'));
    assert.equal((await reader.next()).id, `${epoch}:4`);
  });

  it('has a first byte at once when nothing was missed', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, operation('a'));
    const reader = stream(t, `${url}${S}/stream?cursor=${body.cursor}`);
    assert.equal((await reader.next()).event, 'heartbeat');
  });

  it('takes the header before the query', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${S}/events`, [operation('a'), operation('b')]);
    const [epoch] = body.cursor.split(':');
    const reader = stream(t, `${url}${S}/stream?cursor=${epoch}:2`, { 'last-event-id': `${epoch}:1` });
    assert.equal((await reader.next()).id, `${epoch}:2`);
  });

  it('says why it did not resume, then begins with a snapshot', async (t) => {
    const { url } = await serve(t, { store: createMemoryStore({ events: 2 }) });
    const { body } = await post(
      `${url}${S}/events`,
      [1, 2, 3, 4].map((n) => operation(n)),
    );
    const [epoch] = body.cursor.split(':');
    for (const [cursor, reason] of [
      ['another:3', 'epoch'],
      ['garbage', 'epoch'],
      [`${epoch}:99999999999999999999`, 'epoch'],
      [`${epoch}:-1`, 'epoch'],
      [`${epoch}:5`, 'ahead'],
      [`${epoch}:1`, 'too-old'],
      [`${epoch}:0`, 'too-old'],
    ]) {
      const reader = stream(t, `${url}${S}/stream`, { 'last-event-id': cursor as string });
      const resync = await reader.next();
      assert.equal(resync.event, 'resync', cursor);
      assert.deepEqual(resync.data, { type: 'resync', epoch, seq: 4, reason });
      assert.equal(resync.id, undefined);
      const snapshot = await reader.next();
      assert.equal(snapshot.event, 'snapshot');
      assert.equal(snapshot.data.operations.length, 4);
    }
  });

  it('doubles nothing over twenty-one events and a reconnect', async (t) => {
    const { url, gateway } = await serve(t);
    const seen: unknown[] = [];
    const first = stream(t, `${url}${S}/stream`);
    await first.next();
    await gateway.publish(
      's',
      Array.from({ length: 20 }, (_, n) => operation(n)),
    );
    let last = '';
    for (let n = 0; n < 20; n += 1) {
      const { data, id } = await first.next();
      seen.push(data.id);
      last = id as string;
    }
    first.close();
    await gateway.publish('s', [operation(20)]);
    const second = stream(t, `${url}${S}/stream`, { 'last-event-id': last });
    seen.push((await second.next()).data.id);
    assert.deepEqual(
      seen,
      Array.from({ length: 21 }, (_, n) => n),
    );
    assert.equal((await second.next()).event, 'heartbeat');
  });

  it('prefers a snapshot to a replay that is larger than a reader may be behind', async (t) => {
    const { url, gateway } = await serve(t, { replayLimit: 10_000 });
    const { cursor } = await gateway.publish('s', [operation('x')]);
    for (let n = 0; n < 100; n += 1) await gateway.publish('s', [operation('x', { message: `${n}`.padEnd(300, '.') })]);
    const reader = stream(t, `${url}${S}/stream`, { 'last-event-id': cursor });
    assert.equal((await reader.next()).data.reason, 'too-old');
    assert.equal((await reader.next()).data.seq, 101);
  });
});

describe('heartbeats', () => {
  it('repeat the position every fifteen seconds', async (t) => {
    const { url, clock } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    const { data } = await reader.next();
    clock.advance(14_999);
    await post(`${url}${S}/events`, operation('x'));
    assert.equal((await reader.next()).event, 'operation');
    clock.advance(1);
    const beat = await reader.next();
    assert.equal(beat.event, 'heartbeat');
    assert.deepEqual(beat.data, { type: 'heartbeat', epoch: data.epoch, seq: 1, at: clock.now() });
  });

  it('speak of the history that its readers were given, before anything is written in it', async (t) => {
    const { url, gateway, clock } = await serve(t);
    await gateway.publish('s', [operation('x')]);
    const reader = stream(t, `${url}${S}/stream`);
    const { data: before } = await reader.next();
    await gateway.reset('s');
    let frame = await reader.next();
    while (frame.event !== 'snapshot') frame = await reader.next();
    assert.notEqual(frame.data.epoch, before.epoch);
    clock.advance(15_000);
    const beat = await reader.next();
    assert.deepEqual(beat.data, { type: 'heartbeat', epoch: frame.data.epoch, seq: frame.data.seq, at: clock.now() });
  });
});

describe('slow readers', () => {
  it('are sent the newest of everything in place of what they missed, and are told when it happens again', async (t) => {
    const { url, gateway, clock } = await serve(t, { clientBufferLimit: 100_000 });
    const socket = await raw(t, url, `GET ${S}/stream HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    const healthy = stream(t, `${url}${S}/stream`);
    await healthy.next();
    let text = '';
    let wake = (): void => {};
    socket.on('data', (chunk) => {
      text += String(chunk);
      wake();
    });
    const comes = async (pattern: RegExp): Promise<void> => {
      while (!pattern.test(text)) await new Promise<void>((resolve) => (wake = resolve));
    };
    let n = 0;
    const missMuch = async (): Promise<void> => {
      socket.pause();
      // 39 MB, far more than the kernel takes for a reader that does not read.
      for (const last = n + 2_500; n < last; n += 1) {
        const event = operation(n === 7 ? 'once' : 'x', { message: `at ${n}`, ext: { pad: 'p'.repeat(15_000) }, seq: n });
        await gateway.publish('s', [event]);
      }
      for (let k = 0; k < 2_500; k += 1) await healthy.next();
      socket.resume();
    };

    const index = new SessionIndex('s');
    let at = -1;
    let all: Frame[] = [];
    /** Takes what came as a reader would: no hole, nothing twice, and in the end what is stored. */
    const take = async (): Promise<void> => {
      const end = text.lastIndexOf('\n\n') + 2;
      all = framesOf(text.slice(0, end));
      text = text.slice(end);
      for (const { event, data, id } of all) {
        if (event === 'snapshot') {
          index.load(data);
          at = data.seq;
        } else if (event === 'changes') {
          assert.ok(data.after <= at && data.seq > at, `changes from ${data.after} to ${data.seq} for a reader at ${at}`);
          assert.equal(index.merge(data).outcome, 'applied');
          at = data.seq;
        } else if (id !== undefined) {
          assert.equal(id.split(':')[1], String(at + 1), 'a hole, or a repeat');
          assert.equal(index.apply(data).outcome, 'applied');
          at += 1;
        }
      }
      const { at: _, ...stored } = await gateway.snapshot('s');
      const { at: __, ...shown } = index.snapshot(0, stored.epoch, at);
      assert.deepEqual(shown, stored);
    };
    const kinds = (): string[] => all.map(({ event }) => event).filter((event) => event !== 'operation');

    await missMuch();
    await comes(/event: (?:changes|snapshot)\n.*"seq":2500,.*\n\n/);
    const received = text.indexOf('event: changes');
    // What was on its way when it stopped reading: the kernel's share, and what one connection is busy with.
    assert.ok(received < 16_000_000, `${received} characters had been queued for a reader that did not read`);
    await take();
    // The kernel may take more in the middle of it all, and so it may happen again; the first time comes without a word.
    assert.deepEqual(kinds().slice(0, 2), ['snapshot', 'changes']);
    assert.deepEqual(
      all.find(({ event }) => event === 'changes')?.data.operations.map(({ id }: Record<string, unknown>) => id),
      ['x'],
      'only what changed since',
    );
    await gateway.publish('s', [operation('y')]);
    await comes(/^id: \S+:2501\nevent: operation\n.*\n\n/m);
    await take();

    await missMuch();
    await comes(/event: snapshot\n.*"seq":5001,.*\n\n/);
    await take();
    assert.deepEqual(kinds().slice(-2), ['resync', 'snapshot']);
    assert.equal(all.find(({ event }) => event === 'resync')?.data.reason, 'slow');

    // A heartbeat that finds it idle forgives it.
    clock.advance(15_000);
    await comes(/event: heartbeat\n.*\n\n/);
    await healthy.next();
    await missMuch();
    await comes(/event: (?:changes|snapshot)\n.*"seq":7501,.*\n\n/);
    await take();
    assert.deepEqual(kinds().slice(0, 2), ['heartbeat', 'changes']);
  });

  it('lose nothing while what waits for them stays within bounds', async (t) => {
    const { url, gateway } = await serve(t, { clientBufferLimit: 40_000_000 });
    const socket = await raw(t, url, `GET ${S}/stream HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let n = 1; n <= 2_000; n += 1) await gateway.publish('s', [operation('x', { seq: n, ext: { pad: 'p'.repeat(15_000) } })]);
    const seen: number[] = [];
    let text = '';
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += String(chunk);
        for (const [, seq] of text.matchAll(/^id: \S+:(\d+)$/gm)) seen.push(Number(seq));
        text = text.slice(text.lastIndexOf('\n\n') + 2);
        if (seen.at(-1) === 2_000) resolve();
      });
    });
    assert.deepEqual(
      [...new Set(seen)],
      Array.from({ length: 2_001 }, (_, n) => n),
    );
  });

  it('are cut off when they stay behind', async (t) => {
    const { url, gateway, clock } = await serve(t, { clientBufferLimit: 50_000, slowClientMs: 30_000 });
    const socket = await raw(t, url, `GET ${S}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let n = 1; n <= 600; n += 1) await gateway.publish('s', [operation('x', { seq: n, ext: { pad: 'p'.repeat(15_000) } })]);
    assert.equal(gateway.clients, 1);
    clock.advance(15_000);
    clock.advance(15_000);
    assert.equal(gateway.clients, 1);
    clock.advance(15_000);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(gateway.clients, 0);
  });

  it('are not cut off by a snapshot that is larger than the limit', async (t) => {
    const { url, gateway } = await serve(t, { clientBufferLimit: 20_000 });
    await gateway.publish(
      's',
      Array.from({ length: 100 }, (_, n) => operation(n, { message: 'm'.repeat(500) })),
    );
    const reader = stream(t, `${url}${S}/stream`);
    assert.equal((await reader.next()).data.operations.length, 100);
    await gateway.publish('s', [operation('x')]);
    assert.equal((await reader.next()).data.id, 'x');
  });
});

describe('the number of streams', () => {
  it('is bounded for the gateway and for a session, and what is closed makes room', async (t) => {
    const { url, gateway } = await serve(t, { clientLimit: 3, sessionClientLimit: 2 });
    const readers = [stream(t, `${url}${S}/stream`), stream(t, `${url}${S}/stream`)];
    for (const reader of readers) await reader.next();
    const perSession = await http(`${url}${S}/stream`);
    assert.equal(perSession.status, 429);
    assert.equal(perSession.body.error.code, 'too_many_streams');
    assert.equal(perSession.headers['retry-after'], '2');
    const other = stream(t, `${url}/v1/sessions/o/stream`);
    await other.next();
    const whole = await http(`${url}/v1/sessions/p/stream`);
    assert.equal(whole.status, 503);
    assert.equal(whole.body.error.code, 'too_many_clients');
    assert.match(whole.body.error.message, /at most 3 streams/);
    readers[0]?.close();
    while (gateway.clients > 2) await new Promise((resolve) => setImmediate(resolve));
    const again = stream(t, `${url}/v1/sessions/p/stream`);
    assert.equal((await again.next()).event, 'snapshot');
  });
});

describe('the end', () => {
  it('is told to every reader, and closing never hangs', async (t) => {
    const { url, gateway } = await serve(t);
    const readers = ['a', 'a', 'b'].map((name) => stream(t, `${url}/v1/sessions/${name}/stream`));
    for (const reader of readers) await reader.next();
    // A reader that reads nothing, and a request that never ends.
    await raw(t, url, `GET ${S}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await raw(t, url, `POST ${S}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    await gateway.close({ reason: 'maintenance' });
    for (const reader of readers) {
      assert.deepEqual((await reader.next()).data, { type: 'end', reason: 'maintenance' });
      await reader.finished();
    }
    await assert.rejects(http(`${url}/healthz`), /ECONNREFUSED/);
  });

  it('is not said when readers shall come back', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = stream(t, `${url}${S}/stream`);
    await reader.next();
    await gateway.close({ end: false });
    await reader.finished();
    assert.equal(
      reader.frames.some(({ event }) => event === 'end'),
      false,
    );
  });

  it('of one listener leaves the gateway and its readers in process alone', async (t) => {
    const { gateway } = await serve(t);
    const second = await gateway.listen({ port: 0 });
    const seen: string[] = [];
    gateway.subscribe('s', ({ type }) => seen.push(type));
    const reader = stream(t, `${second.url}${S}/stream`);
    await reader.next();
    await second.close();
    assert.equal((await reader.next()).event, 'end');
    await gateway.publish('s', [operation('x')]);
    assert.deepEqual(seen, ['snapshot', 'operation']);
  });
});

describe('reading in process', () => {
  it('gets a snapshot, then every event, and stops when told to', async (t) => {
    const { gateway } = await serve(t);
    const seen: StreamEvent[] = [];
    const stop = gateway.subscribe('s', (event) => seen.push(event));
    await gateway.publish('s', [operation('x')]);
    stop();
    await gateway.publish('s', [operation('y')]);
    assert.deepEqual(
      seen.map(({ type }) => type),
      ['snapshot', 'operation'],
    );
    assert.equal(gateway.clients, 0);
  });

  it('survives a listener that throws', async (t) => {
    const { gateway, log } = await serve(t);
    const seen: string[] = [];
    gateway.subscribe('s', () => {
      throw new Error('mine');
    });
    gateway.subscribe('s', ({ type }) => seen.push(type));
    await gateway.publish('s', [operation('x')]);
    assert.deepEqual(seen, ['snapshot', 'operation']);
    assert.match(log.join('\n'), /mine/);
  });

  it('resumes from a cursor', async (t) => {
    const { gateway } = await serve(t);
    const { cursor } = await gateway.publish('s', [operation('x')]);
    await gateway.publish('s', [operation('y')]);
    const seen: StreamEvent[] = [];
    gateway.subscribe('s', (event) => seen.push(event), { cursor });
    await gateway.publish('s', [operation('z')]);
    assert.deepEqual(
      seen.map((event) => (event.type === 'operation' ? event.id : event.type)),
      ['y', 'heartbeat', 'z'],
    );
  });
});
