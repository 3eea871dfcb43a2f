import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createHttpSink, createMemorySink } from '@sitrep/harness/sink';
import { createReporter, track } from '@sitrep/harness/reporter';
import { meterFetch } from '@sitrep/harness/meter';
import type { FetchMeterOptions } from '@sitrep/harness/meter';
import type { Diagnostic } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';

const TEXT = 'progress '.repeat(20_000);
let base = '';
let received: { body: Buffer; headers: IncomingMessage['headers'] } = { body: Buffer.alloc(0), headers: {} };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const ROUTES: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/plain': (response) => response.setHeader('content-length', TEXT.length).end(TEXT),
  '/identity': (response) => response.setHeader('content-encoding', 'identity').setHeader('content-length', TEXT.length).end(TEXT),
  '/chunked': (response) => (response.write(TEXT.slice(0, 10)), response.end(TEXT.slice(10))),
  '/gzip': (response) => {
    const packed = gzipSync(TEXT);
    response.setHeader('content-encoding', 'gzip').setHeader('content-length', packed.length).end(packed);
  },
  '/missing': (response) => response.writeHead(404, { 'content-length': 4 }).end('none'),
  '/empty': (response) => response.writeHead(204).end(),
  '/broken': (response) => (response.writeHead(200, { 'content-length': 100 }), response.write('x'.repeat(10), () => response.destroy())),
  '/slow': (response) => (response.writeHead(200, { 'content-length': 100 }), response.write('x'.repeat(10))),
  '/moved': (response) => response.writeHead(302, { location: '/plain' }).end(),
  '/cookies': (response) => response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-own': 'y' }).end('ok'),
};

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    received = { body: await bodyOf(request), headers: request.headers };
  } catch {
    response.destroy();
    return;
  }
  const route = ROUTES[(request.url ?? '').split('?')[0] ?? ''];
  if (route === undefined) response.end('taken');
  else route(response, request);
}
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function setup(options: Partial<FetchMeterOptions> = {}) {
  const sink = createMemorySink();
  const diagnostics: Diagnostic[] = [];
  const fetch = meterFetch({ sink, session: 's', throttleMs: 0, onDiagnostic: (each) => diagnostics.push(each), ...options });
  const events = (kind?: string): readonly OperationEvent[] => {
    const all = sink.events as readonly OperationEvent[];
    const ids = new Set(all.filter((event) => kind === undefined || event.kind === kind).map(({ id }) => id));
    return all.filter(({ id }) => ids.has(id));
  };
  const story = (kind = 'download'): unknown => {
    const own = events(kind);
    const end = own.at(-1);
    return {
      total: own.findLast((event) => event.total !== undefined)?.total,
      state: end?.state,
      current: end?.current,
      why: end?.reason ?? end?.error?.message,
    };
  };
  return { fetch, diagnostics, events, story };
}

