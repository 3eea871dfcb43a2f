import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createSseSource, systemClock, type SseSourceOptions } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { recorder } from '../support/sink.ts';
import { serve, stream } from '../support/server.ts';

const BYTES = new TextEncoder();
const frame = (seq: number, extra = '') => `${extra}id: e:${seq}\nevent: operation\ndata: {"n":${seq}}\n\n`;
const END = 'event: end\ndata: {"type":"end","reason":"done"}\n\n';

/** Opens a source on a scripted server with a manual clock, and a random number that makes every backoff its ceiling. */
function opened(url: string, more: Partial<SseSourceOptions> = {}) {
  const clock = manualClock();
  const sink = recorder();
  const controller = new AbortController();
  const source = createSseSource({ url, clock, random: () => 1, heartbeatInterval: Infinity, ...more });
  const done = source.open(sink, controller.signal);
  return { clock, sink, controller, done };
}
type Opened = ReturnType<typeof opened>;

/** Waits for the source to be backing off, answers for how long, and lets that time pass. */
async function passBackoff({ clock, sink }: Opened, tries: number): Promise<number> {
  await sink.until(() => sink.diagnostics.length >= tries);
  await settle();
  const delay = clock.delays.at(-1)!;
  await clock.advance(delay);
  return delay;
}

test('Frames arrive in order with their cursors, and the end event ends the source for good', async () => {
  await using server = await serve((response) =>
    stream(response).end(frame(1) + ': hello\n\ndata: {"n":"x"}\n\n' + frame(2) + END + frame(3)),
  );
  const { sink, done, clock } = opened(server.url);
  await done;
  assert.deepEqual(sink.frames, [{ n: 1 }, { n: 'x' }, { n: 2 }, { type: 'end', reason: 'done' }]);
  assert.deepEqual(sink.cursors, ['e:1', undefined, 'e:2', undefined]);
  assert.deepEqual(sink.states, ['connecting', 'live', 'ended']);
  assert.equal(server.requests[0]!.headers.accept, 'text/event-stream');
  assert.equal(server.requests[0]!.headers['last-event-id'], undefined);
  assert.equal(clock.pending, 0);
});

test('After a clean close it reconnects exactly after the retry the server gave, with the last cursor', async () => {
  await using server = await serve((response, _, number) => stream(response).end(number === 0 ? `retry: 700\n\n${frame(7)}` : END));
  const run = opened(server.url, { random: () => 0 });
  await run.sink.until(() => run.sink.states.includes('reconnecting'));
  await settle();
  assert.equal(run.clock.delays.at(-1), 700);
  await run.clock.advance(699);
  assert.equal(server.requests.length, 1);
  await run.clock.advance(1);
  await run.done;
  assert.equal(server.requests[1]!.headers['last-event-id'], 'e:7');
  assert.deepEqual(run.sink.states, ['connecting', 'live', 'reconnecting', 'live', 'ended']);
  assert.deepEqual(run.sink.diagnostics, []);
});

for (const [asked, waited] of [
  ['0', 250],
  ['100', 250],
  ['99999999', 60_000],
  ['1' + '0'.repeat(20), 60_000],
  ['1' + '0'.repeat(400), 60_000],
  ['-5', 1_000],
  ['1.5', 1_000],
  ['', 1_000],
] as const) {
  test(`A retry of "${asked.slice(0, 24)}" (${asked.length} characters) makes it wait ${waited} ms`, async () => {
    await using server = await serve((response, _, number) => stream(response).end(number === 0 ? `retry: ${asked}\n${frame(1)}` : END));
    const run = opened(server.url);
    await run.sink.until(() => run.sink.states.includes('reconnecting'));
    await settle();
    assert.equal(run.clock.delays.at(-1), waited);
    await run.clock.advance(waited);
    await run.done;
  });
}

