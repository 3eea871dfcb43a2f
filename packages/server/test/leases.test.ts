import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createReporter } from '@sitrep/harness';
import { createGateway, createToken, readKeys } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Store } from '@sitrep/server/store';
import { http, operation, post, put, serve, TestClock } from './support.ts';

/** Gives what was set going time to come to its end: nothing in it waits for a clock. */
async function settle(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the time on in steps of one second, as a machine that is awake does. */
async function pass(clock: TestClock, seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    clock.advance(1_000);
    await settle();
  }
}

const states = async (gateway: Gateway, session: string) =>
  Object.fromEntries(
    (await gateway.snapshot(session)).operations.map(({ id, state, reason }) => [id, reason ? `${state}: ${reason}` : state]),
  );
const runsOf = async (gateway: Gateway, session: string) =>
  Object.fromEntries((await gateway.snapshot(session)).runs.map(({ run, state, reason }) => [run, reason ? `${state}: ${reason}` : state]));

const as = (producer: string, ttl = 15) => ({ 'sitrep-lease': `${producer}; ttl=${ttl}` });
const renewal = (url: string, session: string, producer: string, ttl = 15) =>
  put(`${url}/v1/sessions/${session}/leases/${producer}`, { ttl });
const release = (url: string, session: string, producer: string) =>
  http(`${url}/v1/sessions/${session}/leases/${producer}`, { method: 'DELETE' });

describe('a producer that is not heard of', () => {
  it('has what it left open interrupted when its lease runs out, in one commit, and nobody else has', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [{ type: 'run', run: 'r', state: 'running' }, operation('a', { run: 'r', state: 'running' })], as('dead'));
    await post(events, [operation('b', { state: 'blocked' }), operation('c', { state: 'running' }), operation('d')], as('dead'));
    await post(events, operation('c', { state: 'completed' }), as('dead'));
    await post(events, operation('e', { state: 'running' }), as('alive'));
    await post(events, operation('f', { state: 'running' }));
    const batches: number[] = [];
    t.after(gateway.subscribe('s', () => undefined));
    for (let n = 0; n < 14; n += 1) {
      await pass(clock, 1);
      if (n % 5 === 4) await renewal(url, 's', 'alive');
    }
    assert.equal((await states(gateway, 's'))['b'], 'blocked', 'nobody is lost before the end of its lease');
    const before = gateway.stats.commitCount;
    await pass(clock, 2);
    batches.push(gateway.stats.commitCount - before);
    assert.deepEqual(await states(gateway, 's'), {
      a: 'interrupted: producer_lost',
      b: 'interrupted: producer_lost',
      c: 'completed',
      d: 'interrupted: producer_lost',
      e: 'running',
      f: 'running',
    });
    assert.deepEqual(await runsOf(gateway, 's'), { r: 'interrupted: producer_lost' });
    assert.deepEqual(batches, [1]);
    for (let n = 0; n < 60; n += 1) {
      await pass(clock, 1);
      if (n % 5 === 4) await renewal(url, 's', 'alive');
    }
    const after = await states(gateway, 's');
    assert.equal(after['e'], 'running', 'who renews is not lost');
    assert.equal(after['f'], 'running', 'who promised nothing is not lost');
    const { text } = await http(`${url}/metrics`);
    assert.match(text, /^sitrep_leases_total\{how="lost"\} 1$/m);
    assert.match(text, /^sitrep_interrupted_total 4$/m);
  });

  it('finds what was ended closed when it comes back, is told why, and goes on as another attempt', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [operation('a', { state: 'running', seq: 5 }), operation('b', { state: 'running' })], as('p'));
    await post(events, operation('b', { state: 'cancelled' }));
    await pass(clock, 17);
    assert.equal((await renewal(url, 's', 'p')).body.held, 0);
    const late = await post(
      events,
      [operation('a', { current: 7, seq: 6 }), operation('a', { seq: 5 }), operation('b', { current: 1 })],
      as('p'),
    );
    assert.deepEqual(late.body.results, [
      { outcome: 'late', reason: 'producer_lost' },
      { outcome: 'duplicate', reason: 'producer_lost' },
      { outcome: 'late', reason: 'ended' },
    ]);
    assert.deepEqual(
      (await post(events, operation('a', { current: 7 }))).body.results,
      [{ outcome: 'late' }],
      'others are not told to go on',
    );
    await post(events, operation('a', { state: 'running', attempt: 2, current: 7 }), as('p'));
    assert.equal((await states(gateway, 's'))['a'], 'running');
    assert.equal((await renewal(url, 's', 'p')).body.held, 1);
    await pass(clock, 17);
    assert.equal((await states(gateway, 's'))['a'], 'interrupted: producer_lost');
  });

  it('is told the same when it asks again under the same key, and begins nothing in a run that was ended', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [{ type: 'run', run: 'r', state: 'running' }, operation('a', { run: 'r', state: 'running' })], as('p'));
    await pass(clock, 17);
    const sent = [operation('a', { run: 'r', state: 'completed' }), operation('b', { run: 'r', state: 'running' }), operation('c')];
    const lost = { outcome: 'late', reason: 'producer_lost' };
    for (let n = 0; n < 2; n += 1) {
      const { body } = await post(events, sent, { ...as('p'), 'idempotency-key': 'k' });
      assert.deepEqual(body.results, [lost, lost, { outcome: 'applied' }]);
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_lost', c: 'pending' });
    assert.deepEqual(
      (await post(events, operation('b', { run: 'r' }))).body.results,
      [{ outcome: 'applied' }],
      'others are not held to that',
    );
  });

  it('does not end a run in which another one is at work: that one holds it then', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [{ type: 'run', run: 'r', state: 'running' }, operation('a', { run: 'r', state: 'running' })], as('lead'));
    await post(events, operation('b', { run: 'r', state: 'running' }), as('helper'));
    for (let n = 0; n < 20; n += 1) {
      await pass(clock, 1);
      await renewal(url, 's', 'helper');
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_lost', b: 'running' });
    assert.deepEqual(await runsOf(gateway, 's'), { r: 'running' });
    await pass(clock, 17);
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_lost', b: 'interrupted: producer_lost' });
    assert.deepEqual(await runsOf(gateway, 's'), { r: 'interrupted: producer_lost' });
  });

  it('loses what another producer has taken over neither to its own end nor to its return', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, operation('a', { state: 'running' }), as('first'));
    await post(events, operation('a', { message: 'mine now' }), as('second'));
    for (let n = 0; n < 20; n += 1) {
      await pass(clock, 1);
      await renewal(url, 's', 'second');
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'running' });
  });
});

