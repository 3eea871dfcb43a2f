import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGateway, GatewayError } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import type { Store } from '@sitrep/server/store';
import { http, operation, post, put, serve, stream, TestClock } from './support.ts';

/** A memory store whose next commits can be made to fail or to wait. */
function moody(): Store & { fail: number; gate: Promise<void> | undefined; commits: number } {
  const inner = createMemoryStore();
  const store = Object.assign(Object.create(inner) as Store, {
    fail: 0,
    gate: undefined as Promise<void> | undefined,
    commits: 0,
    async commit(changes: Parameters<Store['commit']>[0]) {
      store.commits += 1;
      await store.gate;
      if (store.fail-- > 0) throw new Error('disk full');
      return inner.commit(changes);
    },
  });
  return store;
}

describe('a gateway', () => {
  it('is not made without a store, nor with an option that there is not', () => {
    for (const options of [undefined, null, {}, { store: undefined }, { store: 'progress.db' }])
      assert.throws(() => createGateway(options as never), { name: 'TypeError', message: /^createGateway needs a store: / });
    const mistyped = { store: createMemoryStore(), bodyLimt: 5 };
    assert.throws(() => createGateway(mistyped), { name: 'TypeError', message: /^createGateway has no option "bodyLimt"\..* bodyLimit,/ });
  });

  it('acknowledges only what is stored: nothing of a failed commit is answered, shown or streamed', async (t) => {
    const store = moody();
    const { url, log } = await serve(t, { store });
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    const { data } = await reader.next();
    store.fail = 1;
    const failed = await post(`${url}/v1/sessions/s/events`, operation('lost'));
    assert.equal(failed.status, 503);
    assert.equal(failed.body.error.code, 'store_failed');
    assert.match(log.join(), /disk full/);
    store.fail = 1;
    assert.equal((await put(`${url}/v1/sessions/s/card`, { markdown: 'lost' })).status, 503);
    assert.equal((await http(`${url}/v1/sessions/s`)).body.seq, 0);
    await post(`${url}/v1/sessions/s/events`, operation('kept'));
    const frame = await reader.next();
    assert.equal(frame.data.id, 'kept');
    assert.equal(frame.id, `${data.epoch}:1`);
    const { body } = await http(`${url}/v1/sessions/s`);
    assert.deepEqual(
      body.operations.map(({ id }: { id: string }) => id),
      ['kept'],
    );
    assert.equal(body.revision, 0);
  });

  it('shows nothing that is not stored yet', async (t) => {
    const store = moody();
    const { gateway } = await serve(t, { store });
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => (open = resolve));
    const publishing = gateway.publish('s', [operation('x')]);
    while (store.commits === 0) await new Promise((resolve) => setImmediate(resolve));
    let answered = false;
    const reading = gateway.snapshot('s').then((snapshot) => {
      answered = true;
      return snapshot;
    });
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answered, false);
    open();
    await publishing;
    assert.equal((await reading).seq, 1);
  });

  it('stores what arrives together in one commit', async (t) => {
    const store = moody();
    const { gateway } = await serve(t, { store });
    await Promise.all(Array.from({ length: 50 }, (_, n) => gateway.publish(`s${n % 5}`, [operation(n)])));
    assert.equal(store.commits, 1);
    assert.equal((await gateway.snapshot('s0')).operations.length, 10);
  });

  it('refuses more than may wait, and takes it when there is room again', async (t) => {
    const store = moody();
    const { gateway } = await serve(t, { store, pendingLimit: 10 });
    const five = [1, 2, 3, 4, 5].map((n) => operation(n));
    const accepted = [gateway.publish('s', five), gateway.publish('s', five)];
    await assert.rejects(gateway.publish('s', five), (error: GatewayError) => error.code === 'busy');
    await Promise.all(accepted);
    await gateway.publish('s', five);
  });

  it('never mixes up sessions that it keeps in memory with those it has let go', async (t) => {
    const { gateway } = await serve(t, { idleSessions: 2 });
    for (let round = 1; round <= 3; round += 1) {
      for (let n = 0; n < 10; n += 1) {
        const { cursor, results } = await gateway.publish(`s${n}`, [operation('x', { seq: round, message: `${round}` })]);
        assert.equal(results[0]?.outcome, 'applied');
        assert.match(cursor, new RegExp(`:${round}$`));
      }
    }
    for (let n = 0; n < 10; n += 1) assert.equal((await gateway.snapshot(`s${n}`)).operations[0]?.message, '3');
  });

  it('keeps the epoch of a session that is only read so far, whatever else is going on', async (t) => {
    const { gateway, url } = await serve(t, { idleSessions: 1 });
    const reader = stream(t, `${url}/v1/sessions/quiet/stream`);
    const { data } = await reader.next();
    for (let n = 0; n < 5; n += 1) await gateway.publish(`loud${n}`, [operation('x')]);
    await gateway.publish('quiet', [operation('x')]);
    assert.equal((await reader.next()).id, `${data.epoch}:1`);
  });

  it('keeps no more sessions in memory for being asked about many', async (t) => {
    const inner = createMemoryStore();
    const loads: string[] = [];
    const store: Store = Object.assign(Object.create(inner) as Store, {
      load: (session: string) => {
        loads.push(session);
        return inner.load(session);
      },
    });
    const { gateway } = await serve(t, { store, idleSessions: 3 });
    await gateway.publish('first', [operation('x')]);
    for (let n = 0; n < 10; n += 1) await gateway.snapshot(`asked-${n}`);
    loads.length = 0;
    for (const session of ['asked-9', 'asked-8', 'asked-7', 'first', 'asked-0']) await gateway.snapshot(session);
    assert.deepEqual(loads, ['first', 'asked-0']);
    assert.equal((await gateway.snapshot('first')).operations.length, 1);
  });

  it('keeps the epoch of sessions that many readers begin at once', async (t) => {
    const { gateway } = await serve(t, { idleSessions: 2 });
    const seen = Array.from({ length: 30 }, () => [] as string[]);
    seen.forEach((epochs, n) => {
      const stop = gateway.subscribe(`s${n}`, (event) => {
        if (event.type === 'snapshot') epochs.push(event.epoch);
      });
      t.after(stop);
    });
    while (seen.some(({ length }) => length === 0)) await new Promise((resolve) => setImmediate(resolve));
    for (const [n, epochs] of seen.entries()) {
      const { cursor } = await gateway.publish(`s${n}`, [operation('x')]);
      assert.deepEqual([cursor, epochs.length], [`${epochs[0]}:1`, 1]);
    }
  });

  it('keeps what it must not forget when a session leaves memory', async (t) => {
    const { gateway } = await serve(t, { idleSessions: 1 });
    await gateway.putCard('s', { markdown: 'a' });
    await gateway.putCard('s', {});
    await gateway.publish('s', [
      operation('a', { attempt: 2, state: 'running' }),
      { type: 'operation.clear', id: 'a' },
      { type: 'run', run: 'r', state: 'completed' },
      { type: 'session', title: 'T', usage: { tokens: 5 } },
    ]);
    const before = await gateway.snapshot('s');
    await gateway.publish('other', [operation('x')]);
    await gateway.publish('another', [operation('x')]);
    assert.deepEqual({ ...(await gateway.snapshot('s')), at: 0 }, { ...before, at: 0 });
    const { results } = await gateway.publish('s', [
      operation('a', { attempt: 2 }),
      operation('b', { run: 'r' }),
      { type: 'run', run: 'r', state: 'running' },
    ]);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['late', 'applied', 'late'],
    );
    assert.equal(((await gateway.putCard('s', { markdown: 'b' })) as { revision: number }).revision, 3);
  });

  it('lets go of the least recently written session beyond the store’s bound and tells its readers', async (t) => {
    const { gateway, url } = await serve(t, { store: createMemoryStore({ sessions: 2 }) });
    await gateway.publish('a', [operation('x')]);
    const reader = stream(t, `${url}/v1/sessions/a/stream`);
    const { data } = await reader.next();
    await gateway.publish('b', [operation('x')]);
    await gateway.publish('c', [operation('x')]);
    assert.equal((await reader.next()).data.reason, 'epoch');
    const anew = await reader.next();
    assert.equal(anew.data.seq, 0);
    assert.notEqual(anew.data.epoch, data.epoch);
    await gateway.publish('a', [operation('y')]);
    assert.equal((await reader.next()).id, `${anew.data.epoch}:1`);
  });

  it('evicts finished operations first and does not let them come back', async (t) => {
    const { gateway } = await serve(t, { idleSessions: 1, batchLimit: 2_000 });
    await gateway.publish(
      's',
      Array.from({ length: 1_000 }, (_, n) => operation(n, { state: n === 500 ? 'completed' : 'running' })),
    );
    await gateway.publish('s', [operation('new', { state: 'running' })]);
    await gateway.publish('t', [operation('x')]);
    await gateway.publish('u', [operation('x')]);
    const { operations } = await gateway.snapshot('s');
    assert.equal(operations.length, 1_000);
    assert.equal(
      operations.some(({ id }) => id === 500),
      false,
    );
    const { results } = await gateway.publish('s', [operation(500, { message: 'late' })]);
    assert.equal(results[0]?.outcome, 'late');
  });

  it('marks everything open as interrupted when the program says that all producers are gone', async (t) => {
    const { gateway } = await serve(t);
    await gateway.publish('s', [
      { type: 'run', run: 'r', state: 'running' },
      operation('a', { run: 'r', state: 'running' }),
      operation('b', { state: 'blocked' }),
      operation('c', { state: 'completed' }),
    ]);
    await gateway.publish('t', [operation('d', { attempt: 3, state: 'waiting' })]);
    await gateway.interruptOpen();
    const { runs, operations } = await gateway.snapshot('s');
    assert.deepEqual(
      operations.map(({ id, state, reason }) => [id, state, reason]),
      [
        ['a', 'interrupted', 'restarted'],
        ['b', 'interrupted', 'restarted'],
        ['c', 'completed', undefined],
      ],
    );
    assert.equal(runs[0]?.state, 'interrupted');
    assert.equal((await gateway.snapshot('t')).operations[0]?.state, 'interrupted');
    assert.deepEqual(await gateway.sessions({ open: true }), []);
  });

  it('is a sink for a reporter, in order, and flush waits until all is stored', async (t) => {
    const { gateway } = await serve(t);
    const sink = gateway.sink();
    for (let n = 1; n <= 2_500; n += 1) sink.send({ type: 'operation', session: n % 2 ? 's' : 't', id: 'x', at: n, seq: n, current: n });
    await sink.flush();
    assert.equal((await gateway.snapshot('s')).operations[0]?.current, 2_499);
    assert.equal((await gateway.snapshot('t')).operations[0]?.current, 2_500);
    sink.send({ type: 'operation', session: 's', id: 'y', at: 1 });
    await sink.close();
    sink.send({ type: 'operation', session: 's', id: 'z', at: 1 });
    await sink.flush();
    assert.deepEqual(
      (await gateway.snapshot('s')).operations.map(({ id }) => id),
      ['x', 'y'],
    );
  });

  it('refuses everything after it was closed, and closing twice is closing once', async (t) => {
    const { gateway } = await serve(t);
    const last = gateway.publish('s', [operation('x')]);
    await Promise.all([gateway.close(), gateway.close()]);
    assert.equal((await last).results[0]?.outcome, 'applied');
    await assert.rejects(gateway.publish('s', []), (error: GatewayError) => error.code === 'closed');
    await assert.rejects(gateway.snapshot('s'), (error: GatewayError) => error.name === 'GatewayError');
  });

  it('refuses limits that are none', () => {
    for (const options of [{ bodyLimit: 0 }, { heartbeatMs: -1 }, { clientLimit: Number.NaN }]) {
      assert.throws(() => createGateway({ store: createMemoryStore(), clock: new TestClock(), ...options }), RangeError);
    }
  });

  it('says when its port is taken', async (t) => {
    const { gateway, url } = await serve(t);
    await assert.rejects(gateway.listen({ port: Number(new URL(url).port) }), { code: 'EADDRINUSE' });
  });
});
