import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createHttpCardWriter } from '@sitrep/harness';
import { createHttpSink } from '@sitrep/harness/sink';
import type { HttpSinkOptions } from '@sitrep/harness/sink';
import type { Diagnostic } from '@sitrep/harness';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { ManualClock, settle } from './support/manual-clock.ts';

type Reply = (events: readonly OperationEvent[], url: string) => Response | Promise<Response>;
const acknowledge: Reply = (events) => Response.json({ results: events.map(() => ({ outcome: 'applied' })), cursor: 'e:1' });
const operation = (id: string | number, more: Partial<OperationEvent> = {}): OperationEvent => ({
  type: 'operation',
  session: 's',
  id,
  at: 1,
  ...more,
});

function setup(options: Partial<HttpSinkOptions> = {}) {
  const clock = new ManualClock();
  const diagnostics: Diagnostic[] = [];
  const batches: (readonly OperationEvent[])[] = [];
  const urls: string[] = [];
  const gate: { reply: Reply } = { reply: acknowledge };
  let open = 0;
  let mostOpen = 0;
  const sink = createHttpSink({
    url: 'http://gateway/',
    clock,
    random: () => 0,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    async fetch(url, init) {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      try {
        const events = JSON.parse(String(init.body)) as OperationEvent[];
        batches.push(events);
        urls.push(url);
        return await gate.reply(events, url);
      } finally {
        open -= 1;
      }
    },
    ...options,
  });
  return { clock, sink, batches, urls, gate, diagnostics, mostOpen: () => mostOpen };
}

