import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { operation, raw, serve } from './support.ts';

const STREAM = '/v1/sessions/s/stream';
const REQUEST = `GET ${STREAM} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** One connection: what it brought so far, and a promise for the moment when that matches. */
async function connection(t: TestContext, url: string, text: string) {
  const socket: Socket = await raw(t, url, text);
  let wake = (): void => {};
  const seen = { text: '', closed: false };
  socket.on('data', (chunk) => {
    seen.text += String(chunk);
    wake();
  });
  socket.on('close', () => {
    seen.closed = true;
    wake();
  });
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { socket, seen, until, comes: (pattern: RegExp) => until(() => pattern.test(seen.text)) };
}

const answers = (text: string): number => text.match(/HTTP\/1\.1 /g)?.length ?? 0;

describe('a connection that is a stream', () => {
  it('is cut off when more is asked of it, since no other answer could be told from the stream', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = await connection(t, url, REQUEST);
    await reader.comes(/event: snapshot\n/);
    await gateway.publish('s', [operation('a')]);
    await reader.comes(/event: operation\n/);
    reader.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await reader.until(() => reader.seen.closed);
    assert.equal(answers(reader.seen.text), 1);
    assert.equal(gateway.clients, 0);
  });

  it('is cut off when what it says is no HTTP, without an answer in the middle of the stream', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = await connection(t, url, REQUEST);
    await reader.comes(/event: snapshot\n/);
    await gateway.publish('s', [operation('a')]);
    await reader.comes(/event: operation\n/);
    reader.socket.write('\x00\x01 nothing\r\n\r\n');
    await reader.until(() => reader.seen.closed);
    assert.equal(answers(reader.seen.text), 1);
  });

  it('goes on when another request came with the first: that one is never answered', async (t) => {
    const { url, gateway } = await serve(t);
    const reader = await connection(t, url, `${REQUEST}GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await reader.comes(/event: snapshot\n/);
    for (const id of ['a', 'b']) {
      await gateway.publish('s', [operation(id)]);
      await reader.comes(new RegExp(`"id":"${id}"`));
    }
    assert.equal(answers(reader.seen.text), 1);
    assert.equal(gateway.clients, 1);
  });

  it('gets its last word and the last chunk when the gateway closes, however much it had to wait for', async (t) => {
    const { url, gateway } = await serve(t, { clientBufferLimit: 40_000_000 });
    const reader = await connection(t, url, REQUEST);
    await reader.comes(/event: snapshot\n/);
    reader.socket.pause();
    const pad = 'p'.repeat(15_000);
    for (let n = 1; n <= 1_000; n += 1) await gateway.publish('s', [operation('x', { seq: n, ext: { pad } })]);
    const closed = gateway.close({ reason: 'moved' });
    reader.socket.resume();
    await reader.until(() => reader.seen.closed);
    await closed;
    assert.match(reader.seen.text.slice(-200), /event: end\ndata: \{"type":"end","reason":"moved"\}\n\n\r\n0\r\n\r\n$/);
    assert.match(reader.seen.text, /id: \S+:1000\nevent: operation\n/);
  });

  it('is counted out when it closes', async (t) => {
    const { url, gateway } = await serve(t);
    const readers = await Promise.all([REQUEST, REQUEST].map((text) => connection(t, url, text)));
    await Promise.all(readers.map(({ comes }) => comes(/event: snapshot\n/)));
    assert.equal(gateway.clients, 2);
    for (const { socket } of readers) socket.end();
    await Promise.all(readers.map(({ until, seen }) => until(() => seen.closed)));
    assert.equal(gateway.clients, 0);
  });
});