test('The query carries the cursor where that was asked for, beside what the address holds already', async () => {
  await using server = await serve((response, _, number) => stream(response).end(number === 0 ? 'id: é ö:1\ndata: 1\n\n' : END));
  const run = opened(`${server.url}s?x=1#part`, { cursorIn: 'query' });
  await run.sink.until(() => run.sink.states.includes('reconnecting'));
  await settle();
  await run.clock.advance(1_000);
  await run.done;
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ['/s?x=1', '/s?x=1&cursor=%C3%A9+%C3%B6%3A1'],
  );
  assert.equal(server.requests[1]!.headers['last-event-id'], undefined);
});

test('A cursor beyond ASCII travels in the header as UTF-8, and one no header can hold is left out with a diagnostic', async () => {
  const cursors = ['ключ:1', 'a\u0001b'];
  for (const cursor of cursors) {
    await using server = await serve((response) => stream(response).end(END));
    const sink = recorder();
    sink.resume = () => cursor;
    await createSseSource({ url: server.url, heartbeatInterval: Infinity }).open(sink, new AbortController().signal);
    const sent = server.requests[0]!.headers['last-event-id'] as string | undefined;
    if (cursor === cursors[0]) assert.equal(Buffer.from(sent!, 'latin1').toString(), cursor);
    else assert.deepEqual([sent, sink.codes], [undefined, ['cursor']]);
  }
});

test('The sink says where to resume: nowhere, somewhere else, or where the transport moved on without a frame', async () => {
  await using server = await serve((response, _, number) => {
    const answers = [frame(1) + 'id: e:2\n\nid: e:3\ndata:\n\n', frame(4), frame(5) + 'id\n\n', END];
    stream(response).end(answers[number]);
  });
  const run = opened(server.url);
  const told = [undefined, 'e:1', 'other:9', 'e:5'];
  run.sink.resume = () => told[server.requests.length];
  for (let round = 1; round <= 3; round++) {
    await run.sink.until(() => run.sink.states.filter((state) => state === 'reconnecting').length === round);
    await settle();
    await run.clock.advance(1_000);
  }
  await run.done;
  // An id alone and an event with empty data move the position; an empty id takes it away.
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['last-event-id']),
    [undefined, 'e:3', 'other:9', undefined],
  );
});

test('Status 204 ends the source without a diagnostic', async () => {
  await using server = await serve((response) => void response.writeHead(204).end());
  const { sink, done } = opened(server.url);
  await done;
  assert.deepEqual(sink.states, ['connecting', 'ended']);
  assert.deepEqual(sink.diagnostics, []);
});

for (const status of [400, 401, 403, 404, 405, 410, 418, 422, 451]) {
  test(`Status ${status} gives up with a diagnostic that names it`, async () => {
    await using server = await serve((response) => response.writeHead(status, { 'retry-after': '1' }).end('no'));
    const { sink, done, clock } = opened(server.url);
    await done;
    assert.deepEqual(sink.states, ['connecting', 'lost']);
    assert.deepEqual(
      sink.diagnostics.map((fault) => [fault.code, fault.status]),
      [['http_status', status]],
    );
    assert.equal(clock.pending, 0);
  });
}

for (const status of [201, 206, 304, 408, 425, 429, 500, 502, 503, 504, 599]) {
  test(`Status ${status} is tried again with growing waits`, async () => {
    await using server = await serve((response, _, number) => {
      if (number < 3) response.writeHead(status, { 'content-type': 'text/event-stream' }).end(status === 304 ? undefined : 'x');
      else stream(response).end(END);
    });
    const run = opened(server.url);
    const waits = [await passBackoff(run, 1), await passBackoff(run, 2), await passBackoff(run, 3)];
    await run.done;
    assert.deepEqual(waits, [1_000, 2_000, 4_000]);
    assert.deepEqual(run.sink.states, ['connecting', 'reconnecting', 'live', 'ended']);
    assert.deepEqual(
      run.sink.diagnostics.map((fault) => fault.status),
      [status, status, status],
    );
  });
}

