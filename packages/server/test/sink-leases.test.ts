import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createReporter } from '@sitrep/harness';
import type { Diagnostic } from '@sitrep/harness';
import { createHttpSink } from '@sitrep/harness/sink';
import type { HttpSinkOptions } from '@sitrep/harness/sink';
import type { Gateway, GatewayOptions } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { operation, post, serve, TestClock } from './support.ts';

/** The time of a producer, which stands still while its process is stopped. */
class ProducerClock {
  readonly #clock: TestClock;
  #timers: { at: number; run: () => void }[] = [];
  stopped = false;
  constructor(clock: TestClock) {
    this.#clock = clock;
    clock.every(100, () => this.#run());
  }
  now = (): number => this.#clock.now();
  after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.now() + ms, run };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  };
  #run(): void {
    if (this.stopped) return;
    for (const timer of this.#timers.filter(({ at }) => at <= this.now())) {
      this.#timers = this.#timers.filter((other) => other !== timer);
      timer.run();
    }
  }
}

async function setup(t: TestContext, sinkOptions: Partial<HttpSinkOptions> = {}, gatewayOptions: Partial<GatewayOptions> = {}) {
  const { gateway, url, clock } = await serve(t, gatewayOptions);
  const requests: string[] = [];
  const under = new Set<unknown>();
  const producer = new ProducerClock(clock);
  const diagnostics: Diagnostic[] = [];
  const sink = createHttpSink({
    url,
    batchMs: 100,
    clock: producer,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    async fetch(address, init) {
      requests.push(`${init.method} ${new URL(address).pathname}`);
      under.add(init);
      try {
        const response = await fetch(address, init);
        return new Response(await response.text(), { status: response.status });
      } finally {
        under.delete(init);
      }
    },
    ...sinkOptions,
  });
  /** Lets so many seconds pass, and everything that comes of them. */
  const pass = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds * 10; n += 1) {
      clock.advance(100);
      do await new Promise((resolve) => setTimeout(resolve, under.size > 0 ? 1 : 0));
      while (under.size > 0);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { gateway, url, clock, producer, requests, diagnostics, sink, pass };
}

const shown = async (gateway: Gateway) =>
  (await gateway.snapshot('s')).operations.map(({ id, run, attempt, state, current, title }) => ({
    id,
    run,
    attempt,
    state,
    current,
    title,
  }));
const plain = { run: undefined, current: undefined, title: undefined };

