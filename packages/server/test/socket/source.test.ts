import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore, createWebSocketSource } from '@sitrep/client';
import type { Store, WebSocketSourceOptions } from '@sitrep/client';
import { createToken, newKey, readKeys } from '@sitrep/server';
import { operation, post, serve } from '../support.ts';

const S = '/v1/sessions/s';
const keys = readKeys(newKey('HS256'));

function read(url: string, more: Partial<WebSocketSourceOptions> = {}): { readonly store: Store; readonly codes: string[] } {
  const codes: string[] = [];
  const source = createWebSocketSource({ url: `${url}${S}/socket`, retryDelay: 250, maxRetryDelay: 500, ...more });
  const store = createStore({ session: 's', source, repairSpacing: 50, onDiagnostic: ({ code }) => codes.push(code) });
  store.subscribe(() => undefined);
  return { store, codes };
}

const until = (store: Store, done: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const leave = store.subscribe(() => {
      if (!done()) return;
      queueMicrotask(() => leave());
      resolve();
    });
  });

describe('the WebSocket source on a gateway', () => {
  it('goes on from its position with a token of its own for each connection, and with tickets', async (t) => {
    const { url, gateway, clock } = await serve(t, { keys });
    const mint = (expiresIn: number) => createToken(keys, { sessions: ['s'], now: clock.now(), expiresIn });
    let asked = 0;
    const byToken = read(url, { token: () => ((asked += 1), mint(asked === 1 ? 60 : 3_600)) });
    const byTicket = read(url, {
      ticket: async () => (await post(`${url}${S}/ticket`, {}, { authorization: `Bearer ${await mint(3_600)}` })).body.ticket,
    });
    const all = [byToken, byTicket];
    t.after(() => all.forEach(({ store }) => store.close()));
    await gateway.publish('s', [operation('a', { state: 'running', title: 'A' })]);
    for (const { store } of all) await until(store, () => store.getSnapshot().seq === 1);
    clock.advance(62_000);
    await gateway.publish('s', [operation('a', { current: 2 })]);
    await until(byToken.store, () => byToken.store.getSnapshot().seq === 2);
    assert.equal(asked, 2);
    gateway.endStreams({ end: false });
    await gateway.publish('s', [operation('a', { state: 'completed' })]);
    for (const { store, codes } of all) {
      await until(store, () => store.getSnapshot().operations[0]?.state === 'completed');
      assert.deepEqual([codes, store.outcomes.duplicate, store.outcomes.late], [[], 0, 0]);
    }
  });

  it('takes a new history for what it is, and the end for the end', async (t) => {
    const { url, gateway } = await serve(t);
    const { store, codes } = read(url);
    t.after(() => store.close());
    await gateway.publish('s', [operation('a', { state: 'running', title: 'A' })]);
    await until(store, () => store.getSnapshot().operations.length === 1);
    const { epoch } = store.getSnapshot();
    await gateway.reset('s');
    await until(store, () => store.getSnapshot().operations.length === 0);
    assert.notEqual(store.getSnapshot().epoch, epoch);
    gateway.endStreams({ reason: 'maintenance' });
    await until(store, () => store.getSnapshot().connection.state === 'ended');
    assert.deepEqual(codes, []);
  });

  it('gives up only where the gateway says so', async (t) => {
    const { url, clock } = await serve(t, { keys });
    const other = await createToken(keys, { sessions: ['o'], now: clock.now() });
    for (const token of [undefined, 'nonsense', other]) {
      const { store, codes } = read(url, { token });
      await until(store, () => store.getSnapshot().connection.state === 'lost');
      assert.deepEqual(codes, ['http_status']);
      store.close();
    }
  });
});