describe('a lease', () => {
  it('that is given back ends what is still open at once', async (t) => {
    const { gateway, url } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [operation('a', { state: 'running' }), operation('b', { state: 'completed' })], as('p'));
    await post(events, operation('c', { state: 'running' }), as('q'));
    assert.deepEqual((await release(url, 's', 'p')).body, { interrupted: 1 });
    assert.deepEqual((await release(url, 's', 'p')).body, { interrupted: 0 });
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_ended', b: 'completed', c: 'running' });
  });

  it('counts for the time it was given last, by an event or by itself', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    for (const producer of ['event', 'alone']) await post(events, operation(producer, { state: 'running' }), as(producer, 120));
    await pass(clock, 1);
    await post(events, operation('event', { current: 1 }), as('event', 2));
    await renewal(url, 's', 'alone', 2);
    await pass(clock, 4);
    assert.deepEqual(await states(gateway, 's'), { event: 'interrupted: producer_lost', alone: 'interrupted: producer_lost' });
  });

  it('is not begun where nothing is open', async (t) => {
    const { gateway, url } = await serve(t);
    assert.deepEqual((await renewal(url, 's', 'p', 20)).body, { producer: 'p', ttl: 20, held: 0, known: false });
    await post(`${url}/v1/sessions/s/events`, operation('a', { state: 'completed' }), as('p'));
    assert.equal((await renewal(url, 's', 'p')).body.held, 0);
    assert.deepEqual((await gateway.options.store.leases?.of('s'))?.leases, []);
  });

  it('goes on by events alone', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, operation('a', { state: 'running' }), as('p'));
    for (let n = 0; n < 60; n += 1) {
      await pass(clock, 1);
      await post(events, operation('a', { current: n }), as('p'));
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'running' });
  });

  it('of an operation that was let go or cleared holds nothing', async (t) => {
    const { gateway, url, clock } = await serve(t);
    const events = `${url}/v1/sessions/s/events`;
    await post(events, [operation('a', { state: 'running' }), { type: 'operation.clear', id: 'a' }], as('p'));
    assert.equal((await renewal(url, 's', 'p')).body.held, 0);
    await pass(clock, 17);
    assert.deepEqual(await states(gateway, 's'), {});
  });

  it('is refused in words when it cannot be read, and needs the right to write', async (t) => {
    const keys = readKeys('x'.repeat(32));
    const { url } = await serve(t);
    for (const header of ['', ';ttl=3', 'p;ttl=', 'p;ttl=0.5', 'p;ttl=121', 'p; ttl=1e3', 'a b', 'ä', '.', '..; ttl=15', 'x'.repeat(65)]) {
      const answer = await post(`${url}/v1/sessions/s/events`, operation('a'), { 'sitrep-lease': Buffer.from(header).toString('latin1') });
      assert.equal(answer.status, 400, header);
      assert.equal(answer.body.error.code, 'bad_request');
    }
    assert.equal((await renewal(url, 's', 'p', Number.NaN)).status, 400);
    assert.equal((await put(`${url}/v1/sessions/s/leases/p`, { ttl: '15' })).status, 400);
    assert.equal((await http(`${url}/v1/sessions/s/leases/p`)).status, 405);
    const locked = await serve(t, { keys });
    const headers = { authorization: `Bearer ${await createToken(keys, { scope: 'read', sessions: ['s'], now: locked.clock.now() })}` };
    const address = `${locked.url}/v1/sessions/s/leases/p`;
    assert.equal((await put(address, {}, headers)).status, 403);
    assert.equal((await http(address, { method: 'DELETE', headers })).status, 403);
    assert.equal((await http(address, { method: 'DELETE' })).status, 401);
  });
});

