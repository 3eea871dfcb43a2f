import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createSseSource, createStore } from '@sitrep/client';
import { startServe } from './cli-support.ts';
import { http, operation, post, raw, serve, stream } from './support.ts';

const S = '/v1/sessions/s';

/** States of a connection that something comes through. */
const UP: ReadonlySet<string> = new Set(['live', 'quiet', 'resumed']);

describe('a gateway that is about to stop', () => {
  it('says first that it is not ready, and goes on as before', async (t) => {
    const { url, gateway, clock } = await serve(t);
    assert.deepEqual((await http(`${url}/readyz`)).body, { ready: true });
    const reader = stream(t, `${url}${S}/stream`);
    await reader.next();
    const drained = gateway.drain({ delayMs: 5_000 });
    const { status, body } = await http(`${url}/readyz`);
    assert.deepEqual([status, body.ready, body.error.code], [503, false, 'closed']);
    assert.equal((await http(`${url}/healthz`)).status, 200);
    // Whoever has not noticed yet is still served.
    const late = stream(t, `${url}${S}/stream`);
    assert.equal((await late.next()).event, 'snapshot');
    clock.advance(4_999);
    assert.equal((await post(`${url}${S}/events`, operation('x'))).status, 200);
    assert.equal((await reader.next()).event, 'operation');
    clock.advance(1);
    await new Promise((resolve) => setImmediate(resolve));
    const { status: refused, body: why, headers } = await http(`${url}${S}/stream`);
    assert.deepEqual([refused, why.error.code], [503, 'closed']);
    assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 5);
    clock.advance(50);
    await drained;
    await reader.finished();
    await late.finished();
    // What is still to be written has until the end.
    assert.equal((await post(`${url}${S}/events`, operation('y'))).status, 200);
    assert.equal((await http(`${url}${S}`)).body.seq, 2);
  });

  it('lets readers go a few at a time, each with a time of its own to come back after, and none with an end', async (t) => {
    const { url, gateway, clock } = await serve(t);
    const texts: string[] = [];
    const left = new Set<number>();
    for (let n = 0; n < 100; n += 1) {
      const socket = await raw(t, url, `GET ${S}/stream HTTP/1.0\r\nHost: localhost\r\n\r\n`);
      texts[n] = '';
      left.add(n);
      socket.on('data', (chunk) => (texts[n] += String(chunk)));
      socket.on('end', () => left.delete(n));
      await new Promise((resolve) => socket.once('data', resolve));
    }
    let random = 0;
    const drained = gateway.drain({ random: () => (random += 0.01) % 1 });
    await new Promise((resolve) => setImmediate(resolve));
    const open: number[] = [];
    for (let tick = 0; tick < 10; tick += 1) {
      clock.advance(50);
      open.push(gateway.clients);
    }
    await drained;
    assert.deepEqual(open, [90, 80, 70, 60, 50, 40, 30, 20, 10, 0]);
    while (left.size > 0) await new Promise((resolve) => setImmediate(resolve));
    const retries = texts.map((text) => Number(/retry: (\d+)\n\n$/.exec(text)?.[1]));
    assert.ok(
      retries.every((retry) => retry >= 500 && retry <= 1_500),
      retries.join(),
    );
    assert.ok(new Set(retries).size >= 90, 'each waits for another time');
    assert.ok(texts.every((text) => !text.includes('event: end')));
  });

  it('takes no longer than it was given, however many there are, and no time at all for nobody', async (t) => {
    const { url, gateway, clock } = await serve(t);
    const readers = Array.from({ length: 60 }, () => stream(t, `${url}${S}/stream`));
    for (const reader of readers) await reader.next();
    const drained = gateway.drain({ windowMs: 100 });
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(50);
    assert.equal(gateway.clients, 30);
    clock.advance(50);
    await drained;
    const { gateway: empty } = await serve(t);
    await empty.drain();
    assert.equal(empty.ready, false);
  });

  it('keeps its readers in process until it closes', async (t) => {
    const { gateway } = await serve(t);
    const seen: string[] = [];
    gateway.subscribe('s', ({ type }) => seen.push(type));
    await gateway.publish('s', [operation('x')]);
    await gateway.drain();
    await gateway.publish('s', [operation('y')]);
    await gateway.close();
    assert.deepEqual(seen, ['snapshot', 'operation', 'operation', 'end']);
  });
});

