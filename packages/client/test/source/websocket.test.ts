import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWebSocketSource } from '@sitrep/client';
import type { WebSocketLike, WebSocketSourceOptions } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { recorder } from '../support/sink.ts';
import { serveSockets, socketFrame } from '../support/socket-server.ts';
import type { FarSocket } from '../support/socket-server.ts';

const frame = (n: number) => `{"cursor":"e:${n}","event":{"n":${n}}}`;
const END = '{"event":{"type":"end","reason":"done"}}';
const EXPIRED = '{"event":{"type":"end","reason":"token_expired"}}';

function opened(url: string, more: Partial<WebSocketSourceOptions> = {}) {
  const clock = manualClock();
  const sink = recorder();
  const controller = new AbortController();
  const source = createWebSocketSource({ url, clock, random: () => 1, heartbeatInterval: Infinity, ...more });
  const done = source.open(sink, controller.signal);
  return { clock, sink, controller, done };
}
type Opened = ReturnType<typeof opened>;

/** Waits until it has stopped trying so many times, answers for how long it waits, and lets that pass. */
async function passWait({ clock, sink }: Opened, tries: number): Promise<number> {
  await sink.until(() => sink.codes.length >= tries);
  return passNext({ clock });
}

async function passNext({ clock }: Pick<Opened, 'clock'>): Promise<number> {
  while (clock.pending === 0) await settle();
  const delay = clock.delays.at(-1)!;
  await clock.advance(delay);
  return delay;
}