/** A machine whose clock can be set, and whose timers go on all the same. */
class MachineClock extends TestClock {
  #elapsed = 0;
  monotonic(): number {
    return this.#elapsed;
  }
  override advance(ms: number): void {
    this.#elapsed += ms;
    super.advance(ms);
  }
  set(ms: number): void {
    this.time += ms;
    this.shift(ms);
  }
}

describe('nobody is taken for lost because of the gateway', () => {
  it('which was stopped for a while: each has the whole time of its lease to be heard of again', async (t) => {
    const clock = new MachineClock();
    const { gateway, url } = await serve(t, { clock });
    await post(`${url}/v1/sessions/s/events`, operation('a', { state: 'running' }), as('alive'));
    await post(`${url}/v1/sessions/s/events`, operation('b', { state: 'running' }), as('dead'));
    // A stopped process runs no timer; what was due runs once it goes on.
    clock.sleep(60_000);
    await pass(clock, 5);
    assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'running' });
    for (let n = 0; n < 12; n += 1) {
      await renewal(url, 's', 'alive');
      await pass(clock, 1);
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'interrupted: producer_lost' });
  });

  for (const hours of [1, -1, 24 * 365]) {
    it(`whose clock was set by ${hours} h: the dead are found in time, the living are left alone`, async (t) => {
      const clock = new MachineClock();
      const { gateway, url } = await serve(t, { clock });
      await post(`${url}/v1/sessions/s/events`, operation('a', { state: 'running' }), as('alive'));
      await post(`${url}/v1/sessions/s/events`, operation('b', { state: 'running' }), as('dead'));
      await pass(clock, 3);
      clock.set(hours * 3_600_000);
      for (let n = 0; n < 29; n += 1) {
        if (n % 5 === 0) await renewal(url, 's', 'alive');
        await pass(clock, 1);
      }
      assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'interrupted: producer_lost' });
    });
  }

  it('and yet is it found out who is, behind a thousand whose longer time begins anew', async (t) => {
    const { gateway, clock } = await serve(t);
    const ids = Array.from({ length: 1_000 }, (_, n) => n);
    for (const n of ids)
      await gateway.publish('long', [operation(`op-${n}`, { state: 'running' })], { lease: { producer: `p${n}`, ttl: 120_000 } });
    await gateway.publish('short', [operation('a', { state: 'running' })], { lease: { producer: 'q' } });
    clock.sleep(300_000);
    await pass(clock, 20);
    assert.deepEqual(await states(gateway, 'short'), { a: 'interrupted: producer_lost' });
    assert.equal((await states(gateway, 'long'))['op-7'], 'running');
    await pass(clock, 110);
    assert.deepEqual(new Set(Object.values(await states(gateway, 'long'))), new Set(['interrupted: producer_lost']));
  });

  it('whose store was away', async (t) => {
    const store = createMemoryStore();
    const { leases } = store;
    assert.ok(leases);
    let away = false;
    const flaky = async <T>(answer: () => Promise<T>): Promise<T> => {
      if (away) throw new Error('the store is away');
      return answer();
    };
    const failing: Store = {
      ...store,
      leases: {
        ...leases,
        renew: (given) => flaky(() => leases.renew(given)),
        expired: (options) => flaky(() => leases.expired(options)),
      },
    };
    const { gateway, url, clock, log } = await serve(t, { store: failing });
    await post(`${url}/v1/sessions/s/events`, operation('a', { state: 'running' }), as('p'));
    away = true;
    await pass(clock, 60);
    assert.equal((await renewal(url, 's', 'p')).status, 503);
    assert.ok(log.some((line) => line.includes('the store is away')));
    away = false;
    await pass(clock, 13);
    assert.deepEqual(await states(gateway, 's'), { a: 'running' });
    await pass(clock, 4);
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_lost' });
  });

  it('that was started again: what lives goes on, what does not is ended', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-lives-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, 'a.db');
    const first = await serve(t, { store: createSqliteStore(path) });
    await post(`${first.url}/v1/sessions/s/events`, operation('a', { state: 'running' }), as('alive'));
    await post(`${first.url}/v1/sessions/s/events`, [operation('b', { state: 'running' })], as('dead'));
    await post(`${first.url}/v1/sessions/t/events`, { type: 'run', run: 'r', state: 'running' }, as('dead'));
    await first.gateway.close();

    const clock = new TestClock();
    clock.time += 3_600_000;
    const { gateway, url } = await serve(t, { store: createSqliteStore(path), clock });
    await gateway.interruptOpen();
    await pass(clock, 10);
    assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'running' });
    for (let n = 0; n < 7; n += 1) {
      assert.equal((await renewal(url, 's', 'alive')).body.held, 1);
      await pass(clock, 1);
    }
    assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'interrupted: producer_lost' });
    assert.deepEqual(await runsOf(gateway, 't'), { r: 'interrupted: producer_lost' });
  });
});