test('The wait is random between 250 ms and a ceiling that stops growing at the longest wait', async () => {
  let answer = 0;
  const numbers = [0, 0.5, 1, 0.9999, 1, 1, 1, 1];
  await using server = await serve((response, _, number) => void (number < 8 ? response.writeHead(503).end() : stream(response).end(END)));
  const run = opened(server.url, { random: () => numbers[answer++]! });
  const waits: number[] = [];
  for (let tries = 1; tries <= 8; tries++) waits.push(await passBackoff(run, tries));
  await run.done;
  assert.deepEqual(waits, [250, 1_000, 4_000, 7_999.2, 16_000, 30_000, 30_000, 30_000]);
});

const DATE = 'Thu, 01 Jan 1970 00:17:10 GMT'; // 30 s after the clock's start.
for (const [header, waited] of [
  ['7', 7_000],
  [' 12 ', 12_000],
  ['0', 1_000],
  ['99999', 300_000],
  [DATE, 30_000],
  ['soon', 1_000],
  ['-3', 1_000],
] as const) {
  test(`Retry-After "${header}" on 503 and 429 makes it wait ${waited} ms`, async () => {
    await using server = await serve((response, _, number) => {
      if (number < 1) response.writeHead(waited === 7_000 ? 429 : 503, { 'retry-after': header }).end();
      else stream(response).end(END);
    });
    const run = opened(server.url);
    // An HTTP date in the past asks for the least: the backoff stands.
    assert.equal(await passBackoff(run, 1), waited);
    await run.done;
  });
}

for (const type of ['text/html; charset=utf-8', 'application/json', 'text/event-stream-not', undefined]) {
  test(`An answer of type ${type} is let go while it still streams, and tried again slowly`, async () => {
    await using server = await serve((response, _, number) => {
      if (number > 0) return void stream(response).end(END);
      response.writeHead(200, type ? { 'content-type': type } : {});
      response.write(frame(1)); // Never ended by the server.
    });
    const run = opened(server.url);
    await run.sink.until(() => run.sink.codes.length === 1);
    await server.idle();
    assert.equal(await passBackoff(run, 1), 5_000);
    await run.done;
    assert.deepEqual(run.sink.codes, ['content_type']);
    assert.deepEqual(run.sink.frames, [{ type: 'end', reason: 'done' }]);
  });
}

for (const type of ['text/event-stream;charset=utf-8', 'Text/Event-Stream ; charset=latin1', 'text/event-stream; x=y']) {
  test(`The type ${type} is an event stream, read as UTF-8`, async () => {
    await using server = await serve((response) => void response.writeHead(200, { 'content-type': type }).end(`data: "é"\n\n${END}`));
    const { sink, done } = opened(server.url);
    await done;
    assert.equal(sink.frames[0], 'é');
  });
}

test('A close before any event counts as a failure, so that a server that fails after its headers is not hammered', async () => {
  await using server = await serve((response, _, number) => void stream(response).end(number < 3 ? ': hi\n\n' : END));
  const run = opened(server.url);
  const waits = [await passBackoff(run, 1), await passBackoff(run, 2), await passBackoff(run, 3)];
  await run.done;
  assert.deepEqual(waits, [1_000, 2_000, 4_000]);
});

test('Headers may be fixed or made anew for each request, and credentials reach fetch', async () => {
  await using server = await serve(
    (response, _, number) => void (number === 0 ? response.writeHead(503).end() : stream(response).end(END)),
  );
  let made = 0;
  let credentials: unknown;
  const run = opened(server.url, {
    headers: async () => ({ authorization: `Bearer ${++made}` }),
    credentials: 'include',
    fetch: (input, init) => {
      credentials = init?.credentials;
      return fetch(input, init);
    },
  });
  await passBackoff(run, 1);
  await run.done;
  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    ['Bearer 1', 'Bearer 2'],
  );
  assert.equal(credentials, 'include');
  assert.throws(() => createSseSource({ url: '/', headers: { 'bad name': 'x' } }), TypeError);
  assert.throws(() => createSseSource({ url: '/', maxEventSize: 10 }), RangeError);
});