describe('sitrep serve', () => {
  it('on SIGTERM lets its readers go so that they come back to the next one and miss nothing', { timeout: 120_000 }, async (t) => {
    let { cli, url } = await startServe(t, ['--port', '0', '--store', 'memory', '--drain-delay', '0.2']);
    const { port } = new URL(url);
    const store = createStore({ session: 's', source: createSseSource({ url: `${url}${S}/stream`, maxRetryDelay: 500 }) });
    store.subscribe(() => undefined);
    t.after(() => store.close());
    const shows = async (id: string): Promise<void> => {
      while (!UP.has(store.getSnapshot().connection.state) || store.operation(id) === undefined)
        await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await post(`${url}${S}/events`, operation('x'));
    await shows('x');
    cli.child.kill('SIGTERM');
    let readiness = await http(`${url}/readyz`);
    while (readiness.status === 200) readiness = await http(`${url}/readyz`);
    assert.equal(readiness.body.ready, false);
    assert.equal((await cli.ended).code, 0);
    ({ cli, url } = await startServe(t, ['--port', port, '--store', 'memory']));
    await post(`${url}${S}/events`, operation('y'));
    await shows('y');
    assert.equal(store.operation('x'), undefined, 'the next one kept nothing of it');
    cli.child.kill('SIGINT');
    assert.equal((await cli.ended).code, 0);
  });

  it('lets 500 readers go one after the other, and every one of them comes back without a gap', { timeout: 120_000 }, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-drain-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'a.db');
    let { cli, url } = await startServe(t, ['--port', '0', '--store', file]);
    const { port } = new URL(url);
    await post(`${url}${S}/events`, operation('x', { state: 'running' }));
    const closed: number[] = [];
    let snapshots = 0;
    const read = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await fetch(address, init);
      if (!response.ok || !response.body) return response;
      const [own, theirs] = response.body.tee();
      void (async () => {
        const decoder = new TextDecoder();
        try {
          for await (const chunk of own) if (decoder.decode(chunk).includes('event: snapshot')) snapshots += 1;
          closed.push(performance.now());
        } catch {
          // Let go at the end of the test.
        }
      })();
      return new Response(theirs, { status: response.status, headers: response.headers });
    };
    const stores = Array.from({ length: 500 }, () => {
      const source = createSseSource({ url: `${url}${S}/stream`, fetch: read as typeof fetch, maxRetryDelay: 1_000 });
      const store = createStore({ session: 's', source });
      store.subscribe(() => undefined);
      t.after(() => store.close());
      return store;
    });
    const all = async (isSo: (store: (typeof stores)[number]) => boolean): Promise<void> => {
      while (!stores.every(isSo)) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await all((store) => store.operation('x') !== undefined);
    assert.equal(snapshots, 500);
    cli.child.kill('SIGTERM');
    assert.equal((await cli.ended).code, 0);
    await all(() => closed.length >= 500);
    const span = Math.max(...closed) - Math.min(...closed);
    assert.ok(span >= 1_000, `all were let go within ${span} ms`);
    ({ cli, url } = await startServe(t, ['--port', port, '--store', file]));
    await post(`${url}${S}/events`, operation('x', { state: 'completed' }));
    await all((store) => UP.has(store.getSnapshot().connection.state) && store.operation('x')?.state === 'completed');
    assert.equal(snapshots, 500, 'each went on where it had stopped');
    cli.child.kill('SIGINT');
    assert.equal((await cli.ended).code, 0);
  });

  it('stops at once at a second signal', async (t) => {
    const { cli, url } = await startServe(t, ['--port', '0', '--store', 'memory', '--drain-delay', '3600']);
    cli.child.kill('SIGTERM');
    while ((await http(`${url}/readyz`)).status === 200) await new Promise((resolve) => setImmediate(resolve));
    cli.child.kill('SIGTERM');
    assert.equal((await cli.ended).code, 0);
  });
});