describe('a WebSocket source', () => {
  it('delivers frames in order with their cursors, whatever the envelope, and ends with `end`', async () => {
    await using server = await serveSockets((far) => {
      far.send(frame(1));
      far.send('{"event":{"n":2}}');
      far.send('{"event":{"n":3},"cursor":"e:3"}');
      far.send('{"cursor":"a\\"b:4","event":{"n":4}}');
      far.send('{"n":5}');
      far.send('[{"n":6},{"n":7}]');
      far.send('"text"');
      far.send('{"cursor":"e:8","event":{"n":8},"more":{}}');
      far.send(END);
      far.send(frame(9));
    });
    const { sink, done, clock } = opened(server.url, { protocols: ['another'] });
    await done;
    assert.equal(server.requests[0]!.headers['sec-websocket-protocol'], 'another');
    assert.deepEqual(sink.frames, [...[1, 2, 3, 4, 5, 6, 7].map((n) => ({ n })), 'text', { n: 8 }, { type: 'end', reason: 'done' }]);
    assert.deepEqual(sink.cursors, ['e:1', undefined, 'e:3', 'a"b:4', undefined, undefined, undefined, undefined, 'e:8', undefined]);
    assert.deepEqual(sink.states, ['connecting', 'live', 'ended']);
    assert.equal(clock.pending, 0);
    await server.idle();
  });

  it('offers a sink that takes text the text of the event', async () => {
    await using server = await serveSockets((far) => {
      far.send(`{"cursor":"e:1","event":{"type":"operation","title":"}}\\"{"}}`);
      far.send(END);
    });
    const sink = Object.assign(recorder(), { texts: [] as string[] });
    sink.text = (json, cursor) => sink.texts.push(`${cursor} ${json}`) > 0;
    await createWebSocketSource({ url: server.url, heartbeatInterval: Infinity }).open(sink, new AbortController().signal);
    assert.deepEqual(sink.texts, ['e:1 {"type":"operation","title":"}}\\"{"}']);
  });

  it('reads text in pieces of frames and of bytes, and pings between them', async () => {
    const text = Buffer.from('{"cursor":"é:1","event":{"n":"🦊"}}');
    await using server = await serveSockets(async (far) => {
      const bytes = Buffer.concat([
        socketFrame(1, text.subarray(0, 12), false),
        socketFrame(9, Buffer.from('hi')),
        socketFrame(0, text.subarray(12, 29), false),
        socketFrame(0, text.subarray(29)),
        socketFrame(1, Buffer.from(END)),
      ]);
      for (const byte of bytes) await new Promise((resolve) => far.socket.write(Uint8Array.of(byte), resolve));
    });
    const { sink, done } = opened(server.url);
    await done;
    assert.deepEqual([sink.frames[0], sink.cursors[0]], [{ n: '🦊' }, 'é:1']);
  });

  it('carries cursor, token and ticket anew for each connection, and nothing of them in the path', async () => {
    await using server = await serveSockets((far, number) => {
      far.send(number < 2 ? frame(number + 1) : END);
      if (number < 2) far.close(1000);
    });
    let made = 0;
    const run = opened(`${server.url}s?x=1#part`.replace('ws:', 'http:'), {
      token: async () => `t${++made}`,
      ticket: () => `k ${made}`,
    });
    await passNext(run);
    await passNext(run);
    await run.done;
    assert.deepEqual(
      server.requests.map(({ url, headers }) => [url, headers['sec-websocket-protocol']]),
      [
        ['/s?x=1&ticket=k+0', 'sitrep.v1, sitrep.bearer.t1'],
        ['/s?x=1&cursor=e%3A1&ticket=k+1', 'sitrep.v1, sitrep.bearer.t2'],
        ['/s?x=1&cursor=e%3A2&ticket=k+2', 'sitrep.v1, sitrep.bearer.t3'],
      ].map(([url, protocol], at) => [url!.replace(/k\+\d/, `k+${at + 1}`), protocol]),
    );
    assert.deepEqual(run.sink.codes, []);
  });

  for (const code of [1000, 1001, 1012, 1013]) {
    it(`comes back after the usual time when the server closes with ${code}, and after that of \`retry\` where it is named`, async () => {
      await using server = await serveSockets((far, number) => {
        far.send(number < 3 ? frame(number) : END);
        if (number < 3) far.close(code, ['', 'going_away retry=4000', 'retry=999999999'][number]);
      });
      const run = opened(server.url, { random: () => 0 });
      assert.deepEqual([await passNext(run), await passNext(run), await passNext(run)], [1_000, 4_000, 60_000]);
      await run.done;
      assert.deepEqual(run.sink.codes, []);
      assert.deepEqual(run.sink.states, [
        'connecting',
        'live',
        'reconnecting',
        'live',
        'reconnecting',
        'live',
        'reconnecting',
        'live',
        'ended',
      ]);
    });
  }

  it('counts a close before any message as a failure, so that a server that fails at once is not hammered', async () => {
    await using server = await serveSockets((far, number) => (number < 3 ? far.close(1000) : far.send(END)));
    const run = opened(server.url);
    assert.deepEqual([await passWait(run, 1), await passWait(run, 2), await passWait(run, 3)], [1_000, 2_000, 4_000]);
    await run.done;
    assert.deepEqual(run.sink.codes, ['network', 'network', 'network']);
    assert.deepEqual(run.sink.states, ['connecting', 'reconnecting', 'live', 'ended']);
  });

  for (const code of [4_400, 4_403, 4_404, 4_410]) {
    it(`gives up after ${code}, which is the server's word`, async () => {
      await using server = await serveSockets((far) => far.close(code, 'forbidden'));
      const { sink, done, clock } = opened(server.url);
      await done;
      assert.deepEqual(sink.states, ['connecting', 'lost']);
      assert.deepEqual(
        sink.diagnostics.map(({ code: word, status, message }) => [word, status, message]),
        [['http_status', code - 4_000, `The server closed the socket with ${code} forbidden; it will not be asked again.`]],
      );
      assert.equal(clock.pending, 0);
    });
  }

  for (const code of [4_408, 4_425, 4_429, 4_500, 4_503, 1_006, 1_008, 1_009, 1_011, 3_000, 4_001, 4_999]) {
    it(`tries again after ${code}, with growing waits`, async () => {
      await using server = await serveSockets((far, number) => {
        if (number >= 3) far.send(END);
        else if (code === 1_006) far.socket.destroy();
        else far.close(code, number === 2 ? 'busy retry=30000' : 'busy');
      });
      const run = opened(server.url);
      const waits = [await passWait(run, 1), await passWait(run, 2), await passWait(run, 3)];
      await run.done;
      assert.deepEqual(waits, [1_000, 2_000, code === 1_006 ? 4_000 : 30_000]);
    });
  }

  for (const status of [401, 403, 429, 500, 0]) {
    it(`tries again when the handshake is ${status === 0 ? 'cut' : `answered with ${status}, which cannot be seen`}`, async () => {
      await using server = await serveSockets(
        (far) => far.send(END),
        (number, request) => {
          if (status === 0 && number === 0) request.socket.destroy();
          // The platform asks once more by itself after a 401.
          return number <= (status === 401 ? 1 : 0) ? status : undefined;
        },
      );
      const run = opened(server.url);
      await passWait(run, 1);
      await run.done;
      assert.deepEqual(run.sink.codes, ['network']);
    });
  }

  it('asks for a fresh token once after 4401, and gives up when that does not help', async () => {
    await using server = await serveSockets((far, number) => {
      if (number !== 1) return far.close(4_401, 'invalid_token');
      far.send(frame(1));
      far.close(1001);
    });
    let made = 0;
    const run = opened(server.url, { token: () => `t${++made}` });
    await passNext(run);
    await run.done;
    assert.equal(made, 4);
    assert.deepEqual(run.sink.states, ['connecting', 'reconnecting', 'live', 'reconnecting', 'lost']);
    const fixed = opened(server.url, { token: 'same' });
    await fixed.done;
    assert.deepEqual(fixed.sink.states, ['connecting', 'lost']);
  });

  it('goes on from its cursor with a fresh token when the token expires', async () => {
    await using server = await serveSockets((far, number) => {
      if (number > 0) return far.send(END);
      far.send(frame(1));
      far.send(EXPIRED);
      far.close(4_401, 'token_expired');
    });
    const run = opened(server.url);
    assert.equal(await passNext(run), 250);
    await run.done;
    assert.match(server.requests[1]!.url!, /cursor=e%3A1$/);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { type: 'end', reason: 'done' }]);
    assert.deepEqual(run.sink.codes, []);
    await using never = await serveSockets((far) => far.send(EXPIRED));
    const asked = opened(never.url);
    assert.deepEqual([await passWait(asked, 1), await passWait(asked, 2)], [1_000, 2_000]);
    assert.deepEqual(asked.sink.codes.slice(0, 2), ['token_expired', 'token_expired']);
    asked.controller.abort();
    await asked.done;
  });

  it('comes back to a server that is shutting down', async () => {
    await using server = await serveSockets((far, number) => {
      if (number > 1) return far.send(END);
      far.send(frame(number + 1));
      far.send('{"event":{"type":"end","reason":"shutdown"}}');
      far.close(1_001, 'going_away');
    });
    const run = opened(server.url);
    assert.deepEqual([await passWait(run, 1), await passWait(run, 2)], [1_000, 1_000]);
    await run.done;
    assert.match(server.requests[1]!.url!, /cursor=e%3A1$/);
    assert.deepEqual(run.sink.frames, [{ n: 1 }, { n: 2 }, { type: 'end', reason: 'done' }]);
    assert.deepEqual(run.sink.codes, ['shutdown', 'shutdown']);
    assert.deepEqual(run.sink.states.at(-1), 'ended');
  });

  it('leaves a socket that says nothing, at whatever stage, and a handshake that is never answered', async () => {
    const stages: ((far: FarSocket) => void)[] = [
      () => {},
      (far) => far.send(frame(1)),
      (far) => far.raw(socketFrame(1, Buffer.from('{"n"'), false)),
    ];
    for (const stage of [...stages, undefined]) {
      await using server = await serveSockets(
        (far, number) => (number === 0 ? stage?.(far) : far.send(END)),
        (number) => (number === 0 && stage === undefined ? 0 : undefined),
      );
      const run = opened(server.url, { heartbeatInterval: 4_000 });
      await server.requested(1);
      await settle();
      if (stage === stages[1]) await run.sink.until(() => run.sink.frames.length === 1);
      await run.clock.advance(10_000);
      await passWait(run, 1);
      await run.done;
      assert.deepEqual(run.sink.codes, ['watchdog']);
      assert.equal(run.clock.pending, 0);
    }
  });

  it('takes any message as a sign of life, and learns the spacing of heartbeats', async () => {
    let far!: FarSocket;
    await using server = await serveSockets((socket) => (far = socket));
    const run = opened(server.url, { heartbeatInterval: 60_000 });
    await server.requested(1);
    const send = async (text: string): Promise<void> => {
      const count = run.sink.frames.length;
      far.send(text);
      await run.sink.until(() => run.sink.frames.length > count);
    };
    await send(frame(1));
    await run.clock.advance(140_000);
    await send('{"event":{"type":"heartbeat"}}');
    await run.clock.advance(140_000);
    assert.deepEqual(run.sink.codes, []);
    for (let n = 0; n < 3; n += 1) {
      await send('{"event":{"type":"heartbeat"}}');
      await run.clock.advance(4_000);
    }
    await send('{"event":{"type":"heartbeat"}}');
    await run.clock.advance(150_000);
    assert.deepEqual(run.sink.codes.slice(0, 1), ['watchdog']);
    run.controller.abort();
    await run.done;
    assert.equal(run.clock.pending, 0);
  });

  it('passes over what is no JSON, no text or too large, and reads on', async () => {
    await using server = await serveSockets((far) => {
      far.send('{oops');
      far.raw(socketFrame(2, Buffer.from('bytes')));
      far.send(`"${'x'.repeat(5_000)}"`);
      far.send('{"cursor":"e:1","event":{oops}}');
      far.send(frame(2));
      far.send(END);
    });
    const run = opened(server.url, { maxEventSize: 2_000 });
    await run.done;
    assert.deepEqual(run.sink.codes, ['json', 'json', 'too_large', 'json']);
    assert.deepEqual(run.sink.cursors, ['e:2', undefined]);
    assert.throws(() => createWebSocketSource({ url: '/', maxEventSize: 10 }), RangeError);
    assert.throws(() => createWebSocketSource({} as never), TypeError);
  });

  it('survives bytes that are no frames', async () => {
    await using server = await serveSockets((far, number) => {
      if (number === 0) far.raw(Uint8Array.of(0xff, 0xff, 0xff));
      else if (number === 1) far.raw(socketFrame(1, Uint8Array.of(0xc3, 0x28)));
      else far.send(END);
    });
    const run = opened(server.url);
    await passWait(run, 1);
    await passWait(run, 2);
    await run.done;
    assert.deepEqual(run.sink.codes, ['network', 'network']);
  });

  it('resolves at once when it is aborted in any phase, lets go of its socket, and says nothing more', async () => {
    const never = new Promise<string>(() => {});
    const phases: [
      string,
      Partial<WebSocketSourceOptions>,
      (far: FarSocket) => void,
      number | undefined,
      (run: Opened) => Promise<unknown>,
    ][] = [
      ['while the token is asked for', { token: () => never }, () => {}, undefined, () => settle()],
      ['during the handshake', {}, () => {}, 0, () => settle()],
      ['before a message', {}, () => {}, undefined, () => settle()],
      ['while reading', {}, (far) => far.send(frame(1)), undefined, ({ sink }) => sink.until(() => sink.frames.length === 1)],
      ['within a message', {}, (far) => far.raw(socketFrame(1, Buffer.from('{'), false)), undefined, () => settle()],
      ['while backing off', {}, (far) => far.close(4_503), undefined, ({ sink }) => sink.until(() => sink.codes.length === 1)],
    ];
    for (const [name, options, script, refuse, reached] of phases) {
      await using server = await serveSockets(script, () => refuse);
      const run = opened(server.url, { heartbeatInterval: 15_000, ...options });
      if (options.token === undefined) await server.requested(1);
      await reached(run);
      const told = [run.sink.states.length, run.sink.frames.length, run.sink.codes.length];
      run.controller.abort();
      await run.done;
      assert.equal(run.clock.pending, 0, name);
      await server.idle();
      assert.deepEqual([run.sink.states.length, run.sink.frames.length, run.sink.codes.length], told, name);
    }
  });

  it('stops within a burst when the sink aborts it', async () => {
    await using server = await serveSockets((far) => far.raw(Buffer.concat([1, 2, 3].map((n) => socketFrame(1, Buffer.from(frame(n)))))));
    const controller = new AbortController();
    const sink = recorder();
    const take = sink.frame;
    sink.frame = (value, cursor) => {
      take(value, cursor);
      controller.abort();
    };
    await createWebSocketSource({ url: server.url }).open(sink, controller.signal);
    assert.deepEqual(sink.frames, [{ n: 1 }]);
    await server.idle();
  });

  it('says what is wrong where it cannot connect at all, and goes on trying', async () => {
    for (const [options, words] of [
      [
        {
          connect: () => {
            throw new SyntaxError('not that address');
          },
        },
        /not that address/,
      ],
      [{ token: () => Promise.reject(new Error('no token')) }, /no token/],
      [
        {
          token: () => {
            throw new Error('thrown');
          },
        },
        /thrown/,
      ],
      [{ url: '/relative' }, /Invalid URL/],
    ] as const) {
      const run = opened('ws://127.0.0.1:1/', options as Partial<WebSocketSourceOptions>);
      await passWait(run, 1);
      await run.sink.until(() => run.sink.codes.length >= 2);
      assert.match(run.sink.diagnostics[0]!.message, words);
      run.controller.abort();
      await run.done;
    }
  });

  it('leaves nothing at a socket that throws when it is closed', async () => {
    const target = new EventTarget();
    const odd: WebSocketLike = {
      protocol: '',
      addEventListener: (type, listener) => target.addEventListener(type, listener as never),
      removeEventListener: (type, listener) => target.removeEventListener(type, listener as never),
      close: () => {
        throw new Error('closed before');
      },
    };
    const run = opened('ws://127.0.0.1:1/', { connect: () => odd });
    await settle();
    target.dispatchEvent(new Event('open'));
    assert.deepEqual(run.sink.states, ['connecting', 'live']);
    run.controller.abort();
    await run.done;
    target.dispatchEvent(new MessageEvent('message', { data: frame(1) }));
    assert.deepEqual(run.sink.frames, []);
  });
});