test('A 401 asks a header function for a fresh token once, and gives up when that does not help', async () => {
  await using server = await serve((response, request, number) => {
    if (number === 1) stream(response).end(frame(1));
    else response.writeHead(401).end(request.headers.authorization);
  });
  let made = 0;
  const run = opened(server.url, { headers: () => ({ authorization: `Bearer ${++made}` }) });
  await run.sink.until(() => run.sink.frames.length === 1);
  await settle();
  await run.clock.advance(1_000);
  await run.done;
  assert.equal(server.requests.length, 4);
  assert.deepEqual(run.sink.states, ['connecting', 'reconnecting', 'live', 'reconnecting', 'lost']);
});

test('The end of a token is not the end of the stream: it goes on from its cursor with fresh headers', async () => {
  const expired = 'event: end\ndata: {"type":"end","reason":"token_expired"}\n\n';
  await using server = await serve((response, _, number) => {
    stream(response).end(number === 0 ? frame(1) + expired + frame(9) : frame(2) + END);
  });
  let made = 0;
  const run = opened(server.url, { headers: () => ({ authorization: `Bearer ${++made}` }) });
  await run.sink.until(() => run.sink.states.includes('reconnecting'));
  await settle();
  await run.clock.advance(250);
  await run.done;
  assert.deepEqual(
    server.requests.map(({ headers }) => [headers.authorization, headers['last-event-id']]),
    [
      ['Bearer 1', undefined],
      ['Bearer 2', 'e:1'],
    ],
  );
  assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }, { type: 'end', reason: 'done' }]);
  assert.deepEqual(run.sink.states, ['connecting', 'live', 'reconnecting', 'live', 'ended']);
  assert.deepEqual(run.sink.diagnostics, []);
});

test('A stream that says nothing but that the token has expired is asked for ever more rarely', async () => {
  await using server = await serve((response, _, number) => {
    stream(response).end(number < 2 ? 'event: end\ndata: {"type":"end","reason":"token_expired"}\n\n' : END);
  });
  const run = opened(server.url);
  assert.equal(await passBackoff(run, 1), 1_000);
  assert.equal(await passBackoff(run, 2), 2_000);
  await run.done;
  assert.deepEqual(
    run.sink.diagnostics.map(({ code }) => code),
    ['token_expired', 'token_expired'],
  );
});

test('A server that is shutting down has ended nothing: it goes on from its cursor, after a wait that differs from reader to reader', async () => {
  const shutdown = 'event: end\ndata: {"type":"end","reason":"shutdown"}\n\n';
  await using server = await serve((response, _, number) => {
    stream(response).end([frame(1) + shutdown + frame(9), shutdown, frame(2) + END][number]);
  });
  const run = opened(server.url);
  assert.deepEqual([await passBackoff(run, 1), await passBackoff(run, 2)], [1_000, 2_000]);
  await run.done;
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['last-event-id']),
    [undefined, 'e:1', 'e:1'],
  );
  assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }, { type: 'end', reason: 'done' }]);
  assert.deepEqual(run.sink.states, ['connecting', 'live', 'reconnecting', 'live', 'reconnecting', 'live', 'ended']);
  assert.deepEqual(run.sink.codes, ['shutdown', 'shutdown']);
});

test('A redirect is followed and a reconnect asks the original address', async () => {
  await using server = await serve((response, request) => {
    if (request.url === '/') response.writeHead(307, { location: '/other' }).end();
    else stream(response).end(server.requests.length < 3 ? frame(1) : END);
  });
  const run = opened(server.url);
  await run.sink.until(() => run.sink.states.includes('reconnecting'));
  await settle();
  await run.clock.advance(1_000);
  await run.done;
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    ['/', '/other', '/', '/other'],
  );
  assert.equal(server.requests[3]!.headers['last-event-id'], 'e:1');
});

test('A reset in the middle of an event reconnects from the last whole one', async () => {
  await using server = await serve((response, _, number) => {
    if (number > 0) return void stream(response).end(END);
    stream(response).write(`${frame(1)}id: e:2\ndata: {"n"`, () => setImmediate(() => response.socket!.resetAndDestroy()));
  });
  const run = opened(server.url);
  assert.equal(await passBackoff(run, 1), 1_000);
  await run.done;
  assert.deepEqual(run.sink.codes, ['network']);
  assert.deepEqual(run.sink.frames, [{ n: 1 }, { type: 'end', reason: 'done' }]);
  assert.equal(server.requests[1]!.headers['last-event-id'], 'e:1');
});

