import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { createSseSource, createStore } from '@sitrep/client';
import type { Store } from '@sitrep/client';
import { startServe } from './cli-support.ts';
import { http, operation, post, put } from './support.ts';

const ROUNDS = 6;
/** Milliseconds readers have to come back after the last kill. */
const SETTLE_MS = 60_000;

interface Watched {
  readonly store: Store;
  readonly faults: string[];
}

/** The store of a front-end on a real stream; what went wrong, but for the connection itself, is noted. */
function watch(t: TestContext, url: string, cursorIn: 'header' | 'query'): Watched {
  const faults: string[] = [];
  const store = createStore({
    session: 's',
    source: createSseSource({ url: `${url}/v1/sessions/s/stream`, cursorIn, retryDelay: 250, maxRetryDelay: 500 }),
    onDiagnostic: ({ code, message }) => {
      if (code !== 'network' && code !== 'http_status') faults.push(`${code}: ${message}`);
    },
  });
  store.subscribe(() => undefined);
  t.after(() => store.close());
  return { store, faults };
}

async function reaches(store: Store, seq: number): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (store.getSnapshot().seq < seq || store.getSnapshot().connection.state !== 'live') {
    assert.ok(Date.now() < deadline, `still at ${store.getSnapshot().seq} of ${seq}, ${store.getSnapshot().connection.state}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('readers of a gateway that is killed and comes back', () => {
  it(`show exactly what is stored after ${ROUNDS} kills under load, without a gap or a repeat`, { timeout: 240_000 }, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-readers-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    const file = join(directory, 'sitrep.db');
    let { cli, url } = await startServe(t, ['--port', '0', '--store', file]);
    const { port } = new URL(url);
    const readers = (['header', 'query', 'header', 'query'] as const).map((cursorIn) => watch(t, url, cursorIn));

    const load = { on: true, sent: 0 };
    const produce = async (name: string): Promise<void> => {
      for (let n = 0; load.on; n += 10) {
        const events = Array.from({ length: 10 }, (_, k) => {
          const round = Math.floor((n + k) / 50);
          return operation(`${name}-${(n + k) % 50}`, { attempt: 1 + round, state: k === 9 ? 'completed' : 'running', current: n + k });
        });
        const answer = await post(`${url}/v1/sessions/s/events`, events).catch(() => undefined);
        if (answer?.status === 200) load.sent += events.length;
        else await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const write = async (): Promise<void> => {
      while (load.on) {
        await put(`${url}/v1/sessions/s/card`, { markdown: `note after ${load.sent}` }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const work = [produce('a'), produce('b'), write()];
    for (let round = 0; round < ROUNDS; round += 1) {
      const target = load.sent + 300 + round * 53;
      while (load.sent < target) await new Promise((resolve) => setTimeout(resolve, 5));
      // Now and then as an operator stops it, with streams open.
      cli.child.kill(round % 3 === 2 ? 'SIGTERM' : 'SIGKILL');
      await cli.ended;
      ({ cli, url } = await startServe(t, ['--port', port, '--store', file]));
    }
    load.on = false;
    await Promise.all(work);

    const stored = (await http(`${url}/v1/sessions/s`)).body;
    for (const { store, faults } of readers) {
      await reaches(store, stored.seq);
      const { epoch, seq, card, operations } = store.getSnapshot();
      assert.deepEqual([epoch, seq, card.revision, card.card], [stored.epoch, stored.seq, stored.revision, stored.card]);
      assert.deepEqual(operations, stored.operations);
      assert.deepEqual(faults, []);
      const { applied: _, ...dropped } = store.outcomes;
      assert.deepEqual(dropped, { late: 0, stale: 0, duplicate: 0, unknown: 0, invalid: 0 });
    }
    cli.child.kill('SIGTERM');
    assert.equal((await cli.ended).code, 0);
  });
});
