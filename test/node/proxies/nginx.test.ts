import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connect2 } from 'node:http2';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createSseSource, createStore } from '@sitrep/client';
import { createReporter } from '@sitrep/harness';
import { createHttpSink } from '@sitrep/harness/sink';
import { createGateway, createToken, readKeys } from '@sitrep/server';
import type { Gateway, GatewayOptions } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { freePort } from '../../support/free-port.ts';
import { NAME, startNginx, until } from './nginx.ts';
import type { Nginx } from './nginx.ts';

type Headers = Readonly<Record<string, string>>;

/** One request through the proxy, to the name that it has. */
function ask(
  nginx: Nginx,
  path: string,
  options: { method?: string; headers?: Headers; body?: string; from?: string } = {},
): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, from } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: nginx.port,
        path,
        method,
        ca: nginx.ca,
        servername: NAME,
        agent: false,
        headers: { host: `${NAME}:${nginx.port}`, ...headers },
        ...(from === undefined ? {} : { localAddress: from }),
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function text(response: IncomingMessage): Promise<string> {
  let all = '';
  for await (const chunk of response) all += String(chunk);
  return all;
}

/** What `fetch` does, with the certificate of the proxy. */
const fetchThrough =
  (nginx: Nginx) =>
  (url: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(String(url));
      const headers = Object.fromEntries(new Headers(init.headers));
      const abort = (): void => void outgoing.destroy(new Error('aborted'));
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: nginx.port,
          path: pathname + search,
          method: init.method ?? 'GET',
          ca: nginx.ca,
          servername: NAME,
          agent: false,
          headers: { ...headers, host: `${NAME}:${nginx.port}` },
        },
        (response) => {
          response.on('close', () => init.signal?.removeEventListener('abort', abort));
          const body = response.statusCode === 204 ? null : (Readable.toWeb(response) as ReadableStream);
          resolve(new Response(body, { status: response.statusCode ?? 0, headers: response.headers as Record<string, string> }));
        },
      );
      outgoing.on('error', reject);
      init.signal?.addEventListener('abort', abort);
      outgoing.end(init.body === null || init.body === undefined ? undefined : String(init.body));
    });

const S = '/v1/sessions/s';
const JSON_TYPE = { 'content-type': 'application/json' };