test('A refused connection is tried again', async () => {
  const server = await serve(() => {});
  await server[Symbol.asyncDispose]();
  const run = opened(server.url);
  await run.sink.until(() => run.sink.codes.length === 1);
  assert.match(run.sink.diagnostics[0]!.message, /ECONNREFUSED/);
  run.controller.abort();
  await run.done;
});

test('A server that falls silent is left after 2.5 heartbeat intervals, comments notwithstanding, and resumed', async () => {
  let silent!: ServerResponse;
  await using server = await serve((response, _, number) => {
    if (number > 0) return void stream(response).end(END);
    silent = stream(response);
    silent.write(frame(3));
  });
  const run = opened(server.url, { heartbeatInterval: 10_000 });
  await run.sink.until(() => run.sink.frames.length === 1);
  await settle();
  await run.clock.advance(20_000);
  await new Promise<void>((resolve) => silent.write(': still here\n\n', () => resolve()));
  await settle();
  await run.clock.advance(4_999);
  assert.deepEqual(run.sink.codes, []);
  await run.clock.advance(1);
  await passBackoff(run, 1);
  await run.done;
  assert.deepEqual(run.sink.codes, ['watchdog']);
  assert.equal(server.requests[1]!.headers['last-event-id'], 'e:3');
  assert.equal(run.clock.pending, 0);
});

test('A server that takes the request and never answers is left in the same way', async () => {
  await using server = await serve((response, _, number) => void (number > 0 && stream(response).end(END)));
  const run = opened(server.url, { heartbeatInterval: 4_000 });
  await server.requested(1);
  await run.clock.advance(10_000);
  await passBackoff(run, 1);
  await run.done;
  assert.deepEqual(run.sink.codes, ['watchdog']);
});

test('Events of any name keep the connection, and the spacing of the heartbeats is learnt', async () => {
  let live!: ServerResponse;
  await using server = await serve((response, _, number) => void (number === 0 ? (live = stream(response)) : stream(response).end(END)));
  const run = opened(server.url, { heartbeatInterval: 60_000 });
  await run.sink.until(() => run.sink.states.includes('live'));
  const send = async (text: string) => {
    const count = run.sink.frames.length;
    live.write(text);
    await run.sink.until(() => run.sink.frames.length > count);
    await settle();
  };
  const heartbeat = 'event: heartbeat\ndata: {}\n\n';
  await send(heartbeat);
  await run.clock.advance(140_000);
  await send(frame(1));
  await run.clock.advance(140_000); // 60 s are expected until two gaps were seen.
  assert.deepEqual(run.sink.codes, []);
  for (let i = 0; i < 3; i++) {
    await send(heartbeat);
    await run.clock.advance(4_000);
  }
  await send(heartbeat);
  await run.clock.advance(150_000); // The timer set before was for the longer spacing.
  assert.deepEqual(run.sink.codes, ['watchdog']);
  run.controller.abort();
  await run.done;
  assert.equal(run.clock.pending, 0);
});

test('Late heartbeats in a burst do not teach a short spacing', async () => {
  let live!: ServerResponse;
  await using server = await serve((response) => void (live = stream(response)));
  const run = opened(server.url, { heartbeatInterval: 15_000 });
  await run.sink.until(() => run.sink.states.includes('live'));
  live.write('event: heartbeat\ndata: 1\n\n');
  await run.sink.until(() => run.sink.frames.length === 1);
  await run.clock.advance(15_000);
  live.write('event: heartbeat\ndata: 2\n\nevent: heartbeat\ndata: 3\n\nevent: heartbeat\ndata: 4\n\n');
  await run.sink.until(() => run.sink.frames.length === 4);
  await settle();
  await run.clock.advance(37_000);
  assert.deepEqual(run.sink.codes, []);
  run.controller.abort();
  await run.done;
});