describe('an HTTP sink', () => {
  it('refuses at once an address nothing can be posted to, and says what to pass', () => {
    const refused: readonly (readonly [options: unknown, message: RegExp])[] = [
      [undefined, /createHttpSink needs \{ url \}, an http or https address such as \S+, not undefined/],
      ['http://127.0.0.1:4747', /not the text "http:\/\/127\.0\.0\.1:4747"/],
      [{}, /url was undefined/],
      [{ url: 'localhost:4747' }, /not "localhost:4747"\. Is http:\/\/localhost:4747 meant\?/],
      [{ url: 'notaurl' }, /not "notaurl"\.$/],
      [{ url: 'file:///etc' }, /not "file:\/\/\/etc"\.$/],
    ];
    for (const [options, message] of refused) {
      assert.throws(() => createHttpSink(options as HttpSinkOptions), { name: 'TypeError', message });
      assert.throws(() => createHttpCardWriter(options as HttpSinkOptions), { name: 'TypeError', message: /createHttpCardWriter needs/ });
    }
  });
  it('says what a gateway that refuses says', async () => {
    const server = createServer((_, response) => response.writeHead(403).end('{"error":{"code":"forbidden","message":"No key."}}'));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const told: string[] = [];
    await using sink = createHttpSink({ url, batchMs: 0, onDiagnostic: ({ message }) => void told.push(message) });
    sink.send(operation('a'));
    await sink.flush();
    server.close();
    assert.deepEqual(told, [`The gateway at ${url} refused an event with status 403 (No key.); it was dropped.`]);
  });
  it('says which gateway is away and why, without what stands in its address', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await new Promise((resolve) => server.close(resolve));
    const message = await new Promise<string>((resolve) => {
      const sink = createHttpSink({
        url: `${url}?key=secret`,
        batchMs: 0,
        flushMs: 0,
        onDiagnostic: (each) => {
          resolve(each.message);
          void sink.close();
        },
      });
      sink.send(operation('a'));
    });
    assert.match(message, /^The gateway at http:\/\/127\.0\.0\.1:\d+\/ could not be reached \(.*ECONNREFUSED.*\); the events are kept/);
  });
  it('takes an address within the page where there is one', () => {
    const page = globalThis as { location?: unknown };
    page.location = { href: 'https://page.example/chat' };
    try {
      assert.equal(createHttpSink({ url: '/sitrep' }).stats.pending, 0);
      assert.throws(() => createHttpSink({ url: 'localhost:4747' }), TypeError);
    } finally {
      delete page.location;
    }
  });

  it('waits for ever where it is told to', async () => {
    const reply: Reply = (events) => new Promise((resolve) => setTimeout(() => resolve(acknowledge(events, '') as Response), 20));
    const { sink, gate, batches, diagnostics } = setup({ clock: undefined, batchMs: 0, timeoutMs: Number.POSITIVE_INFINITY, leaseMs: 0 });
    gate.reply = reply;
    sink.send(operation('a'));
    await sink.flush({ timeoutMs: Number.POSITIVE_INFINITY });
    assert.deepEqual([batches.length, sink.stats.acknowledged, diagnostics], [1, 1, []]);
  });

  it('gathers events for a moment and posts them in order to their session', async () => {
    const { sink, clock, batches, urls } = setup();
    sink.send(operation('a', { state: 'running' }));
    sink.send(operation('b', { state: 'running' }));
    sink.send(operation('a', { state: 'completed' }));
    await settle();
    assert.equal(batches.length, 0);
    clock.advance(50);
    await settle();
    assert.deepEqual(
      batches.map((batch) => batch.map(({ id, state }) => [id, state])),
      [
        [
          ['a', 'running'],
          ['b', 'running'],
          ['a', 'completed'],
        ],
      ],
    );
    assert.deepEqual(urls, ['http://gateway/v1/sessions/s/events']);
    assert.deepEqual([sink.stats.pending, sink.stats.acknowledged, sink.stats.outcomes.applied], [0, 3, 3]);
  });

  it('escapes the session in the address and keeps sessions apart, each in its order', async () => {
    const { sink, batches, urls } = setup();
    sink.send(operation(1, { session: 'a/b ü', state: 'running' }));
    sink.send(operation(2, { session: 's', state: 'running' }));
    sink.send(operation(1, { session: 'a/b ü', state: 'completed' }));
    await sink.flush();
    assert.deepEqual(urls, ['http://gateway/v1/sessions/a%2Fb%20%C3%BC/events', 'http://gateway/v1/sessions/s/events']);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [2, 1],
    );
  });

  it('has one request in flight and sends what came meanwhile afterwards', async () => {
    const { sink, gate, batches, mostOpen } = setup();
    let release = (): void => {};
    gate.reply = (events, url) =>
      new Promise((resolve) => {
        release = () => resolve(acknowledge(events, url));
      });
    sink.send(operation('a', { state: 'running' }));
    const flushed = sink.flush();
    await settle();
    for (let index = 0; index < 5; index += 1) sink.send(operation(index, { state: 'running' }));
    await settle();
    assert.equal(batches.length, 1);
    release();
    await settle();
    release();
    await flushed;
    assert.deepEqual([batches.length, batches[1]?.length, mostOpen()], [2, 5, 1]);
  });

  it('collapses updates of one operation to the newest values and never across a change of state', async () => {
    const { sink, batches } = setup();
    sink.send(operation('a', { state: 'running', seq: 1 }));
    sink.send(operation('a', { current: 1, message: 'x', seq: 2 }));
    sink.send(operation('a', { current: 2, seq: 3 }));
    sink.send(operation('a', { state: 'waiting', seq: 4 }));
    sink.send(operation('a', { current: 3, seq: 5 }));
    sink.send(operation('a', { state: 'completed', seq: 6 }));
    await sink.flush();
    assert.deepEqual(
      batches[0]?.map(({ seq, state, current, message }) => [seq, state, current, message]),
      [
        [3, 'running', 2, 'x'],
        [5, 'waiting', 3, undefined],
        [6, 'completed', undefined, undefined],
      ],
    );
    assert.equal(sink.stats.coalesced, 3);
  });

  it('keeps ids of another type, runs and attempts apart', async () => {
    const { sink, batches } = setup();
    for (const more of [{ id: 7 }, { id: '7' }, { id: 7, run: 'r' }, { id: 7, attempt: 2 }])
      sink.send(operation(7, { ...more, current: 1 }));
    await sink.flush();
    assert.equal(batches[0]?.length, 4);
  });

  for (const status of [408, 425, 429, 500, 502, 503]) {
    it(`tries again after status ${status} and loses nothing`, async () => {
      const { sink, gate, batches, clock } = setup();
      gate.reply = () => new Response('later', { status });
      sink.send(operation('a', { state: 'completed' }));
      clock.advance(50);
      await settle();
      gate.reply = acknowledge;
      clock.advance(249);
      await settle();
      assert.equal(batches.length, 1);
      clock.advance(1);
      await settle();
      assert.deepEqual([batches.length, sink.stats.acknowledged, sink.stats.retries], [2, 1, 1]);
      assert.deepEqual(batches[0], batches[1]);
    });
  }

  it('tries again after a network fault with pauses that double up to a limit', async () => {
    const { sink, gate, batches, clock, diagnostics } = setup({ maxBackoffMs: 1000 });
    gate.reply = () => Promise.reject(new TypeError('fetch failed'));
    sink.send(operation('a', { state: 'completed' }));
    clock.advance(50);
    const pauses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await settle();
      const [pause = 0] = clock.pending;
      pauses.push(pause);
      clock.advance(pause);
    }
    await settle();
    assert.deepEqual(pauses, [250, 500, 1000, 1000, 1000]);
    assert.equal(batches.length, 6);
    assert.equal(diagnostics[0]?.code, 'network');
    gate.reply = acknowledge;
    await sink.flush();
    assert.equal(sink.stats.acknowledged, 1);
  });

  it('waits as long as the gateway asks, within its own limit', async () => {
    const { sink, gate, clock } = setup();
    gate.reply = () => new Response('', { status: 429, headers: { 'retry-after': '7' } });
    sink.send(operation('a', { state: 'completed' }));
    clock.advance(50);
    await settle();
    assert.deepEqual(clock.pending, [7000]);
  });

  it('counts a request without an answer as failed, also when fetch takes no notice of being aborted', async () => {
    const { sink, gate, batches, clock } = setup({ timeoutMs: 2000 });
    gate.reply = () => new Promise(() => {});
    sink.send(operation('a', { state: 'completed' }));
    clock.advance(50);
    await settle();
    gate.reply = acknowledge;
    clock.advance(2000);
    await settle();
    clock.advance(250);
    await settle();
    assert.deepEqual([batches.length, sink.stats.acknowledged], [2, 1]);
  });

  for (const status of [400, 401, 403, 404, 422]) {
    it(`drops what the gateway refuses with status ${status}, tells, and goes on`, async () => {
      const { sink, gate, diagnostics } = setup();
      gate.reply = () => new Response('', { status });
      sink.send(operation('a', { state: 'completed' }));
      await sink.flush();
      gate.reply = acknowledge;
      sink.send(operation('b', { state: 'completed' }));
      await sink.flush();
      assert.deepEqual([sink.stats.dropped, sink.stats.acknowledged, sink.stats.retries], [1, 1, 0]);
      assert.deepEqual([diagnostics[0]?.code, diagnostics[0]?.status], ['http_status', status]);
    });
  }

  it('keeps what is refused with 401 while headers are made anew: with the second token, or when there is a good one again', async () => {
    let made = 0;
    const { sink, gate, clock } = setup({ headers: () => ({ authorization: `Bearer ${(made += 1)}` }) });
    let asked = 0;
    gate.reply = (events, url) => ((asked += 1) === 2 || asked === 7 ? acknowledge(events, url) : new Response('', { status: 401 }));
    sink.send(operation('a', { state: 'completed' }));
    await sink.flush();
    assert.deepEqual([made, sink.stats.acknowledged, sink.stats.retries], [2, 1, 0]);
    sink.send(operation('b', { state: 'completed' }));
    const flushed = sink.flush();
    for (let step = 0; step < 4; step += 1) {
      await settle();
      clock.advance(1_000);
    }
    await flushed;
    assert.deepEqual([made, sink.stats.acknowledged, sink.stats.dropped, sink.stats.retries], [7, 2, 0, 2]);
  });

  it('sends smaller batches when the gateway finds one too large', async () => {
    const { sink, gate, batches } = setup();
    gate.reply = (events, url) => (events.length > 3 ? new Response('', { status: 413 }) : acknowledge(events, url));
    for (let index = 0; index < 10; index += 1) sink.send(operation(index, { state: 'completed' }));
    await sink.flush();
    assert.deepEqual([sink.stats.acknowledged, sink.stats.dropped], [10, 0]);
    assert.deepEqual(
      batches
        .filter((batch) => batch.length <= 3)
        .flat()
        .map(({ id }) => id),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  it('tells of events the gateway found invalid', async () => {
    const { sink, gate, diagnostics } = setup();
    gate.reply = () =>
      Response.json({ results: [{ outcome: 'invalid', issues: [{ path: '/total', message: 'total must be finite.' }] }], cursor: 'e:1' });
    sink.send(operation('a'));
    await sink.flush();
    assert.equal(sink.stats.outcomes.invalid, 1);
    assert.deepEqual([diagnostics[0]?.code, diagnostics[0]?.path], ['invalid', '/total']);
  });

  for (const [name, body] of [
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['another shape', '{"results":[null,7,{"outcome":"new"}]}'],
  ] as const) {
    it(`takes ${name} from a gateway that says 200 for an acknowledgement, and says that it tells nothing`, async () => {
      const { sink, gate, diagnostics } = setup();
      gate.reply = () => new Response(body);
      sink.send(operation('a'));
      await sink.flush();
      assert.deepEqual([sink.stats.acknowledged, sink.stats.pending], [1, 0]);
      assert.deepEqual(
        diagnostics.map(({ code, status }) => [code, status]),
        name === 'another shape' ? [] : [['no_outcomes', 200]],
      );
    });
  }

  it('tells what became of each event, and loses nothing to a listener that fails', async () => {
    const heard: unknown[] = [];
    const { sink, gate, diagnostics } = setup({
      onOutcome: ({ type, ...event }, outcome) => {
        heard.push([type, 'id' in event ? event.id : undefined, outcome]);
        if (outcome === 'late') throw new Error('no');
      },
    });
    gate.reply = (events) => Response.json({ results: events.map(({ id }) => ({ outcome: id === 'b' ? 'late' : 'applied' })) });
    for (const id of ['a', 'b', 'c']) sink.send(operation(id, { state: 'running' }));
    await sink.flush();
    assert.deepEqual(heard, [
      ['operation', 'a', 'applied'],
      ['operation', 'b', 'late'],
      ['operation', 'c', 'applied'],
    ]);
    assert.deepEqual([sink.stats.acknowledged, sink.stats.outcomes.applied, sink.stats.outcomes.late], [3, 2, 1]);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['listener_failed'],
    );
  });

  it('counts outcomes of the events it sent and of no more', async () => {
    const { sink, gate } = setup();
    gate.reply = () => Response.json({ results: Array.from({ length: 9 }, () => ({ outcome: 'applied' })) });
    sink.send(operation('a'));
    await sink.flush();
    assert.deepEqual([sink.stats.acknowledged, sink.stats.outcomes.applied], [1, 1]);
  });

  it('makes its headers anew for each request, and tries again when they fail', async () => {
    let calls = 0;
    const seen: unknown[] = [];
    const clock = new ManualClock();
    const sink = createHttpSink({
      url: 'http://gateway',
      clock,
      headers() {
        calls += 1;
        if (calls === 1) throw new Error('no token yet');
        return { authorization: `Bearer ${calls}` };
      },
      fetch: (_, init) => (
        seen.push((init.headers as Record<string, string>)['authorization']),
        Promise.resolve(Response.json({ results: [] }))
      ),
    });
    sink.send(operation('a'));
    const flushed = sink.flush();
    await settle();
    clock.advance(250);
    await flushed;
    assert.deepEqual(seen, ['Bearer 2']);
  });

  it('drops an event of another session than its own, and one that is no JSON, and says so', async () => {
    const { sink, batches, diagnostics } = setup({ session: 's' });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    sink.send(operation('x', { session: 'other' }));
    sink.send(operation('y', { ext: circle }));
    sink.send(operation('z'));
    await sink.flush();
    assert.deepEqual(
      batches.flat().map(({ id }) => id),
      ['z'],
    );
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['session', 'json'],
    );
    assert.equal(sink.stats.dropped, 2);
  });

  it('splits what would be a very large body', async () => {
    const { sink, batches } = setup();
    for (let index = 0; index < 40; index += 1) sink.send(operation(index, { state: 'running', ext: { blob: 'x'.repeat(15_000) } }));
    await sink.flush();
    assert.ok(batches.length > 1);
    assert.ok(batches.every((batch) => JSON.stringify(batch).length < 300_000));
    assert.deepEqual(
      batches.flat().map(({ id }) => id),
      Array.from({ length: 40 }, (_, index) => index),
    );
  });
});