describe('a metered fetch that downloads', () => {
  it('gives the response of fetch, counts its bytes, and has a total where Content-Length is one', async () => {
    for (const path of ['/plain', '/identity']) {
      const { fetch, story, events, diagnostics } = setup();
      const [metered, plain] = [await fetch(`${base}${path}?token=secret`), await globalThis.fetch(`${base}${path}?token=secret`)];
      for (const key of ['status', 'statusText', 'ok', 'url', 'redirected', 'type'] as const) assert.equal(metered[key], plain[key], key);
      const headersOf = (response: Response): unknown => [...response.headers].filter(([name]) => name !== 'date');
      assert.deepEqual(headersOf(metered), headersOf(plain));
      assert.equal(await metered.text(), await plain.text());
      assert.deepEqual(story(), { total: TEXT.length, state: 'completed', current: TEXT.length, why: undefined });
      assert.deepEqual([events()[0]?.title, events()[0]?.unit, diagnostics], [`GET 127.0.0.1:${new URL(base).port}${path}`, 'bytes', []]);
    }
  });

  it('has no total for a compressed body, says why, and counts what it was unpacked to', async () => {
    const { fetch, story, diagnostics } = setup();
    const response = await fetch(`${base}/gzip`);
    assert.equal(response.headers.get('content-length'), String(gzipSync(TEXT).length));
    assert.equal(await response.text(), TEXT);
    assert.deepEqual(story(), { total: undefined, state: 'completed', current: TEXT.length, why: undefined });
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['no_total'],
    );
    assert.match(diagnostics[0]?.message ?? '', /compressed \(gzip\)/);
  });

  it('has none without Content-Length, and none from another origin, where compression is hidden', async () => {
    const chunked = setup();
    await (await chunked.fetch(`${base}/chunked`)).text();
    assert.deepEqual(
      [chunked.story(), chunked.diagnostics],
      [{ total: undefined, state: 'completed', current: TEXT.length, why: undefined }, []],
    );
    const foreign = async (): Promise<Response> =>
      Object.defineProperty(new Response('abc', { headers: { 'content-length': '2' } }), 'type', { value: 'cors' });
    const cors = setup({ fetch: foreign });
    await (await cors.fetch('https://elsewhere.example/')).text();
    assert.deepEqual(
      [cors.story(), cors.diagnostics[0]?.code],
      [{ total: undefined, state: 'completed', current: 3, why: undefined }, 'no_total'],
    );
  });

  it('takes a total back that turns out wrong', async () => {
    const { fetch, story } = setup({ fetch: async () => new Response('abcdef', { headers: { 'content-length': '3' } }) });
    await (await fetch('https://wrong.example/')).text();
    assert.deepEqual(story(), { total: null, state: 'completed', current: 6, why: undefined });
  });

  it('fails with the status once the body has ended, which reads as ever', async () => {
    const { fetch, story } = setup();
    const response = await fetch(`${base}/missing`);
    assert.deepEqual([response.ok, response.status, await response.text()], [false, 404, 'none']);
    assert.deepEqual(story(), { total: 4, state: 'failed', current: 4, why: 'HTTP 404 Not Found' });
  });

  it('is over at once when there is no body', async () => {
    for (const [path, init] of [
      ['/empty', {}],
      ['/plain', { method: 'HEAD' }],
    ] as const) {
      const { fetch, story } = setup();
      const response = await fetch(`${base}${path}`, init);
      assert.equal(response.body, null);
      assert.deepEqual(story(), { total: undefined, state: 'completed', current: 0, why: undefined });
    }
  });

  it('fails when it cannot connect and when the body breaks off, with the error of fetch', async () => {
    const refused = setup();
    const plain: unknown = await globalThis.fetch('http://127.0.0.1:1/').catch((error: unknown) => error);
    await assert.rejects(refused.fetch('http://127.0.0.1:1/'), { name: (plain as Error).name, message: (plain as Error).message });
    assert.equal((refused.story() as { state: string }).state, 'failed');
    const broken = setup();
    await assert.rejects((await broken.fetch(`${base}/broken`)).text(), { name: 'TypeError' });
    assert.deepEqual(broken.story(), { total: 100, state: 'failed', current: 10, why: 'terminated' });
  });

  it('is cancelled by its signal: before the answer, in the body, and when nobody reads the body', async () => {
    const early = setup();
    await assert.rejects(early.fetch(`${base}/plain`, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.equal((early.story() as { state: string }).state, 'cancelled');
    for (const reads of [true, false]) {
      const { fetch, story } = setup();
      const abort = new AbortController();
      const response = await fetch(`${base}/slow`, { signal: abort.signal });
      const reading = reads ? response.text() : undefined;
      setImmediate(() => abort.abort('user'));
      if (reading !== undefined) await assert.rejects(reading, (thrown) => thrown === 'user' || (thrown as Error).name === 'AbortError');
      if (!abort.signal.aborted) await once(abort.signal, 'abort');
      assert.deepEqual([(story() as { state: string }).state, (story() as { why: string }).why], ['cancelled', 'user']);
    }
  });

  it('is cancelled when its reader stops, which closes the connection', async () => {
    const { fetch, story } = setup();
    const response = await fetch(`${base}/slow`);
    await response.body?.cancel();
    assert.deepEqual([(story() as { state: string }).state, (story() as { why: string }).why], ['cancelled', 'reader_stopped']);
  });

  it('may take the place of the fetch it uses, and reports on no report', async () => {
    const own = globalThis.fetch;
    const posts: string[] = [];
    const gateway = async (_url: string, init: RequestInit): Promise<Response> => {
      posts.push(String(init.body));
      await globalThis.fetch(`${base}/plain`);
      return Response.json({ results: [] });
    };
    const sink = createHttpSink({ url: base, batchMs: 0, fetch: gateway });
    try {
      globalThis.fetch = meterFetch({ throttleMs: 0 });
      const turn = createReporter({ sink, session: 's', id: 'turn' });
      // What is sent from here on is sent from inside of the turn.
      await sink.flush();
      await turn.track(async () => {
        assert.equal(await (await fetch(`${base}/plain`)).text(), TEXT);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
      await sink.flush();
    } finally {
      globalThis.fetch = own;
    }
    const begun = posts.flatMap((body) => JSON.parse(body) as OperationEvent[]).filter(({ state }) => state === 'running');
    assert.deepEqual(
      begun.map(({ title, parent }) => [title, parent]),
      [
        [undefined, undefined],
        [`GET ${base.replace('http://', '')}/plain`, 'turn'],
      ],
    );
  });

  it('is not told of the requests of its own sink', async () => {
    const own = globalThis.fetch;
    const ids = new Set<unknown>();
    const platform = async (_input: unknown, init?: RequestInit): Promise<Response> => {
      if (init?.method === 'POST') for (const { id } of JSON.parse(String(init.body)) as OperationEvent[]) ids.add(id);
      return Response.json({ results: [] });
    };
    const sink = createHttpSink({ url: base, batchMs: 0 });
    try {
      globalThis.fetch = meterFetch({ sink, session: 's', fetch: platform });
      await (await fetch(`${base}/plain`)).text();
      await sink.flush();
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      globalThis.fetch = own;
    }
    assert.deepEqual([ids.size, sink.stats.pending], [1, 0]);
  });

  it('gives what a fetch of somebody’s own answers, response or not', async () => {
    const locked = new Response('text');
    locked.body?.getReader();
    const answers = [
      { ok: true, json: async () => ({ a: 1 }) },
      { status: 200, headers: {}, body: { pipe() {} } },
      { status: 0, body: locked.body },
      locked,
    ];
    for (const given of answers) {
      const sink = createMemorySink();
      const metered = meterFetch({ sink, session: 's', fetch: async () => given as unknown as Response });
      assert.equal(await metered('http://example.org/'), given);
      assert.deepEqual([sink.events.length, (sink.events.at(-1) as OperationEvent).state], [2, 'completed']);
    }
  });

  it('keeps redirects, cookies, and clones that say where they came from', async () => {
    const { fetch } = setup();
    const moved = await fetch(`${base}/moved`);
    assert.deepEqual([moved.redirected, moved.url], [true, `${base}/plain`]);
    const copy = moved.clone();
    assert.deepEqual([copy.url, copy.redirected, copy.clone().url], [moved.url, true, moved.url]);
    assert.deepEqual(await Promise.all([copy.text(), moved.text()]), [TEXT, TEXT]);
    const cookies = await fetch(`${base}/cookies`);
    assert.deepEqual([cookies.headers.getSetCookie(), cookies.headers.get('x-own')], [['a=1', 'b=2'], 'y']);
    await cookies.text();
  });

  it('is inside the current invocation, and only passes on where there is none', async () => {
    const sink = createMemorySink();
    const fetch = meterFetch();
    const plain = await fetch(`${base}/plain`);
    assert.equal((await plain.text()).length, TEXT.length);
    await track(
      createReporter({ sink, session: 's', id: 'tool', throttleMs: 0 }),
      async () => void (await (await fetch(`${base}/plain`)).text()),
    );
    const own = (sink.events as readonly OperationEvent[]).filter(({ id }) => id !== 'tool');
    assert.deepEqual([own[0]?.parent, own.at(-1)?.state], ['tool', 'completed']);
  });
});

describe('a metered fetch that uploads', () => {
  const streamed = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();

  it('counts a body that is a stream, inside the request', async () => {
    const { fetch, story, events } = setup();
    const init = { method: 'POST', body: streamed(TEXT), duplex: 'half' } as RequestInit;
    await (await fetch(`${base}/upload`, init)).text();
    assert.equal(received.body.toString(), TEXT);
    assert.deepEqual(story('upload'), { total: undefined, state: 'completed', current: TEXT.length, why: undefined });
    assert.equal(events('upload')[0]?.parent, events('download')[0]?.id);
    assert.equal((story() as { state: string }).state, 'completed');
  });

  it('lets fetch refuse what cannot be sent, in its own words, and leaves nothing open', async () => {
    const locked = new Blob(['x']).stream();
    locked.getReader();
    const used = new Request(`${base}/plain`, { method: 'POST', body: 'x' });
    await used.text();
    const calls: readonly [RequestInfo, RequestInit & { duplex?: 'half' }][] = [
      [`${base}/plain`, { method: 'POST', body: locked, duplex: 'half' }],
      [used, {}],
      [null as never, {}],
    ];
    for (const [input, init] of calls) {
      const sink = createMemorySink();
      const message = await fetch(input, init).then(String, (error: Error) => error.message);
      await assert.rejects(meterFetch({ sink, session: 's', uploads: 'all' })(input, init), { message });
      const open = new Map((sink.events as readonly OperationEvent[]).map(({ id, state }) => [id, state]));
      assert.deepEqual(new Set(open.values()), new Set(['failed']));
    }
  });

  it('leaves other bodies as they are', async () => {
    const { fetch, events } = setup();
    await (await fetch(`${base}/upload`, { method: 'POST', body: TEXT })).text();
    assert.deepEqual([received.headers['content-length'], events('upload')], [String(TEXT.length), []]);
  });

  it('streams and counts every kind of body when told to, byte-exact, with its type and its true total', async () => {
    const form = new FormData();
    form.set('a', new File(['content'], 'a.txt', { type: 'text/plain' }));
    const cases: readonly [BodyInit, RegExp, number | undefined][] = [
      ['text é', /^text\/plain;charset=UTF-8$/i, 7],
      [new Blob(['blob'], { type: 'image/png' }), /^image\/png$/, 4],
      [new URLSearchParams({ a: '1 2' }), /^application\/x-www-form-urlencoded/, 5],
      [new Uint8Array([0, 255, 7]), /^undefined$/, 3],
      [new Uint8Array([1, 2]).buffer, /^undefined$/, 2],
      [form, /^multipart\/form-data; boundary=/, undefined],
    ];
    for (const [body, type, total] of cases) {
      const { fetch, story } = setup({ uploads: 'all' });
      await (await fetch(`${base}/upload`, { method: 'POST', body })).text();
      assert.match(String(received.headers['content-type']), type);
      if (body !== form) assert.ok(received.body.equals(Buffer.from(await new Response(body).arrayBuffer())));
      else assert.match(received.body.toString(), /filename="a.txt"[\s\S]*content/);
      assert.deepEqual(story('upload'), { total, state: 'completed', current: received.body.length, why: undefined });
    }
  });

  it('reads a Request, and lets init win over it', async () => {
    const { fetch, story, events } = setup({ uploads: 'all' });
    const request = new Request(`${base}/upload`, { method: 'PUT', body: 'from the request', headers: { 'x-own': '1' } });
    await (await fetch(request)).text();
    assert.deepEqual(
      [received.body.toString(), received.headers['x-own'], (story('upload') as { current: number }).current],
      ['from the request', '1', 16],
    );
    assert.match(events()[0]?.title ?? '', /^PUT 127/);
  });

  it('fails with the error of its stream, and is cancelled by an abort', async () => {
    const error = new Error('disk');
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(error);
      },
    });
    const failed = setup();
    await assert.rejects(failed.fetch(`${base}/upload`, { method: 'POST', body: failing, duplex: 'half' } as RequestInit));
    assert.deepEqual(
      [(failed.story('upload') as { state: string }).state, (failed.story() as { state: string }).state],
      ['failed', 'failed'],
    );
    const stopped = setup();
    const abort = new AbortController();
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => (controller.enqueue(new Uint8Array(10)), abort.abort()) });
    const init = { method: 'POST', body: endless, duplex: 'half', signal: abort.signal } as RequestInit;
    await assert.rejects(stopped.fetch(`${base}/upload`, init), { name: 'AbortError' });
    assert.deepEqual(
      [(stopped.story('upload') as { state: string }).state, (stopped.story() as { state: string }).state],
      ['cancelled', 'cancelled'],
    );
  });

  it('ends with its request where nobody reads the stream to its end', async () => {
    const state = (own: ReturnType<typeof setup>, kind: string): unknown[] => {
      const { state: ended, why } = own.story(kind) as { state: string; why: string };
      return [ended, why];
    };
    const refused = setup();
    await assert.rejects(refused.fetch('http://127.0.0.1:1/', { method: 'POST', body: streamed(TEXT), duplex: 'half' } as RequestInit));
    assert.deepEqual([state(refused, 'upload')[0], state(refused, 'download')[0]], ['failed', 'failed']);
    const unread = setup({ fetch: async () => new Response('early') });
    await (await unread.fetch(`${base}/upload`, { method: 'POST', body: streamed(TEXT), duplex: 'half' } as RequestInit)).text();
    assert.deepEqual([state(unread, 'upload'), state(unread, 'download')[0]], [['interrupted', 'response_ended'], 'completed']);
    const error = new Error('cut');
    const cut = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(error) });
    const broken = setup({ fetch: async () => new Response(cut) });
    const response = await broken.fetch(`${base}/upload`, { method: 'POST', body: streamed(TEXT), duplex: 'half' } as RequestInit);
    await assert.rejects(response.text(), (thrown) => thrown === error);
    assert.deepEqual(
      [state(broken, 'upload'), state(broken, 'download')],
      [
        ['failed', 'cut'],
        ['failed', 'cut'],
      ],
    );
  });

  it('does not count at all when told not to', async () => {
    const { fetch, events } = setup({ uploads: 'none' });
    await (await fetch(`${base}/upload`, { method: 'POST', body: streamed('x'), duplex: 'half' } as RequestInit)).text();
    assert.deepEqual([received.body.toString(), events('upload')], ['x', []]);
  });
});
