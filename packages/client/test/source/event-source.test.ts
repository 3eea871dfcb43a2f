import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEventSourceSource } from '@sitrep/client';
import type { EventSourceSourceOptions } from '@sitrep/client';
import { EVENT_TYPES } from '@sitrep/schema';
import { manualClock, settle } from '../support/clock.ts';
import { eventSource } from '../support/event-source.ts';
import { serve, stream } from '../support/server.ts';
import { recorder } from '../support/sink.ts';

const frame = (n: number) => `id: e:${n}\nevent: operation\ndata: {"n":${n}}\n\n`;
const END = 'event: end\ndata: {"type":"end","reason":"done"}\n\n';
const EXPIRED = 'event: end\ndata: {"type":"end","reason":"token_expired"}\n\n';

function opened(url: string, more: Partial<EventSourceSourceOptions> = {}) {
  const clock = manualClock();
  const sink = recorder();
  const controller = new AbortController();
  const source = createEventSourceSource({ url, clock, random: () => 1, heartbeatInterval: Infinity, connect: eventSource, ...more });
  const done = source.open(sink, controller.signal);
  return { clock, sink, controller, done };
}
type Opened = ReturnType<typeof opened>;

async function passWait({ clock, sink }: Opened, tries: number): Promise<number> {
  await sink.until(() => sink.codes.length >= tries);
  while (clock.pending === 0) await settle();
  const delay = clock.delays.at(-1)!;
  await clock.advance(delay);
  return delay;
}