describe('the queue of an HTTP sink while the gateway is away', () => {
  it('stays bounded under a flood, and every state change and the newest values arrive', async () => {
    const { sink, gate, batches, clock } = setup({ maxQueue: 100, maxBatch: 50 });
    gate.reply = () => Promise.reject(new TypeError('away'));
    const direct = new SessionIndex('s');
    let seq = 0;
    const send = (event: OperationEvent): void => {
      direct.apply(event);
      sink.send(event);
    };
    for (let id = 0; id < 20; id += 1) send(operation(id, { state: 'running', seq: (seq += 1) }));
    clock.advance(50);
    await settle();
    for (let round = 0; round < 500; round += 1)
      for (let id = 0; id < 20; id += 1) send(operation(id, { current: round, total: 500, seq: (seq += 1), at: 2 + round }));
    for (let id = 0; id < 20; id += 1) send(operation(id, { state: id % 2 ? 'completed' : 'failed', seq: (seq += 1), at: 1000 }));
    assert.ok(sink.stats.pending <= 100 + 50);
    assert.equal(sink.stats.dropped, 0);
    gate.reply = acknowledge;
    await sink.flush();
    const arrived = new SessionIndex('s');
    for (const event of new Set(batches.slice(-3).flat())) arrived.apply(event as ProgressEvent);
    assert.deepEqual([...arrived.operations.values()], [...direct.operations.values()]);
  });

  it('gives up superseded states, then lone updates, then what is not over, and final states last', async () => {
    const { sink, batches } = setup({ maxQueue: 3, batchMs: 1000 });
    sink.send(operation('a', { state: 'running', at: 5 }));
    sink.send(operation('a', { state: 'waiting', waitingOn: { text: 'lock' }, message: 'm' }));
    sink.send(operation('a', { state: 'completed' }));
    sink.send(operation('b', { current: 1 }));
    sink.send(operation('c', { state: 'completed' }));
    sink.send(operation('d', { state: 'completed' }));
    assert.deepEqual([sink.stats.pending, sink.stats.dropped], [3, 1]);
    await sink.flush();
    assert.deepEqual(
      batches.flat().map(({ id, state, startedAt, message, waitingOn }) => [id, state, startedAt, message, waitingOn]),
      [
        ['a', 'completed', 5, 'm', undefined],
        ['c', 'completed', undefined, undefined, undefined],
        ['d', 'completed', undefined, undefined, undefined],
      ],
    );
  });

  it('never merges an event across a clear of its operation', async () => {
    const { sink, batches } = setup();
    sink.send(operation('a', { current: 1 }));
    sink.send({ type: 'operation.clear', session: 's', id: 'a', at: 2 });
    sink.send(operation('a', { current: 2 }));
    await sink.flush();
    assert.deepEqual(
      batches.flat().map(({ type, current }) => [type, current]),
      [
        ['operation', 1],
        ['operation.clear', undefined],
        ['operation', 2],
      ],
    );
  });
});