async function setup(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<{ gateway: Gateway; nginx: Nginx; port: number }> {
  const port = await freePort();
  const gateway = createGateway({ store: createMemoryStore(), allowedHosts: [NAME], trustProxy: true, log: () => undefined, ...options });
  await gateway.listen({ port });
  t.after(() => gateway.close());
  return { gateway, nginx: await startNginx(t, port), port };
}

describe('behind nginx, as the documentation has it', () => {
  it('headers and events arrive at once, over TLS, HTTP/1.1 and HTTP/2', async (t) => {
    const { gateway, nginx } = await setup(t);
    const stream = await ask(nginx, `${S}/stream`);
    t.after(() => stream.destroy());
    assert.equal(stream.statusCode, 200);
    assert.equal(stream.headers['content-type'], 'text/event-stream');
    const chunks: string[] = [];
    stream.on('data', (chunk) => chunks.push(String(chunk)));
    await until(async () => chunks.join('').includes('event: snapshot'));
    const session = connect2(`https://127.0.0.1:${nginx.port}`, { ca: nginx.ca, servername: NAME });
    t.after(() => session.destroy());
    assert.equal(await once(session, 'connect').then(() => session.alpnProtocol), 'h2');
    const second = session.request({ ':path': `${S}/stream`, ':authority': `${NAME}:${nginx.port}` });
    const [head] = (await once(second, 'response')) as [Record<string, unknown>];
    assert.equal(head[':status'], 200);
    let over2 = '';
    second.on('data', (chunk) => (over2 += String(chunk)));
    await until(async () => over2.includes('event: snapshot'));
    // Each is seen before the next one is written: nothing waits for more.
    for (let n = 1; n <= 20; n += 1) {
      await gateway.publish('s', [{ type: 'operation', id: 'a', state: 'running', current: n }]);
      await until(async () => [chunks.join(''), over2].every((seen) => seen.includes(`"current":${n}`)));
    }
  });

  it('counts readers by the address that nginx saw, whatever a reader says of itself', async (t) => {
    const { nginx } = await setup(t, { addressClientLimit: 2 });
    const open = async (from: string, said: string) => {
      const response = await ask(nginx, `${S}/stream`, { from, headers: { 'x-forwarded-for': said } });
      t.after(() => response.destroy());
      return response.statusCode;
    };
    assert.deepEqual([await open('127.0.0.2', '1.1.1.1'), await open('127.0.0.2', '2.2.2.2')], [200, 200]);
    assert.equal(await open('127.0.0.2', '3.3.3.3'), 429);
    assert.equal(await open('127.0.0.3', '127.0.0.2'), 200, 'another address has streams of its own');
  });

  it('lets in its own pages and listed ones, and nobody under another name', async (t) => {
    const { nginx } = await setup(t, { allowedOrigins: ['https://board.example'] });
    const post = (headers: Headers) =>
      ask(nginx, `${S}/events`, { method: 'POST', body: '{"type":"operation","id":"a"}', headers: { ...JSON_TYPE, ...headers } });
    const own = { origin: `https://${NAME}:${nginx.port}`, 'sec-fetch-site': 'same-origin' };
    assert.equal((await post(own)).statusCode, 200);
    const listed = await post({ origin: 'https://board.example', 'sec-fetch-site': 'cross-site' });
    assert.deepEqual([listed.statusCode, listed.headers['access-control-allow-origin']], [200, 'https://board.example']);
    assert.equal((await post({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).statusCode, 403);
    assert.equal((await post({ host: 'evil.example' })).statusCode, 403);
    const cookie = readKeys('x'.repeat(32));
    const locked = await setup(t, { keys: cookie });
    const token = await createToken(cookie, { sessions: ['s'] });
    const answer = await ask(locked.nginx, '/v1/cookie', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, origin: `https://${NAME}:${locked.nginx.port}` },
    });
    assert.match(String(answer.headers['set-cookie']), /HttpOnly.*Secure.*SameSite=Strict/);
    const [pair = ''] = String(answer.headers['set-cookie']).split(';');
    assert.equal((await ask(locked.nginx, S, { headers: { cookie: pair } })).statusCode, 200);
    assert.equal((await ask(locked.nginx, S)).statusCode, 401);
  });

  it('takes a body of the size the gateway takes, and refuses a larger one', async (t) => {
    const { nginx } = await setup(t);
    const body = (bytes: number) => JSON.stringify([{ type: 'operation', id: 'a', ext: { pad: '' } }]).padEnd(bytes, ' ');
    const post = (bytes: number) => ask(nginx, `${S}/events`, { method: 'POST', body: body(bytes), headers: JSON_TYPE });
    assert.equal((await post(1_048_576)).statusCode, 200);
    assert.equal((await post(1_048_577)).statusCode, 413);
  });

  it('passes the upgrade to a WebSocket on, and what follows', async (t) => {
    const { nginx, gateway } = await setup(t);
    await gateway.publish('s', [{ type: 'operation', id: 'a', state: 'running', title: 'Over a socket' }]);
    const outgoing = request({
      host: '127.0.0.1',
      port: nginx.port,
      path: `${S}/socket`,
      ca: nginx.ca,
      servername: NAME,
      headers: {
        host: `${NAME}:${nginx.port}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
      },
    });
    outgoing.end();
    const [response, socket, head] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Readable, Buffer];
    t.after(() => socket.destroy());
    assert.equal(response.statusCode, 101);
    let seen = head.toString();
    socket.on('data', (chunk) => (seen += String(chunk)));
    await until(async () => seen.includes('Over a socket'));
  });

  it('is reloaded, and the gateway behind it restarted, and no reader misses an event or sees one twice', async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-proxied-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const port = await freePort();
    const open = async (): Promise<Gateway> => {
      const gateway = createGateway({
        store: createSqliteStore(join(directory, 'a.db')),
        allowedHosts: [NAME],
        trustProxy: true,
        log: () => undefined,
      });
      await gateway.listen({ port });
      return gateway;
    };
    let gateway = await open();
    t.after(() => gateway.close());
    const nginx = await startNginx(t, port);
    const url = `https://${NAME}`;
    const through = fetchThrough(nginx);

    const source = createSseSource({ url: `${url}${S}/stream`, fetch: through as typeof fetch, retryDelay: 50, maxRetryDelay: 500 });
    const store = createStore({ session: 's', source });
    const stopped = store.subscribe(() => undefined);
    t.after(() => stopped());
    const follower = new Follower(nginx);
    t.after(() => follower.stop());

    await using sink = createHttpSink({ url, fetch: through, batchMs: 5, backoffMs: 50, maxBackoffMs: 500, flushMs: 60_000 });
    const reporter = createReporter({ sink, session: 's', id: 'a', throttleMs: 0 });
    let sent = 0;
    const write = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        reporter.update({ current: (sent += 1) });
        await sink.flush();
      }
    };
    await write(20);
    for (const fault of ['reload', 'restart', 'reload', 'kill'] as const) {
      const writing = write(30);
      if (fault === 'reload') await nginx.reload();
      else {
        if (fault === 'restart') await gateway.drain({ windowMs: 200 });
        await gateway.close({ end: false });
        gateway = await open();
      }
      await writing;
    }
    reporter.complete();
    await sink.flush();
    const { seq } = await gateway.snapshot('s');
    await until(async () => follower.last === seq);
    assert.deepEqual(follower.faults, []);
    assert.ok(follower.connections >= 3, `${follower.connections} connections`);
    await until(async () => store.getSnapshot().operations[0]?.state === 'completed');
    assert.equal(store.getSnapshot().operations[0]?.current, sent);
    assert.equal(sink.stats.dropped, 0);
  });
});

/** A reader of its own that notes every position, and comes back with the last one. */
class Follower {
  readonly #nginx: Nginx;
  #epoch = '';
  #stopped = false;
  #response: IncomingMessage | undefined;
  last = 0;
  connections = 0;
  readonly faults: string[] = [];

  constructor(nginx: Nginx) {
    this.#nginx = nginx;
    void this.#follow();
  }

  stop(): void {
    this.#stopped = true;
    this.#response?.destroy();
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      const headers: Headers = this.#epoch === '' ? {} : { 'last-event-id': `${this.#epoch}:${this.last}` };
      const response = await ask(this.#nginx, `${S}/stream`, { headers }).catch(() => undefined);
      this.#response = response;
      if (response?.statusCode === 200) {
        this.connections += 1;
        await this.#read(response).catch(() => undefined);
      } else if (response) await text(response).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #read(response: IncomingMessage): Promise<void> {
    let rest = '';
    for await (const chunk of response) {
      rest += String(chunk);
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        this.#take(rest.slice(0, end));
        rest = rest.slice(end + 2);
      }
    }
  }

  #take(frame: string): void {
    const event = /^event: (.*)$/m.exec(frame)?.[1];
    const [, epoch = '', seq = ''] = /^id: (.*):(\d+)$/m.exec(frame) ?? [];
    if (event === 'resync' || (event === 'snapshot' && this.#epoch !== '')) this.faults.push(`began anew: ${frame.slice(0, 200)}`);
    if (seq === '') return;
    if (event !== 'snapshot' && Number(seq) !== this.last + 1) this.faults.push(`${seq} came after ${this.last}`);
    this.#epoch = epoch;
    this.last = Number(seq);
  }
}