describe('an EventSource source', () => {
  it('delivers events with the positions they brought themselves, and ends with `end`', async () => {
    await using server = await serve((response) => {
      const beat = 'event: heartbeat\ndata: {"type":"heartbeat"}\n\n';
      stream(response).end(
        `${frame(1)}${beat}data: {"n":2}\n\nevent: own\ndata: {"n":3}\n\nevent: none\ndata: {"n":4}\n\n${frame(5)}${END}${frame(6)}`,
      );
    });
    const { sink, done, clock } = opened(server.url, { events: ['own'] });
    await done;
    assert.deepEqual(sink.frames, [{ n: 1 }, { type: 'heartbeat' }, { n: 2 }, { n: 3 }, { n: 5 }, { type: 'end', reason: 'done' }]);
    // What repeats the position of another event must not be taken for one of its own.
    assert.deepEqual([sink.cursors[0], sink.cursors[1], sink.cursors[4], sink.cursors[5]], ['e:1', undefined, 'e:5', undefined]);
    assert.deepEqual(sink.states, ['connecting', 'live', 'ended']);
    assert.equal(clock.pending, 0);
    await server.idle();
  });

  it('hears whatever a stream of ours may bring', async () => {
    const types = EVENT_TYPES.filter((type) => type !== 'end');
    await using server = await serve((response) => {
      stream(response).end(`${types.map((type, n) => `id: e:${n}\nevent: ${type}\ndata: {"type":"${type}"}\n\n`).join('')}${END}`);
    });
    const { sink, done } = opened(server.url);
    await done;
    assert.deepEqual(
      sink.frames.slice(0, -1).map((value) => (value as { readonly type: string }).type),
      types,
    );
    const positioned = types.filter((type) => type !== 'heartbeat' && type !== 'resync');
    assert.equal(sink.cursors.filter((cursor) => cursor !== undefined).length, positioned.length);
  });

  it('carries the cursor in the address, with a ticket of its own for each connection', async () => {
    await using server = await serve((response, _, number) => void stream(response).end(number < 2 ? frame(number + 1) : END));
    let made = 0;
    const seen: boolean[] = [];
    const run = opened(`${server.url}s?x=1`, {
      ticket: async () => `t${++made}`,
      withCredentials: true,
      connect: (url, init) => (seen.push(init.withCredentials), eventSource(url)),
    });
    await passWait(run, 1);
    await passWait(run, 2);
    await run.done;
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      ['/s?x=1&ticket=t1', '/s?x=1&cursor=e%3A1&ticket=t2', '/s?x=1&cursor=e%3A2&ticket=t3'],
    );
    assert.equal(server.requests[1]!.headers['last-event-id'], undefined);
    assert.deepEqual(seen, [true, true, true]);
  });

  for (const [name, answer] of [
    ['401', (response) => response.writeHead(401).end()],
    ['503', (response) => response.writeHead(503).end()],
    ['another type', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['a cut', (response) => response.destroy()],
  ] as [string, Parameters<typeof serve>[0]][]) {
    it(`never gives up, and tries ever more rarely, after ${name}`, async () => {
      await using server = await serve((response, request, number) =>
        number < 3 ? answer(response, request, number) : void stream(response).end(END),
      );
      const run = opened(server.url);
      assert.deepEqual([await passWait(run, 1), await passWait(run, 2), await passWait(run, 3)], [1_000, 2_000, 4_000]);
      await run.done;
      assert.deepEqual(run.sink.codes, ['network', 'network', 'network']);
      assert.deepEqual(run.sink.states, ['connecting', 'reconnecting', 'live', 'ended']);
    });
  }

  it('starts its backoff afresh once something came', async () => {
    await using server = await serve((response, _, number) => {
      if (number === 0) response.writeHead(503).end();
      else stream(response).end(number < 3 ? frame(number) : END);
    });
    const run = opened(server.url);
    assert.deepEqual([await passWait(run, 1), await passWait(run, 2), await passWait(run, 3)], [1_000, 1_000, 1_000]);
    await run.done;
  });

  it('goes on from its cursor when the token expires', async () => {
    await using server = await serve((response, _, number) => {
      stream(response).end([frame(1) + EXPIRED + frame(9), EXPIRED, EXPIRED, END][number]);
    });
    const run = opened(server.url);
    await run.sink.until(() => run.sink.states.includes('reconnecting'));
    while (run.clock.pending === 0) await settle();
    assert.equal(run.clock.delays.at(-1), 250);
    await run.clock.advance(250);
    assert.deepEqual([await passWait(run, 1), await passWait(run, 2)], [1_000, 2_000]);
    await run.done;
    assert.deepEqual(run.sink.codes, ['token_expired', 'token_expired']);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { type: 'end', reason: 'done' }]);
    assert.match(server.requests[1]!.url!, /cursor=e%3A1$/);
  });

  it('comes back to a server that is shutting down', async () => {
    await using server = await serve((response, _, number) => {
      stream(response).end(number === 0 ? `${frame(1)}event: end\ndata: {"type":"end","reason":"shutdown"}\n\n${frame(9)}` : END);
    });
    const run = opened(server.url);
    assert.equal(await passWait(run, 1), 1_000);
    await run.done;
    assert.deepEqual(run.sink.codes, ['shutdown']);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { type: 'end', reason: 'done' }]);
    assert.match(server.requests[1]!.url!, /cursor=e%3A1$/);
  });

  it('leaves a stream that says nothing, whether it is open or not', async () => {
    for (const open of [true, false]) {
      await using server = await serve((response, _, number) => {
        if (number > 0) stream(response).end(END);
        else if (open) stream(response).write(': hi\n\n');
      });
      const run = opened(server.url, { heartbeatInterval: 4_000 });
      await server.requested(1);
      await settle();
      await run.clock.advance(10_000);
      await passWait(run, 1);
      await run.done;
      assert.deepEqual(run.sink.codes, ['watchdog']);
      assert.equal(run.clock.pending, 0);
    }
  });

  it('passes over what is no JSON or too large, and an event named error is an event', async () => {
    await using server = await serve((response) => {
      stream(response).end(`data: {oops\n\ndata: "${'x'.repeat(5_000)}"\n\nevent: error\ndata: {"n":1}\n\n${frame(2)}${END}`);
    });
    const run = opened(server.url, { maxEventSize: 2_000 });
    await run.done;
    assert.deepEqual(run.sink.codes, ['json', 'too_large']);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }, { type: 'end', reason: 'done' }]);
    assert.throws(() => createEventSourceSource({ url: '/', maxEventSize: 10 }), RangeError);
    assert.throws(() => createEventSourceSource({} as never), TypeError);
  });

  it('resolves at once when it is aborted in any phase, lets go of its connection, and says nothing more', async () => {
    const phases: [string, Partial<EventSourceSourceOptions>, Parameters<typeof serve>[0], (run: Opened) => Promise<unknown>][] = [
      ['while the ticket is asked for', { ticket: () => new Promise(() => {}) }, () => {}, () => settle()],
      ['before headers', {}, () => {}, () => settle()],
      ['while reading', {}, (response) => void stream(response).write(frame(1)), ({ sink }) => sink.until(() => sink.frames.length === 1)],
      ['while backing off', {}, (response) => response.destroy(), ({ sink }) => sink.until(() => sink.codes.length === 1)],
    ];
    for (const [name, options, answer, reached] of phases) {
      await using server = await serve(answer);
      const run = opened(server.url, { heartbeatInterval: 15_000, ...options });
      if (options.ticket === undefined) await server.requested(1);
      await reached(run);
      const told = [run.sink.states.length, run.sink.frames.length, run.sink.codes.length];
      run.controller.abort();
      await run.done;
      assert.equal(run.clock.pending, 0, name);
      await server.idle();
      assert.deepEqual([run.sink.states.length, run.sink.frames.length, run.sink.codes.length], told, name);
    }
  });

  it('says so where the platform has none, and goes on trying', async () => {
    const run = opened('http://localhost/', { connect: undefined });
    await passWait(run, 1);
    assert.match(run.sink.diagnostics[0]!.message, /no EventSource: give one with the option connect/);
    run.controller.abort();
    await run.done;
  });
});