describe('an HTTP sink', () => {
  it('holds what it has open for as long as its program runs, with one small request now and then, and none when nothing is', async (t) => {
    const { gateway, requests, sink, pass } = await setup(t);
    const reporter = createReporter({ sink, session: 's', id: 'a' });
    await pass(60);
    assert.deepEqual(await shown(gateway), [{ ...plain, id: 'a', attempt: 1, state: 'running' }]);
    const renewals = requests.filter((request) => /^PUT \/v1\/sessions\/s\/leases\/[\w-]+$/.test(request));
    assert.ok(renewals.length >= 10 && renewals.length <= 16, `${renewals.length} renewals in a minute`);
    reporter.complete();
    await pass(10);
    const before = requests.length;
    await pass(60);
    assert.equal(requests.length, before);
  });

  it('asks for nothing beside the events while these are enough', async (t) => {
    const { gateway, requests, sink, pass } = await setup(t);
    const reporter = createReporter({ sink, session: 's', id: 'a', throttleMs: 0 });
    for (let n = 0; n < 30; n += 1) {
      reporter.update({ current: n });
      await pass(1);
    }
    assert.deepEqual(new Set(requests), new Set(['POST /v1/sessions/s/events']));
    assert.equal((await shown(gateway))[0]?.state, 'running');
  });

  it('goes on as another attempt after its program was stopped for a minute, with all that was said before', async (t) => {
    const { gateway, producer, diagnostics, sink, pass } = await setup(t);
    const a = createReporter({ sink, session: 's', id: 'a', title: 'Compile', throttleMs: 0 });
    a.update({ current: 4, total: 9 });
    const b = createReporter({ sink, session: 's', id: 'b', throttleMs: 0 });
    await pass(2);
    producer.stopped = true;
    await pass(60);
    assert.deepEqual(
      (await shown(gateway)).map(({ state }) => state),
      ['interrupted', 'interrupted'],
    );
    producer.stopped = false;
    await pass(3);
    assert.deepEqual(await shown(gateway), [
      { ...plain, id: 'a', attempt: 2, state: 'running', current: 4, title: 'Compile' },
      { ...plain, id: 'b', attempt: 2, state: 'running' },
    ]);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['resumed'],
    );
    a.update({ current: 9 });
    a.complete();
    b.retry().update({ current: 1 });
    await pass(2);
    assert.deepEqual(await shown(gateway), [
      { ...plain, id: 'a', attempt: 2, state: 'completed', current: 9, title: 'Compile' },
      { ...plain, id: 'b', attempt: 3, state: 'running', current: 1 },
    ]);
    assert.equal(sink.stats.pending, 0);
  });

  it('is not kept from saying how it ended by having been stopped', async (t) => {
    const { gateway, producer, sink, pass } = await setup(t);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => createReporter({ sink, session: 's', id, throttleMs: 0 }));
    await pass(2);
    producer.stopped = true;
    await pass(20);
    a?.fail('no space');
    b?.interrupt('gave_up');
    producer.stopped = false;
    await pass(3);
    assert.deepEqual(
      (await gateway.snapshot('s')).operations.map(({ id, attempt, state, reason }) => [id, attempt, state, reason]),
      [
        ['a', 2, 'failed', undefined],
        ['b', 1, 'interrupted', 'producer_lost'],
        ['c', 2, 'running', undefined],
      ],
    );
    c?.complete();
    await pass(1);
    assert.equal(sink.stats.pending, 0);
  });

  it('goes on in another run where its run was ended, and leaves alone what somebody else has ended', async (t) => {
    const { gateway, url, producer, sink, pass } = await setup(t);
    const run = (state: 'running' | 'completed', at: number) => sink.send({ type: 'run', session: 's', run: 'r', state, at });
    run('running', 1);
    const a = createReporter({ sink, session: 's', run: 'r', id: 'a', throttleMs: 0, title: 'Compile' });
    createReporter({ sink, session: 's', run: 'r', id: 'b', throttleMs: 0 });
    createReporter({ sink, session: 's', run: 'r', id: 'c', throttleMs: 0 }).complete();
    await pass(2);
    producer.stopped = true;
    await post(`${url}/v1/sessions/s/events`, operation('b', { run: 'r', state: 'cancelled' }));
    await pass(30);
    a.update({ current: 5 });
    producer.stopped = false;
    await pass(8);
    const expected = [
      { ...plain, id: 'a', run: 'r', attempt: 1, state: 'interrupted', title: 'Compile' },
      { ...plain, id: 'b', run: 'r', attempt: 1, state: 'cancelled' },
      { ...plain, id: 'c', run: 'r', attempt: 1, state: 'completed' },
    ];
    const again = { ...plain, id: 'a', run: 'r~2', attempt: 1, title: 'Compile', current: 5 };
    assert.deepEqual(await shown(gateway), [...expected, { ...again, state: 'running' }]);
    producer.stopped = true;
    await pass(30);
    producer.stopped = false;
    await pass(8);
    const third = { ...again, run: 'r~3' };
    assert.deepEqual(await shown(gateway), [...expected, { ...again, state: 'interrupted' }, { ...third, state: 'running' }]);
    a.complete();
    run('completed', 99);
    await pass(2);
    assert.deepEqual((await shown(gateway)).at(-1), { ...third, state: 'completed' });
    assert.deepEqual(
      (await gateway.snapshot('s')).runs.map(({ run: name, state }) => [name, state]),
      [
        ['r', 'interrupted'],
        ['r~2', 'interrupted'],
        ['r~3', 'completed'],
      ],
    );
  });

  it('leaves alone what somebody else has ended, also of more than can be asked for at once', async (t) => {
    const { gateway, url, producer, sink, pass } = await setup(t, { maxBatch: 3 });
    sink.send({ type: 'run', session: 's', run: 'r', state: 'running', at: 1 });
    const ids = Array.from({ length: 8 }, (_, n) => `op-${n}`);
    const reporters = ids.map((id) => createReporter({ sink, session: 's', run: 'r', id, throttleMs: 0 }));
    await pass(3);
    producer.stopped = true;
    await post(
      `${url}/v1/sessions/s/events`,
      [1, 6].map((n) => operation(`op-${n}`, { run: 'r', state: 'cancelled' })),
    );
    await pass(30);
    reporters[3]?.update({ current: 5 });
    producer.stopped = false;
    await pass(12);
    const again = (await shown(gateway)).filter(({ run }) => run === 'r~2');
    assert.deepEqual(
      again.map(({ id, state }) => [id, state]).toSorted(),
      [0, 2, 3, 4, 5, 7].map((n) => [`op-${n}`, 'running']),
    );
    assert.equal(again.find(({ id }) => id === 'op-3')?.current, 5);
    for (const reporter of reporters) reporter.complete();
    await pass(3);
    const last = (await shown(gateway)).filter(({ run }) => run === 'r~2');
    assert.deepEqual(new Set(last.map(({ state }) => state)), new Set(['completed']));
    assert.equal(sink.stats.pending, 0);
  });

  it('goes on as another attempt in a run of somebody else that goes on', async (t) => {
    const { gateway, url, producer, sink, pass } = await setup(t);
    await post(`${url}/v1/sessions/s/events`, { type: 'run', run: 'r', state: 'running' });
    createReporter({ sink, session: 's', run: 'r', id: 'a', throttleMs: 0 });
    await pass(2);
    producer.stopped = true;
    await pass(30);
    producer.stopped = false;
    await pass(8);
    assert.deepEqual(await shown(gateway), [{ ...plain, id: 'a', run: 'r', attempt: 2, state: 'running' }]);
  });

  it('finds another place for what begins in a run that was ended, its own or that of somebody else', async (t) => {
    const { gateway, url, producer, sink, pass } = await setup(t);
    sink.send({ type: 'run', session: 's', run: 'mine', state: 'running', at: 1 });
    await post(`${url}/v1/sessions/s/events`, { type: 'run', run: 'theirs', state: 'running' }, { 'sitrep-lease': 'them; ttl=15' });
    await pass(1);
    producer.stopped = true;
    await pass(30);
    createReporter({ sink, session: 's', run: 'mine', id: 'a', throttleMs: 0 });
    createReporter({ sink, session: 's', run: 'theirs', id: 'b', throttleMs: 0 });
    producer.stopped = false;
    await pass(10);
    assert.deepEqual(
      (await shown(gateway)).toSorted((a, b) => String(a.id).localeCompare(String(b.id))),
      [
        { ...plain, id: 'a', run: 'mine~2', attempt: 1, state: 'running' },
        { ...plain, id: 'b', run: 'theirs', attempt: 2, state: 'running' },
      ],
    );
    assert.equal(sink.stats.pending, 0);
  });

  it('does not undo what another producer says of the same operation, and comes back to it by its next word', async (t) => {
    const { gateway, url, sink, pass, requests } = await setup(t);
    const said: unknown[] = [];
    gateway.subscribe('s', (event) => event.type === 'operation' && said.push(event.current));
    sink.send({ type: 'operation', session: 's', id: 'a', at: 1, state: 'running', current: 1 });
    await pass(1);
    const other = { 'sitrep-lease': 'other; ttl=120' };
    await post(`${url}/v1/sessions/s/events`, operation('a', { current: 5 }), other);
    await pass(40);
    assert.deepEqual(said, [1, 5]);
    const renewals = requests.filter((request) => request.startsWith('PUT')).length;
    assert.ok(renewals <= 2, `renewed ${renewals} times what another holds`);
    sink.send({ type: 'operation', session: 's', id: 'a', at: 2, current: 6 });
    await pass(40);
    assert.deepEqual(said, [1, 5, 6]);
    assert.deepEqual(
      (await shown(gateway)).map(({ state, attempt }) => [state, attempt]),
      [['running', 1]],
    );
    assert.ok(requests.filter((request) => request.startsWith('PUT')).length > renewals + 4);
  });

  it('says everything once more to a gateway that has forgotten it', async (t) => {
    const clock = new TestClock();
    const first = await setup(t, {}, { clock });
    createReporter({ sink: first.sink, session: 's', id: 'a', title: 'Compile' });
    await first.pass(2);
    const { port } = new URL(first.url);
    await first.gateway.close({ end: false });
    const { createGateway } = await import('@sitrep/server');
    const second = createGateway({ store: createMemoryStore(), clock });
    t.after(() => second.close());
    await second.listen({ port: Number(port) });
    await first.pass(20);
    assert.deepEqual(await shown(second), [{ ...plain, id: 'a', attempt: 1, state: 'running', title: 'Compile' }]);
  });

  it('that is closed gives its lease back: what it left open is over at once', async (t) => {
    const { gateway, requests, sink, pass } = await setup(t);
    createReporter({ sink, session: 's', id: 'a' });
    createReporter({ sink, session: 't', id: 'b' }).complete();
    await pass(1);
    await sink.close();
    assert.deepEqual(
      (await gateway.snapshot('s')).operations.map(({ state, reason }) => [state, reason]),
      [['interrupted', 'producer_ended']],
    );
    assert.equal(requests.filter((request) => request.startsWith('DELETE')).length, 1);
  });

  it('asks a gateway that is silent at its end for a few of its sessions, and not for a hundred one after the other', async (t) => {
    const { url } = await serve(t);
    let released = 0;
    const sink = createHttpSink({
      url,
      batchMs: 0,
      flushMs: 50,
      async fetch(address, init) {
        if (init.method !== 'DELETE') return fetch(address, init);
        released += 1;
        return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    });
    for (let n = 0; n < 100; n += 1) sink.send({ type: 'operation', session: `s${n}`, id: 'a', at: 1, state: 'running' });
    await sink.flush({ timeoutMs: 60_000 });
    await sink.close();
    assert.equal(released, 20);
  });

  it('that promises nothing leaves what it opened as it is', async (t) => {
    const { gateway, requests, sink, pass } = await setup(t, { leaseMs: 0 });
    createReporter({ sink, session: 's', id: 'a' });
    await pass(60);
    await sink.close();
    assert.equal((await shown(gateway))[0]?.state, 'running');
    assert.deepEqual(requests, ['POST /v1/sessions/s/events']);
    for (const leaseMs of [1, -1, 120_001, Number.NaN]) {
      assert.throws(() => createHttpSink({ url: 'http://gateway', leaseMs }), RangeError);
    }
  });
});
