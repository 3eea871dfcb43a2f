import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemorySource, createReplaySource, createStore, type SessionView, type Source } from '@sitrep/client';
import fc from 'fast-check';
import { card, heartbeat, operation, run, snapshot } from '../support/events.ts';

const state = fc.constantFrom('pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'strange');
const anyFrame = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          id: fc.constantFrom('a', 'b', 7, '7'),
          state,
          current: fc.nat(10),
          seq: fc.nat(20),
          attempt: fc.integer({ min: 1, max: 2 }),
          at: fc.nat(1000),
        },
        { requiredKeys: ['id', 'at'] },
      )
      .map(({ id, ...more }) => operation(id, more)),
  },
  fc.integer({ min: 1, max: 9 }).map((revision) => card(revision)),
  fc.tuple(fc.constantFrom('r', 'q'), fc.constantFrom('running', 'completed', 'failed')).map(([name, how]) => run(name, how)),
  fc.constant({ type: 'operation.clear', session: 's', id: 'a', at: 5 }),
  fc.nat(3).map((seq) => snapshot('e', seq, [{ id: 'a' }])),
  fc.nat(3).map((seq) => heartbeat('e', seq)),
  fc.jsonValue({ maxDepth: 2 }),
);

async function final(source: Source): Promise<Omit<SessionView, 'connection'> & { outcomes: object }> {
  const store = createStore({ source, session: 's', quantum: 5 });
  await new Promise<void>((resolve) => {
    store.subscribe(({ connection }) => {
      if (connection.state === 'ended') resolve();
    });
  });
  const { connection: _, ...view } = store.getSnapshot();
  const outcomes = { ...store.outcomes };
  store.close();
  return { ...view, outcomes };
}
async function* chunks(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, i = 0; at < bytes.length; i++) yield bytes.subarray(at, (at += sizes[i % sizes.length]!));
}

test('A recording replayed through any chunking ends in the same view as its frames fed directly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFrame, { size: 'max', maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 }),
      async (frames, sizes) => {
        const lines = frames.map((frame) => JSON.stringify(frame));
        const direct = createMemorySource();
        lines.forEach((line) => direct.push(JSON.parse(line)));
        direct.end();
        const expected = await final(direct);
        const text = lines.join('\n');
        assert.deepEqual(await final(createReplaySource({ ndjson: text, speed: Infinity })), expected);
        assert.deepEqual(
          await final(createReplaySource({ ndjson: chunks(new TextEncoder().encode(text), sizes), speed: Infinity })),
          expected,
        );
      },
    ),
    { numRuns: 200 },
  );
});
