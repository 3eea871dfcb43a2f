import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSseSource, createStore } from '@sitrep/client';
import { createHttpCardWriter, createHttpSink } from '@sitrep/harness';
import { createToken, newKey, readKeys } from '@sitrep/server';
import { serve } from './support.ts';

const keys = readKeys(newKey('EdDSA'));

/** States of a connection that something comes through. */
const UP: ReadonlySet<string> = new Set(['live', 'quiet', 'resumed']);

describe('the whole way with tokens that are renewed', () => {
  it('loses nothing: producer, card writer and reader each go on with a new one', { timeout: 120_000 }, async (t) => {
    const { url, clock } = await serve(t, { keys });
    let minted = 0;
    const renewing = (scope: 'read' | 'write') => {
      let token: Promise<string> | undefined;
      let until = 0;
      // As a careless program does it: the token is kept until it is refused once.
      return async () => {
        if (token === undefined || clock.now() >= until + 10_000) {
          minted += 1;
          until = clock.now() + 60_000;
          token = createToken(keys, { scope, sessions: ['s'], expiresIn: 60, now: clock.now() });
        }
        const current = token;
        if (clock.now() >= until) token = undefined;
        return { authorization: `Bearer ${await current}` };
      };
    };
    const faults: string[] = [];
    const sink = createHttpSink({
      url,
      headers: renewing('write'),
      batchMs: 0,
      backoffMs: 1,
      onDiagnostic: ({ code }) => faults.push(code),
    });
    const cards = createHttpCardWriter({ url, headers: renewing('write') });
    const reads = renewing('read');
    const store = createStore({
      session: 's',
      source: createSseSource({ url: `${url}/v1/sessions/s/stream`, headers: reads, retryDelay: 250 }),
      onDiagnostic: ({ code }) => faults.push(code),
    });
    const seen = { reconnects: 0 };
    let state = '';
    store.subscribe(({ connection }) => {
      if (connection.state === 'reconnecting' && state !== 'reconnecting') seen.reconnects += 1;
      state = connection.state;
    });
    t.after(() => store.close());
    const shown = async (seq: number) => {
      while (store.getSnapshot().seq < seq || !UP.has(store.getSnapshot().connection.state))
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await shown(0);

    for (let round = 1; round <= 3; round += 1) {
      sink.send({ type: 'operation', session: 's', id: round, at: clock.now(), state: 'running' });
      await sink.flush();
      assert.deepEqual(await cards.put('s', { markdown: `note ${round}` }), { ok: true, revision: round, steps: null, cleared: false });
      await shown(round * 2);
      clock.advance(61_000);
      while (seen.reconnects < round) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await shown(6);
    assert.deepEqual(
      store.getSnapshot().operations.map(({ id }) => id),
      [1, 2, 3],
    );
    assert.equal(sink.stats.dropped, 0);
    assert.deepEqual(faults, []);
    assert.ok(minted >= 6, `${minted} tokens`);
    await sink.close();
  });

  it('a reader without the right is told once and not shown an empty session', async (t) => {
    const { gateway, url, clock } = await serve(t, { keys });
    await gateway.put('secret', { markdown: 'not yours' });
    const token = await createToken(keys, { sessions: ['s'], now: clock.now() });
    const faults: (number | undefined)[] = [];
    const store = createStore({
      session: 'secret',
      source: createSseSource({ url: `${url}/v1/sessions/secret/stream`, headers: { authorization: `Bearer ${token}` } }),
      onDiagnostic: ({ status }) => faults.push(status),
    });
    await new Promise<void>((resolve) => store.subscribe(() => store.getSnapshot().connection.state === 'lost' && resolve()));
    t.after(() => store.close());
    assert.equal(store.getSnapshot().loaded, false);
    assert.deepEqual(faults, [403]);
  });

  it('a producer whose token cannot be renewed is told, and what it sent is not kept for ever', async (t) => {
    const { url, clock } = await serve(t, { keys });
    const token = await createToken(keys, { scope: 'write', sessions: ['s'], expiresIn: 60, now: clock.now() });
    clock.advance(60_000);
    const faults: (number | undefined)[] = [];
    const sink = createHttpSink({
      url,
      headers: { authorization: `Bearer ${token}` },
      batchMs: 0,
      onDiagnostic: ({ status }) => faults.push(status),
    });
    sink.send({ type: 'operation', session: 's', id: 1, at: clock.now() });
    await sink.flush();
    assert.deepEqual([sink.stats.dropped, faults], [1, [401]]);
  });
});