test('What is no JSON and what is too large become diagnostics and the next frame is read', async () => {
  await using server = await serve((response) => {
    stream(response).end(`id: e:1\ndata: {oops\n\n${frame(2)}data: "${'x'.repeat(5_000)}"\n\n${frame(3)}${END}`);
  });
  const run = opened(server.url, { maxEventSize: 2_000 });
  await run.done;
  assert.deepEqual(run.sink.codes, ['json', 'too_large']);
  assert.deepEqual(run.sink.cursors, ['e:2', 'e:3', undefined]);
});

test('Nothing a sink throws escapes', async () => {
  await using server = await serve(
    (response, _, number) => void stream(response).end(number === 0 ? frame(1) + '{bad}\n\ndata: {bad\n\n' : END),
  );
  const clock = manualClock();
  let calls = 0;
  const bad = () => {
    calls++;
    throw new Error('sink');
  };
  const controller = new AbortController();
  const done = createSseSource({ url: server.url, clock, heartbeatInterval: Infinity }).open(
    { frame: bad, connection: bad, diagnostic: bad, cursor: bad },
    controller.signal,
  );
  await server.requested(1);
  for (let i = 0; i < 50 && server.requests.length < 2; i++) await clock.advance(1_000);
  await done;
  assert.ok(calls > 6);
});