describe('flush and close of an HTTP sink', () => {
  it('flush resolves at once when nothing waits', async () => {
    await setup().sink.flush();
  });

  it('flush gives up at its limit, tells, and keeps the events', async () => {
    const { sink, gate, clock, diagnostics } = setup();
    gate.reply = () => Promise.reject(new TypeError('away'));
    sink.send(operation('a', { state: 'completed' }));
    const flushed = sink.flush({ timeoutMs: 3000 });
    for (let passed = 0; passed < 3000; passed += 250) {
      await settle();
      clock.advance(250);
    }
    await flushed;
    assert.deepEqual([sink.stats.pending, diagnostics.at(-1)?.code], [1, 'flush_timeout']);
    gate.reply = acknowledge;
    await sink.flush();
    assert.equal(sink.stats.acknowledged, 1);
  });

  it('flush cuts a pause short', async () => {
    const { sink, gate, clock } = setup();
    gate.reply = () => new Response('', { status: 503, headers: { 'retry-after': '30' } });
    sink.send(operation('a', { state: 'completed' }));
    clock.advance(50);
    await settle();
    gate.reply = acknowledge;
    await sink.flush();
    assert.equal(sink.stats.acknowledged, 1);
  });

  it('close flushes, drops what comes later and counts it', async () => {
    const { sink, batches } = setup();
    sink.send(operation('a', { state: 'completed' }));
    await sink.close();
    sink.send(operation('b'));
    assert.deepEqual([batches.length, sink.stats.acknowledged, sink.stats.dropped], [1, 1, 1]);
  });

  it('close gives up on a gateway that is away, aborts its request and stops trying', async () => {
    const { sink, gate, batches, clock, diagnostics } = setup({ flushMs: 1000, timeoutMs: 5000 });
    gate.reply = () => new Promise(() => {});
    sink.send(operation('a', { state: 'completed' }));
    const closed = sink.close();
    await settle();
    clock.advance(1000);
    await closed;
    await settle();
    clock.advance(60_000);
    await settle();
    assert.deepEqual([batches.length, sink.stats.pending, sink.stats.dropped, diagnostics.at(-1)?.code], [1, 0, 1, 'dropped']);
    assert.deepEqual(clock.pending, []);
  });

  it('holds a process open for the first try, and after that only while somebody waits for a flush', async () => {
    const { sink, gate, clock } = setup();
    gate.reply = () => Promise.reject(new TypeError('away'));
    sink.send(operation('a', { state: 'completed' }));
    assert.equal(clock.holding, 1);
    clock.advance(50);
    await settle();
    assert.equal(clock.holding, 0);
    const flushed = sink.flush({ timeoutMs: 100 });
    await settle();
    assert.ok(clock.holding > 0);
    clock.advance(100);
    await flushed;
  });

  it('lets a real process end by itself after a flush, with everything delivered over real HTTP', async () => {
    const received: OperationEvent[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const events = JSON.parse(body) as OperationEvent[];
        received.push(...events);
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ results: events.map(() => ({ outcome: 'applied' })), cursor: 'e:1' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const script = `
        import { createReporter } from '@sitrep/harness/reporter';
        import { createHttpSink } from '@sitrep/harness/sink';
        const sink = createHttpSink({ url: ${JSON.stringify(url)} });
        const reporter = createReporter({ sink, session: 'real', title: 'Build' });
        for (let current = 1; current <= 100; current += 1) reporter.update({ current, total: 100 });
        reporter.complete();
        await sink.flush();
        console.log(JSON.stringify(sink.stats));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
      assert.equal((JSON.parse(stdout) as { pending: number }).pending, 0);
      assert.deepEqual([received.at(-1)?.state, received.at(-1)?.current], ['completed', 100]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('holds the program for the first try, so that an end reported last is not lost, and not a moment longer', async () => {
    const received: OperationEvent[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const events = JSON.parse(body) as OperationEvent[];
        received.push(...events);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ results: events.map(() => ({ outcome: 'applied' })), cursor: 'e:1' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const script = (target: number) => `
      import { createHttpSink, createReporter } from '@sitrep/harness';
      const sink = createHttpSink({ url: 'http://127.0.0.1:${target}' });
      createReporter({ sink, session: 's', id: 'a' }).complete();
    `;
    const options = { cwd: import.meta.dirname, timeout: 50_000 };
    try {
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(port)], options);
      assert.equal(received.at(-1)?.state, 'completed');
    } finally {
      server.close();
      server.closeAllConnections();
    }
    // Nobody listens there any more: it is tried once and the program ends by itself, well within the limit above.
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(port)], options);
  });
});
