import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPollingSource, createRelay, createSseSource, createStore } from '@sitrep/client';
import type { SessionView, Source } from '@sitrep/client';
import type { CardRecord, Operation } from '@sitrep/schema';
import { createGateway } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { fastClock } from '../../../packages/client/test/support/clock.ts';
import { FAULTS, faultProxy } from './proxy.ts';
import type { Fault, FaultProxy } from './proxy.ts';

/** How much faster than life a client's time goes: a heartbeat of 2 s comes every 40 ms. */
const FASTER = 50;
const HEARTBEAT = 40;

/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A session as text, for comparison. */
const canonical = (operations: readonly Operation[], { revision, card }: Pick<CardRecord, 'revision' | 'card'>): string =>
  JSON.stringify([[...operations].sort((a, b) => String(a.id).localeCompare(String(b.id))), revision, card]);

/** The event with this number: new operations, updates, ends, clears, cards. */
function eventOf(n: number, random: () => number): object {
  const id = `op-${Math.floor(random() * 8)}`;
  const roll = random();
  if (roll < 0.1) return { type: 'card', revision: n, card: { markdown: `note ${n} ✓ ${'é'.repeat(n % 40)}` } };
  if (roll < 0.14) return { type: 'operation.clear', id };
  const attempt = 1 + Math.floor(n / 40);
  if (roll < 0.2) return { type: 'operation', id, attempt, state: 'completed' };
  return { type: 'operation', id, attempt, state: 'running', current: n, message: `step ${n} ${'→'.repeat(n % 30)}` };
}