describe('a sink in process', () => {
  const begin = async (gateway: Gateway, t: TestContext, ids: readonly string[]) => {
    const sink = gateway.sink();
    t.after(() => sink.close());
    for (const id of ids) createReporter({ sink, session: 's', id });
    await sink.flush();
    return sink;
  };

  it('holds what it opened for as long as it is there, and ends it when it is closed', async (t) => {
    const { gateway, clock } = await serve(t);
    const sink = await begin(gateway, t, ['a']);
    const other = await begin(gateway, t, ['b']);
    await pass(clock, 90);
    assert.deepEqual(await states(gateway, 's'), { a: 'running', b: 'running' });
    await sink.close();
    assert.deepEqual(await states(gateway, 's'), { a: 'interrupted: producer_ended', b: 'running' });
    await other.close();
  });

  it('has what it held in the life before ended by the next one: at once when told to, else when its lease is over', async (t) => {
    for (const told of [true, false]) {
      const directory = mkdtempSync(join(tmpdir(), 'sitrep-lives-'));
      t.after(() => rmSync(directory, { recursive: true, force: true }));
      const path = join(directory, 'a.db');
      const first = createGateway({ store: createSqliteStore(path), clock: new TestClock() });
      const sink = first.sink();
      createReporter({ sink, session: 's', id: 'a' });
      await sink.flush();
      await first.close();
      const clock = new TestClock();
      const second = createGateway({ store: createSqliteStore(path), clock });
      t.after(() => second.close());
      const mine = await begin(second, t, ['b']);
      if (told) await second.interruptOpen();
      else await pass(clock, 17);
      assert.deepEqual(await states(second, 's'), { a: told ? 'interrupted: restarted' : 'interrupted: producer_lost', b: 'running' });
      await mine.close();
    }
  });
});
