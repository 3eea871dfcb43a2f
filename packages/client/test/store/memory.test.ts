import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createHistory, createMemorySource, createRelay, createStore } from '@sitrep/client';
import { settle } from '../support/clock.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the heap in use once everything that can go has gone. */
async function used(): Promise<number> {
  for (let n = 0; n < 3; n++) {
    await settle();
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/** Pushes events of operations of four events each; answers the heap after each of the counts. */
async function pushed(push: (event: object, cursor: string) => void, counts: readonly number[]): Promise<number[]> {
  const heap: number[] = [];
  const message = 'x'.repeat(100);
  for (let n = 1; n <= counts.at(-1)!; n++) {
    const state = (n & 3) === 3 ? 'completed' : 'running';
    const id = `op-${n >> 2}`;
    push(
      { type: 'operation', session: 's', id, at: 1_700_000_000_000 + n, state, current: n & 3, total: 4, message: `${message}${n}` },
      `e:${n}`,
    );
    if (n % 10_000 === 0) await settle();
    if (counts.includes(n)) heap.push(await used());
  }
  return heap;
}

const megabytes = (heap: readonly number[]): string => heap.map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`).join(', ');

test(
  'A million events, of a quarter of a million operations, cost a store no more memory than the first tenth',
  { timeout: 600_000 },
  async (t) => {
    const source = createMemorySource();
    const store = createStore({ source, session: 's', history: createHistory() });
    let calls = 0;
    store.subscribe(() => (calls += 1));
    const heap = await pushed((event, cursor) => source.push(event, cursor), [100_000, 500_000, 1_000_000]);
    t.diagnostic(`heap after 100,000, 500,000 and 1,000,000 events: ${megabytes(heap)}`);
    assert.ok(heap[2]! - heap[0]! < 4 * 2 ** 20, megabytes(heap));
    assert.equal(store.getSnapshot().seq, 1_000_000);
    assert.equal(
      Object.values(store.outcomes).reduce((sum, count) => sum + count, 0),
      1_000_000,
    );
    assert.ok(calls < 100_000);
    store.close();
  },
);

test('A relay keeps no more of two hundred thousand events than of the first fifty thousand', { timeout: 600_000 }, async (t) => {
  const source = createMemorySource();
  const relay = createRelay({ source });
  let frames = 0;
  const leaving = new AbortController();
  void relay.open({ frame: () => (frames += 1), connection() {}, diagnostic() {}, cursor: () => undefined }, leaving.signal);
  const heap = await pushed((event, cursor) => source.push(event, cursor), [50_000, 200_000]);
  t.diagnostic(`heap after 50,000 and 200,000 events: ${megabytes(heap)}`);
  assert.ok(heap[1]! - heap[0]! < 4 * 2 ** 20, megabytes(heap));
  assert.equal(frames, 200_000);
  leaving.abort();
});
