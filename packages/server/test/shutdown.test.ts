import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import {
  createEventSourceSource,
  createPollingSource,
  createRelay,
  createSseSource,
  createStore,
  createWebSocketSource,
} from '@sitrep/client';
import type { Source, Store } from '@sitrep/client';
import { createGateway } from '@sitrep/server';
import type { CloseOptions, Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { eventSource } from '../../client/test/support/event-source.ts';
import { operation, serve } from './support.ts';

/** What a program does that has the gateway inside it: it starts, and starts again at the same address. */
class Program {
  gateway!: Gateway;
  url = '';
  port = 0;

  async start(): Promise<void> {
    this.gateway = createGateway({ store: createMemoryStore(), log: () => undefined });
    ({ url: this.url } = await this.gateway.listen({ port: this.port }));
    this.port = Number(new URL(this.url).port);
    await this.gateway.publish('s', [operation('a', { state: 'running', title: 'A' })]);
  }

  async stop(options?: CloseOptions): Promise<void> {
    await this.gateway.close(options);
  }
}

const soon = { retryDelay: 250, maxRetryDelay: 500 };
const stream = (url: string): Source => createSseSource({ url: `${url}/v1/sessions/s/stream`, ...soon });
const READERS: Readonly<Record<string, (url: string) => Source>> = {
  SSE: stream,
  'a WebSocket': (url) => createWebSocketSource({ url: `${url}/v1/sessions/s/socket`, ...soon }),
  'an EventSource': (url) => createEventSourceSource({ url: `${url}/v1/sessions/s/stream`, connect: eventSource, ...soon }),
  polling: (url) => createPollingSource({ url: `${url}/v1/sessions/s`, interval: 250, maxRetryDelay: 500 }),
  'a relay': (url) => createRelay({ source: stream(url) }),
};

function read(t: TestContext, source: Source): Store {
  const store = createStore({ session: 's', source, repairSpacing: 50 });
  store.subscribe(() => undefined);
  t.after(() => store.close());
  return store;
}

const until = (store: Store, done: (store: Store) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const leave = store.subscribe(() => {
      if (!done(store)) return;
      queueMicrotask(() => leave());
      resolve();
    });
  });
const isIn = (state: string) => (store: Store) => store.getSnapshot().connection.state === state;

describe('a program that holds the gateway and stops', () => {
  for (const [name, make] of Object.entries(READERS)) {
    it(`is waited for by who reads by ${name}, and read again once it is back`, async (t) => {
      const program = new Program();
      await program.start();
      t.after(() => program.stop());
      const store = read(t, make(program.url));
      await until(store, (now) => now.getSnapshot().operations.length === 1 && isIn('live')(now));
      const { epoch } = store.getSnapshot();
      await program.stop();
      await until(store, isIn('reconnecting'));
      assert.equal(store.getSnapshot().operations[0]?.title, 'A', 'what was known stays');
      await program.start();
      await until(store, (now) => now.getSnapshot().epoch !== epoch && ['live', 'resumed'].includes(now.getSnapshot().connection.state));
      await program.gateway.publish('s', [operation('a', { state: 'completed' })]);
      await until(store, (now) => now.getSnapshot().operations[0]?.state === 'completed');
    });
  }

  it('says for good that it is over where it gives a reason of its own', async (t) => {
    const program = new Program();
    await program.start();
    const stores = ['SSE', 'a WebSocket', 'an EventSource', 'a relay'].map((name) => read(t, READERS[name]!(program.url)));
    for (const store of stores) await until(store, isIn('live'));
    await program.stop({ reason: 'finished' });
    for (const store of stores) await until(store, isIn('ended'));
    await program.start();
    t.after(() => program.stop());
    assert.equal(program.gateway.clients, 0);
  });

  it('closes sockets with the code of one that comes back, and after another end with that of one that does not', async (t) => {
    for (const [options, expected] of [
      [{}, [1001, 'going_away', 'shutdown']],
      [{ reason: 'finished' }, [1000, 'end', 'finished']],
    ] as const) {
      const { url, gateway } = await serve(t);
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/sessions/s/socket`, ['sitrep.v1']);
      let last = '';
      await new Promise<void>((resolve) => socket.addEventListener('message', ({ data }) => resolve(void (last = String(data)))));
      socket.addEventListener('message', ({ data }) => (last = String(data)));
      const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve));
      gateway.endStreams(options);
      const { code, reason } = await closed;
      assert.deepEqual([code, reason, JSON.parse(last).event.reason], expected);
    }
  });
});