/** Writes to a session until it is stopped, and notes what was true at each position. */
function writer(gateway: Gateway, session: string, random: () => number) {
  const truths = new Map<string, string>();
  const stopping = new AbortController();
  const note = async (): Promise<string> => {
    const snapshot = await gateway.snapshot(session);
    const at = `${snapshot.epoch}:${snapshot.seq}`;
    truths.set(at, canonical(snapshot.operations, snapshot));
    return at;
  };
  const done = (async () => {
    let at = await note();
    for (let n = 1; !stopping.signal.aborted; n++) {
      await gateway.publish(session, [eventOf(n, random)]);
      at = await note();
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    return at;
  })();
  return {
    truths,
    /** Stops; answers the last position. */
    stop(): Promise<string> {
      stopping.abort();
      return done;
    },
  };
}

type Make = (proxy: FaultProxy, session: string, random: () => number) => Source;

const sse: Make = (proxy, session, random) =>
  createSseSource({
    url: `${proxy.url}/v1/sessions/${session}/stream`,
    clock: fastClock(FASTER),
    heartbeatInterval: HEARTBEAT * FASTER,
    maxRetryDelay: 1_000,
    random,
  });
const polling: Make = (proxy, session, random) =>
  createPollingSource({
    url: `${proxy.url}/v1/sessions/${session}`,
    clock: fastClock(FASTER),
    interval: 500,
    timeout: 5_000,
    maxRetryDelay: 1_000,
    random,
  });
const relayed: Make = (...given) => createRelay({ source: sse(...given), clock: fastClock(FASTER), repairSpacing: 500, linger: 0 });

/** Reads one session through a proxy that spoils so many connections, and compares all that was shown with what was true. */
async function readSpoilt(
  gateway: Gateway,
  url: string,
  make: Make,
  seed: number,
  count: number,
  faults: readonly Fault[],
): Promise<Counted> {
  const session = `s-${seed}`;
  const random = seeded(seed);
  await using proxy = await faultProxy({ target: url, random, faults });
  const writing = writer(gateway, session, seeded(seed + 1));
  const inner = make(proxy, session, random);
  const shown: [at: string, what: string][] = [];
  let back: string | undefined;
  let last: SessionView | undefined;
  const look = (): void => {
    const view = store.getSnapshot();
    if (!view.loaded || view === last) return;
    if (last?.epoch === view.epoch && view.seq < last!.seq) back ??= `${last!.seq}, then ${view.seq}`;
    shown.push([`${view.epoch}:${view.seq}`, canonical(view.operations, view.card)]);
    last = view;
  };
  const source: Source = {
    open: (sink, signal) =>
      inner.open(
        {
          connection: sink.connection,
          diagnostic: sink.diagnostic,
          cursor: sink.cursor,
          frame(value, cursor) {
            sink.frame(value, cursor);
            look();
          },
        },
        signal,
      ),
  };
  const store = createStore({ session, source, clock: fastClock(FASTER), linger: 0, repairSpacing: 500 });
  store.subscribe(() => undefined);
  try {
    await new Promise<void>((resolve) => store.subscribe(({ loaded }) => loaded && resolve()));
    proxy.begin();
    while (proxy.total < count) await new Promise((resolve) => setTimeout(resolve, 5));
    proxy.heal();
    const end = await writing.stop();
    for (const deadline = Date.now() + 10_000; ;) {
      const { epoch, seq } = store.getSnapshot();
      if (`${epoch}:${seq}` === end) break;
      assert.ok(Date.now() < deadline, `seed ${seed}: the store is at ${epoch}:${seq}, the server at ${end}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(back, undefined, `seed ${seed}: turned back`);
    for (const [at, what] of shown) assert.equal(what, writing.truths.get(at), `seed ${seed}: what was shown at ${at} was not true`);
    const view = store.getSnapshot();
    assert.equal(canonical(view.operations, view.card), writing.truths.get(end));
    // The gateway stores only what it applied: whoever drops anything as late took something twice or out of turn.
    for (const outcome of ['late', 'unknown', 'invalid'] as const) assert.equal(store.outcomes[outcome], 0, `seed ${seed}: ${outcome}`);
    return { faults: proxy.faults, total: proxy.total, looks: shown.length, codes: Object.fromEntries(store.diagnostics) };
  } finally {
    store.close();
    await writing.stop();
  }
}

interface Counted {
  readonly faults: Readonly<Record<Fault, number>>;
  readonly total: number;
  readonly looks: number;
  readonly codes: Readonly<Record<string, number>>;
}

const sum = (runs: readonly Readonly<Record<string, number>>[]): string => {
  const all = new Map<string, number>();
  for (const each of runs) for (const [key, n] of Object.entries(each)) all.set(key, (all.get(key) ?? 0) + n);
  return Array.from(all, ([key, n]) => `${key} ${n}`).join(', ');
};

const BYTES = FAULTS.filter((fault) => !['duplicate', 'reorder', 'drop'].includes(fault));

for (const [name, make, faults, seeds, each] of [
  ['an event stream', sse, FAULTS, [11, 12, 13, 14], 125],
  ['an event stream behind a relay', relayed, FAULTS, [21, 22], 100],
  ['answers asked for again and again', polling, BYTES, [31, 32], 100],
] as const) {
  describe(`${name}, through a network that spoils every connection`, () => {
    it(`never shows what was not true, and ends at what is, over ${seeds.length * each} faults`, { timeout: 100_000 }, async (t) => {
      const gateway = createGateway({ store: createMemoryStore(), heartbeatMs: HEARTBEAT, log: () => undefined });
      try {
        const { url } = await gateway.listen({ port: 0 });
        // All of them to their end: one that fails must not leave the others behind.
        const settled = await Promise.allSettled(seeds.map((seed) => readSpoilt(gateway, url, make, seed, each, faults)));
        const runs = settled.map((one) => {
          if (one.status === 'rejected') throw one.reason;
          return one.value;
        });
        const total = runs.reduce((all, one) => all + one.total, 0);
        assert.ok(total >= seeds.length * each, `${total} faults`);
        for (const fault of faults)
          assert.ok(
            runs.some((one) => one.faults[fault] > 0),
            `${fault} never happened`,
          );
        t.diagnostic(`${total} faults: ${sum(runs.map((one) => one.faults))}`);
        const looks = runs.reduce((all, one) => all + one.looks, 0);
        t.diagnostic(`${looks} views compared; survived: ${sum(runs.map(({ codes }) => codes))}`);
      } finally {
        await gateway.close();
      }
    });
  });
}
