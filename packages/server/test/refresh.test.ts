import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createHttpCardWriter, createHttpSink, listenForRefresh } from '@sitrep/harness';
import type { Diagnostic, RefreshRequest } from '@sitrep/harness';
import { createToken, readKeys } from '@sitrep/server';
import { http, post, put, serve, stream } from './support.ts';

const REFRESH = '/v1/sessions/s/card/refresh';
const REQUESTS = '/v1/sessions/s/requests';
const CARD = '/v1/sessions/s/card';

/** Waits until something is so. */
async function until(ready: () => boolean): Promise<void> {
  const deadline = Date.now() + 100_000;
  while (!ready()) {
    if (Date.now() > deadline) throw new Error('it did not come to be so within 100 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a request to write the card anew', () => {
  it('reaches the producer that listens, once, and is answered by a card of a higher revision', async (t) => {
    const { url, clock } = await serve(t);
    await put(url + CARD, { markdown: 'old' });
    const producer = stream(t, url + REQUESTS);
    await until(() => producer.status === 200);
    const first = await post(url + REFRESH, '');
    assert.deepEqual([first.status, first.body.status, first.body.revision], [202, 'accepted', 1]);
    const asked = await producer.next();
    assert.equal(asked.event, 'request');
    assert.deepEqual(asked.data, { type: 'card.refresh', id: first.body.id, session: 's', revision: 1, at: clock.now() });
    for (let n = 0; n < 5; n += 1) assert.deepEqual((await post(url + REFRESH, '')).body, first.body, 'the same request while it waits');
    await put(url + CARD, { markdown: 'new', expectedRevision: 1 });
    const tooSoon = await post(url + REFRESH, '');
    assert.deepEqual([tooSoon.status, tooSoon.body.error.code, tooSoon.headers['retry-after']], [429, 'too_many_requests', '5']);
    clock.advance(5_000);
    const second = await post(url + REFRESH, '');
    assert.deepEqual([second.status, second.body.revision], [202, 2]);
    assert.equal((await producer.next()).data.id, second.body.id);
    assert.equal(producer.frames.length, 2);
  });

  it('is handed on again when nothing came of it for two minutes', async (t) => {
    const { url, clock } = await serve(t);
    const producer = stream(t, url + REQUESTS);
    await until(() => producer.status === 200);
    const first = (await post(url + REFRESH, '')).body;
    clock.advance(119_000);
    assert.equal((await post(url + REFRESH, '')).body.id, first.id);
    clock.advance(1_000);
    const second = (await post(url + REFRESH, '')).body;
    assert.notEqual(second.id, first.id);
    assert.deepEqual([(await producer.next()).data.id, (await producer.next()).data.id], [first.id, second.id]);
  });

  it('is refused in words while nobody listens, and reaches a producer that comes back before it was done', async (t) => {
    const { url } = await serve(t);
    const nobody = await post(url + REFRESH, '');
    assert.deepEqual([nobody.status, nobody.body.error.code], [409, 'no_producer']);
    assert.match(nobody.body.error.message, /No producer of this session listens/);
    const producer = stream(t, url + REQUESTS);
    await until(() => producer.status === 200);
    const asked = (await post(url + REFRESH, '')).body;
    producer.close();
    await producer.finished();
    for (;;) if ((await post(url + REFRESH, '')).status === 409) break;
    const back = stream(t, url + REQUESTS);
    assert.equal((await back.next()).data.id, asked.id);
  });

  it('needs the right to write, as listening for it does, and tells nothing of a session out of reach', async (t) => {
    const keys = readKeys('x'.repeat(32));
    const { url } = await serve(t, { keys });
    const token = async (claims: object): Promise<Record<string, string>> => ({
      authorization: `Bearer ${await createToken(keys, { scope: 'read', sessions: ['s'], ...claims } as never)}`,
    });
    const [reader, other, writer] = [await token({}), await token({ scope: 'write', sessions: ['t'] }), await token({ scope: 'write' })];
    for (const headers of [reader, other]) {
      for (const answer of [await post(url + REFRESH, '', headers), await http(url + REQUESTS, { headers })]) {
        assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
      }
    }
    assert.equal((await post(url + REFRESH, '', writer)).body.error.code, 'no_producer');
  });

  it('reaches a producer in process, until it stops listening or the gateway does', async (t) => {
    const { gateway, url, log } = await serve(t);
    const asked: string[] = [];
    const stop = gateway.onRefresh('s', ({ id }) => {
      asked.push(id);
      throw new Error('a listener that fails');
    });
    for (;;) if ((await post(url + REFRESH, '')).status === 202) break;
    assert.equal(asked.length, 1);
    assert.match(log.join(), /A listener for requests failed: a listener that fails/);
    stop();
    assert.equal((await post(url + REFRESH, '')).status, 409);
    const producer = stream(t, url + REQUESTS);
    await until(() => producer.status === 200);
    await gateway.close();
    await producer.finished();
  });

  it('is heard by a harness, which comes back to a gateway that was away and hears nothing twice', async (t) => {
    const { url, gateway, clock } = await serve(t);
    const heard: RefreshRequest[] = [];
    const told: Diagnostic[] = [];
    const writer = createHttpCardWriter({ url });
    const stop = listenForRefresh({
      url,
      session: 's',
      backoffMs: 1,
      onRefresh: async (asked) => {
        heard.push(asked);
        if (heard.length > 1) await writer.put('s', { markdown: `for ${asked.revision}` });
        throw new Error('told, and survived');
      },
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    t.after(stop);
    for (;;) if ((await post(url + REFRESH, '')).status === 202) break;
    await until(() => heard.length === 1);
    // The gateway lets it go; it comes back, is given what still waits, and knows it already.
    gateway.endStreams({ end: false });
    for (;;) if ((await post(url + REFRESH, '')).status === 202) break;
    clock.advance(120_000);
    for (;;) if ((await post(url + REFRESH, '')).status === 202) break;
    await until(() => heard.length === 2);
    for (;;) if ((await http(`${url}/v1/sessions/s`)).body.revision === 1) break;
    assert.equal(new Set(heard.map(({ id }) => id)).size, 2);
    await until(() => told.some(({ code }) => code === 'listener_failed'));
    stop();
    for (;;) {
      clock.advance(5_000);
      if ((await post(url + REFRESH, '')).status === 409) break;
    }
  });

  it('is given up by a harness that is refused, in words', async (t) => {
    const { url } = await serve(t, { keys: readKeys('x'.repeat(32)) });
    const told: Diagnostic[] = [];
    t.after(listenForRefresh({ url, session: 's', onRefresh: () => undefined, onDiagnostic: (diagnostic) => told.push(diagnostic) }));
    await until(() => told.length > 0);
    assert.deepEqual([told[0]?.code, told[0]?.status], ['http_status', 401]);
    assert.match(told[0]?.message ?? '', /nothing is listened for any more/);
    assert.throws(() => listenForRefresh({ url: 'nowhere', session: 's', onRefresh: () => undefined }), TypeError);
  });
});

/** Passes requests on; of those that `loses` is true of, the answer never arrives. */
async function losing(
  t: TestContext,
  url: string,
  loses: (n: number) => boolean,
): Promise<{ readonly url: string; readonly lost: () => number }> {
  let count = 0;
  let lost = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, headers } = incoming;
      const passed = request(url + incoming.url, { agent: false, method: method as string, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          if (loses((count += 1))) {
            lost += 1;
            return outgoing.destroy();
          }
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.end(Buffer.concat(parts));
        });
      });
      passed.on('error', () => outgoing.destroy());
      passed.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost };
}

it('a sink whose answers are lost sends again, and nothing is stored twice', async (t) => {
  const { url, gateway } = await serve(t);
  const proxy = await losing(t, url, (n) => n % 3 !== 0);
  const outcomes: string[] = [];
  const sink = createHttpSink({
    url: proxy.url,
    batchMs: 0,
    backoffMs: 1,
    maxBatch: 7,
    onOutcome: (_event, outcome) => outcomes.push(outcome),
  });
  for (let n = 0; n < 60; n += 1) {
    sink.send({ type: 'operation', session: 's', id: `o${n}`, at: 1_000 + n, state: 'running', message: n % 2 ? 'odd' : 'even' });
  }
  await sink.flush();
  t.after(() => sink.close());
  assert.ok(proxy.lost() >= 10, `${proxy.lost()} answers were lost`);
  assert.equal(outcomes.length, 60);
  assert.deepEqual([...new Set(outcomes)], ['applied'], 'each event is answered as it was the first time');
  assert.equal((await gateway.snapshot('s')).seq, 60);
});