const body = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => new ReadableStream<Uint8Array>({ pull });
const oddFetches: [string, string, typeof fetch][] = [
  [
    'throws at once',
    'network',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects with nothing', 'network', () => Promise.reject()],
  ['answers with nothing', 'network', (async () => undefined) as unknown as typeof fetch],
  ['answers without a body', 'content_type', async () => new Response(null, { headers: { 'content-type': 'text/event-stream' } })],
  [
    'answers with a body that fails',
    'network',
    async () =>
      new Response(
        body((c) => c.error(new Error('broken'))),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  ],
  [
    'answers with text instead of bytes',
    'network',
    async () =>
      new Response(
        body((c) => c.enqueue('data: 1\n\n' as unknown as Uint8Array)),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  ],
];
for (const [name, code, odd] of oddFetches) {
  test(`A fetch that ${name} becomes a diagnostic and is tried again`, async () => {
    const run = opened('http://localhost/', { fetch: odd });
    await passBackoff(run, 1);
    await run.sink.until(() => run.sink.codes.length >= 2);
    assert.deepEqual(run.sink.codes.slice(0, 2), [code, code]);
    run.controller.abort();
    await run.done;
    assert.equal(run.clock.pending, 0);
  });
}

test('A header function that throws, or never answers, neither escapes nor holds up an abort', async () => {
  for (const headers of [
    () => {
      throw new Error('token');
    },
    () => Promise.reject(new Error('token')),
  ]) {
    const run = opened('http://localhost/', { headers });
    await run.sink.until(() => run.sink.codes.length === 1);
    assert.match(run.sink.diagnostics[0]!.message, /token/);
    run.controller.abort();
    await run.done;
  }
  const run = opened('http://localhost/', { headers: () => new Promise(() => {}) });
  await settle();
  run.controller.abort();
  await run.done;
});

test('An abort in any phase resolves, leaves no timer and no socket, and nothing is reported after it', async () => {
  const phases: [string, (response: ServerResponse) => void, (run: Opened) => Promise<unknown>][] = [
    ['before headers', () => {}, () => settle()],
    ['while reading', (response) => void stream(response).write(frame(1)), ({ sink }) => sink.until(() => sink.frames.length === 1)],
    [
      'within an event',
      (response) => void stream(response).write(`${frame(1)}data: {`),
      ({ sink }) => sink.until(() => sink.frames.length === 1),
    ],
    [
      'while backing off',
      (response) => void response.writeHead(503).end(),
      ({ sink }) => sink.until(() => sink.states.includes('reconnecting')),
    ],
  ];
  for (const [name, answer, reached] of phases) {
    await using server = await serve(answer);
    const run = opened(server.url, { heartbeatInterval: 15_000 });
    await server.requested(1);
    await reached(run);
    const told = [run.sink.states.length, run.sink.frames.length, run.sink.codes.length];
    run.controller.abort();
    await run.done;
    assert.equal(run.clock.pending, 0, name);
    // A finished answer may keep its socket for the next request; one that was cut must not.
    if (name !== 'while backing off') await server.idle();
    assert.deepEqual([run.sink.states.length, run.sink.frames.length, run.sink.codes.length], told, name);
  }
  const aborted = opened('http://localhost:1/', {});
  aborted.controller.abort();
  await aborted.done;
  const never = recorder();
  await createSseSource({ url: 'http://localhost:1/' }).open(never, AbortSignal.abort());
  assert.deepEqual(never.states, []);
});

test('A fetch that does not heed the signal is left behind, and its late answer let go', async () => {
  let answer!: (response: Response) => void;
  let cancelled = false;
  const run = opened('http://localhost/', {
    fetch: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await settle();
  run.controller.abort();
  await run.done;
  answer(
    new Response(
      new ReadableStream({
        cancel: () => {
          cancelled = true;
        },
      }),
    ),
  );
  await settle();
  assert.ok(cancelled);
});

test('An abort from within a frame stops the rest of the same chunk', async () => {
  await using server = await serve((response) => void stream(response).write(frame(1) + frame(2)));
  const controller = new AbortController();
  const sink = recorder();
  const take = sink.frame;
  sink.frame = (value, cursor) => {
    take(value, cursor);
    controller.abort();
  };
  await createSseSource({ url: server.url }).open(sink, controller.signal);
  assert.deepEqual(sink.frames, [{ n: 1 }]);
  await server.idle();
});

/** Runs with the events of a page and of its window. */
async function inWindow(run: (target: EventTarget, page: EventTarget & { visibilityState: string }) => Promise<void>): Promise<void> {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  const target = new EventTarget();
  const patched = {
    document: page,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
  const world = globalThis as unknown as Record<string, unknown>;
  const before = Object.keys(patched).map((key) => [key, Object.getOwnPropertyDescriptor(world, key)] as const);
  for (const [key, value] of Object.entries(patched)) Object.defineProperty(world, key, { value, configurable: true, writable: true });
  try {
    await run(target, page);
  } finally {
    for (const [key, descriptor] of before) {
      if (descriptor) Object.defineProperty(world, key, descriptor);
      else delete world[key];
    }
  }
}

test('Coming back online or into view ends a backoff at once, but not a wait the server asked for', () =>
  inWindow(async (target, page) => {
    await using server = await serve((response, _, number) => {
      if (number === 2) response.writeHead(503, { 'retry-after': '60' }).end();
      else if (number < 3) response.writeHead(503).end();
      else stream(response).end(END);
    });
    const run = opened(server.url);
    const failed = async (count: number) => {
      await run.sink.until(() => run.sink.codes.length === count);
      await settle();
    };
    await failed(1);
    target.dispatchEvent(new Event('online'));
    await failed(2);
    page.dispatchEvent(new Event('visibilitychange'));
    await settle();
    assert.equal(server.requests.length, 2);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    await failed(3);
    target.dispatchEvent(new Event('online'));
    await settle();
    assert.equal(server.requests.length, 3);
    await run.clock.advance(60_000);
    await run.done;
  }));

test('Coming back online asks again at once where a stream is silent, and where an answer never came', () =>
  inWindow(async (target) => {
    await using server = await serve((response, _, number) => {
      if (number === 0) stream(response).write(`id: e:1\n${frame(1)}`);
      else if (number === 2) stream(response).end(END);
    });
    const run = opened(server.url);
    await run.sink.until(() => run.sink.frames.length === 1);
    target.dispatchEvent(new Event('online'));
    while (server.requests.length < 2) await settle();
    target.dispatchEvent(new Event('online'));
    await run.done;
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['last-event-id']),
      [undefined, 'e:1', 'e:1'],
    );
    assert.deepEqual(run.sink.states, ['connecting', 'live', 'reconnecting', 'live', 'ended']);
    assert.deepEqual(run.sink.codes, []);
    assert.equal(run.clock.pending, 0);
    await server.idle();
  }));

test('A page that is hidden and seen again keeps its one stream', async () => {
  const world = globalThis as unknown as Record<string, unknown>;
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  world['document'] = page;
  try {
    let live!: ServerResponse;
    await using server = await serve((response) => {
      live = stream(response);
      live.write(frame(1));
    });
    const run = opened(server.url);
    await run.sink.until(() => run.sink.frames.length === 1);
    for (const state of ['hidden', 'visible', 'hidden']) {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
      await settle();
    }
    live.end(frame(2) + END);
    await run.done;
    assert.equal(server.requests.length, 1);
    assert.deepEqual(run.sink.states, ['connecting', 'live', 'ended']);
  } finally {
    delete world['document'];
  }
});

test('A machine that slept does not trust its connection, and a clock set back does not keep a dead one', async () => {
  for (const jump of [3_600_000, -3_600_000]) {
    await using server = await serve((response) => void stream(response).write(frame(1)));
    const run = opened(server.url, { heartbeatInterval: 10_000 });
    await run.sink.until(() => run.sink.frames.length === 1);
    await settle();
    run.clock.jump(jump);
    // Timers of the manual clock fall due by its reading: a clock set back is brought forward again.
    await run.clock.advance(jump > 0 ? 1 : 3_600_000 + 50_000);
    assert.ok(run.sink.codes.includes('watchdog'));
    run.controller.abort();
    await run.done;
  }
});

test('A stream in one-byte writes arrives whole', async () => {
  const text = BYTES.encode(frame(1) + 'data: "é🦊"\r\n\r\n' + END);
  await using server = await serve(async (response) => {
    stream(response);
    for (const byte of text) await new Promise<void>((resolve) => response.write(Uint8Array.of(byte), () => resolve()));
    response.end();
  });
  const { sink, done } = opened(server.url);
  await done;
  assert.deepEqual(sink.frames.slice(0, 2), [{ n: 1 }, 'é🦊']);
});

test('A burst that is there already does not keep the thread from other work', async () => {
  const bytes = BYTES.encode(frame(1).repeat(200));
  let sent = 0;
  const burst = body((controller) => controller.enqueue(sent++ < 500 ? bytes : BYTES.encode(END)));
  let turns = 0;
  const turn = setInterval(() => turns++, 0);
  const sink = recorder();
  let spent = 0;
  // Each frame takes a tenth of a millisecond by this clock, so the count does not hang on the speed of the machine.
  const clock = { ...systemClock, now: () => spent };
  const take = sink.frame;
  sink.frame = (value) => {
    spent += 0.1;
    if (value !== undefined && (value as { type?: string }).type) take(value);
  };
  const source = createSseSource({
    url: '/',
    clock,
    fetch: async () => new Response(burst, { headers: { 'content-type': 'text/event-stream' } }),
  });
  await source.open(sink, new AbortController().signal);
  clearInterval(turn);
  assert.equal(sink.states.at(-1), 'ended');
  assert.ok(turns >= 100, `${turns} turns in 10 s of work`);
});

test('It gives the thread back without waiting for a timer, which a hidden page may keep for a minute', async (t) => {
  const delays: (number | undefined)[] = [];
  const platform = globalThis.setTimeout;
  t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms?: number) => {
    delays.push(ms);
    return platform(callback, ms);
  });
  let sent = 0;
  const burst = body((controller) => controller.enqueue(BYTES.encode(sent++ < 60 ? frame(1) : END)));
  let turns = 0;
  let running = true;
  const turn = () => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const sink = recorder();
  const take = sink.frame;
  sink.frame = (value) => {
    for (const began = systemClock.now(); systemClock.now() - began < 2;);
    take(value);
  };
  const source = createSseSource({
    url: '/',
    fetch: async () => new Response(burst, { headers: { 'content-type': 'text/event-stream' } }),
  });
  await source.open(sink, new AbortController().signal);
  running = false;
  assert.equal(sink.states.at(-1), 'ended');
  assert.ok(turns >= 4, `${turns} turns in 120 ms of work`);
  assert.deepEqual(
    delays.filter((ms) => !(ms! > 1000)),
    [],
  );
});
