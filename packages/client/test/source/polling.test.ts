import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { createPollingSource, createStore } from '@sitrep/client';
import type { PollingSourceOptions } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { serve } from '../support/server.ts';
import { recorder } from '../support/sink.ts';

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): unknown =>
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close', ...headers }).end(JSON.stringify(value));
const bare = (response: ServerResponse, status: number, headers: Record<string, string> = {}): unknown =>
  response.writeHead(status, { connection: 'close', ...headers }).end();

function opened(url: string, more: Partial<PollingSourceOptions> = {}) {
  const clock = manualClock();
  const sink = recorder();
  const controller = new AbortController();
  const done = createPollingSource({ url, clock, random: () => 1, interval: 1_000, ...more }).open(sink, controller.signal);
  return { clock, sink, controller, done };
}

/** Lets the answer come in, tells how long the source then waits, and lets that pass. */
async function pass({ clock }: ReturnType<typeof opened>, server: Awaited<ReturnType<typeof serve>>, count: number): Promise<number> {
  await server.requested(count);
  const before = clock.delays.length;
  while (clock.delays.length === before || clock.pending === 0) await settle();
  await settle();
  const delay = clock.delays.at(-1) as number;
  await clock.advance(delay);
  return delay;
}

describe('polling', () => {
  it('asks again an interval after each answer, with the tag of the last, and brings no frame for what has not changed', async () => {
    await using server = await serve((response, request, number) => {
      if (number === 0) return void json(response, { n: 1 }, { etag: '"a"' });
      if (number === 1) return void (request.headers['if-none-match'] === '"a"' ? bare(response, 304) : bare(response, 500));
      if (number === 2) return void json(response, { n: 1 });
      if (number === 3) return void json(response, [{ n: 2 }, { n: 3 }]);
      bare(response, 204);
    });
    const run = opened(server.url, { timeout: Infinity });
    for (let count = 1; count <= 4; count += 1) assert.equal(await pass(run, server, count), 1_000);
    await run.done;
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.deepEqual(run.sink.states, ['connecting', 'live', 'ended']);
    assert.deepEqual(run.sink.codes, []);
    assert.equal(run.clock.pending, 0);
  });

  it('waits longer after each failure, as long as it is asked to, and is live again with the next answer', async () => {
    await using server = await serve((response, _, number) => {
      if (number === 0) return void json(response, { n: 1 });
      if (number === 1) return void bare(response, 503);
      if (number === 2) return void bare(response, 503);
      if (number === 3) return void bare(response, 429, { 'retry-after': '90' });
      if (number === 4) return void response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<p>');
      if (number === 5) return void json(response, { n: 2 });
      bare(response, 204);
    });
    const run = opened(server.url, { timeout: Infinity });
    const waits: number[] = [];
    for (let count = 1; count <= 6; count += 1) waits.push(await pass(run, server, count));
    await run.done;
    assert.deepEqual(waits, [1_000, 1_000, 2_000, 90_000, 8_000, 1_000]);
    assert.deepEqual(run.sink.states, ['connecting', 'live', 'reconnecting', 'live', 'ended']);
    assert.deepEqual(run.sink.codes, ['http_status', 'http_status', 'http_status', 'content_type']);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }]);
  });

  it('gives up for good on an answer that would be the same again, after asking for a fresh token once', async () => {
    const tokens: string[] = [];
    await using server = await serve((response, request) => {
      tokens.push(String(request.headers.authorization));
      bare(response, 401);
    });
    let given = 0;
    const run = opened(server.url, { headers: () => ({ authorization: `t${(given += 1)}` }), timeout: Infinity });
    await run.done;
    assert.deepEqual(tokens, ['t1', 't2']);
    assert.deepEqual(run.sink.states, ['connecting', 'lost']);
    assert.equal(run.sink.diagnostics[0]?.status, 401);
  });

  it('lets go of an answer that does not come to an end, or is larger than it may be', async () => {
    await using server = await serve((response, _, number) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (number === 0) response.write('{"n":');
      else response.write('"'.padEnd(5_000, 'x'));
    });
    const run = opened(server.url, { timeout: 3_000, maxSize: 1_000 });
    await server.requested(1);
    await settle();
    await run.clock.advance(3_000);
    await run.sink.until(() => run.sink.codes.includes('timeout'));
    await run.clock.advance(1_000);
    await run.sink.until(() => run.sink.codes.includes('too_large'));
    run.controller.abort();
    await run.done;
    await server.idle();
    assert.deepEqual(run.sink.frames, []);
    assert.equal(run.clock.pending, 0);
  });

  it('shows a session by its snapshots, and takes none that is older than what is shown', async () => {
    const snapshot = (seq: number, state: string) => ({
      type: 'snapshot',
      session: 's',
      epoch: 'e',
      seq,
      at: seq,
      card: null,
      revision: 0,
      operations: [{ id: 'a', attempt: 1, state, updatedAt: seq }],
      runs: [],
    });
    await using server = await serve((response, _, number) => {
      const answers = [snapshot(1, 'running'), snapshot(5, 'completed'), snapshot(3, 'running')];
      if (number < 3) json(response, answers[number]);
      else bare(response, 204);
    });
    const store = createStore({ session: 's', source: createPollingSource({ url: server.url, interval: 250 }) });
    const ended = new Promise<void>((resolve) => {
      store.subscribe((view) => {
        if (view.connection.state === 'ended') resolve();
      });
    });
    await ended;
    assert.equal(store.getSnapshot().operations[0]?.state, 'completed');
    store.close();
  });

  it('refuses an interval that would flood a server', () => {
    assert.throws(() => createPollingSource({ url: '/', interval: 10 }), RangeError);
    assert.throws(() => createPollingSource({ url: '/', interval: Number.NaN }), RangeError);
  });
});
