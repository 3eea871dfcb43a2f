import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSseSource, createStore } from '@sitrep/client';
import type { Diagnostic, SessionView, SourceSink, Store } from '@sitrep/client';
import { Coalescer } from '@sitrep/schema/reduce';
import fc from 'fast-check';
import { manualClock, settle } from '../support/clock.ts';
import { card, heartbeat, operation, resync, run, snapshot } from '../support/events.ts';
import { scripted } from '../support/script.ts';
import { serve } from '../support/server.ts';

const coalesce = (session: string) => new Coalescer(session);
const progress = (id: string, seq: number, more: object = {}) =>
  ({ type: 'operation', session: 's', id, seq, at: 1_700_000_000_000 + seq, state: 'running', message: `file ${seq}`, ...more }) as const;

/** Hands a frame over as a source with text does. */
function offer(sink: SourceSink, value: unknown, cursor?: string): void {
  const json = JSON.stringify(value);
  if (sink.text?.(json, cursor) !== true) sink.frame(JSON.parse(json), cursor);
}

function watched(more: { coalesce?: typeof coalesce }) {
  const clock = manualClock();
  const source = scripted();
  const diagnostics: Diagnostic[] = [];
  const views: SessionView[] = [];
  const store = createStore({ source, session: 's', clock, onDiagnostic: (fault) => void diagnostics.push(fault), ...more });
  store.subscribe((view) => views.push(view));
  return { clock, source, diagnostics, views, store };
}
const shown = (store: Store) => {
  const { connection, ...view } = store.getSnapshot();
  return [view, connection.state, { ...store.outcomes }];
};

test('A store that holds updates back shows and counts what one that reads all of them does, also when asked in between', () => {
  const ids = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    { weight: 12, arbitrary: ids.map((id) => (seq: number) => progress(id, seq)) },
    { weight: 1, arbitrary: ids.map((id) => (seq: number) => progress(id, seq, { state: 'completed' })) },
    { weight: 1, arbitrary: ids.map((id) => (seq: number) => progress(id, seq, { attempt: 2 })) },
    { weight: 1, arbitrary: ids.map((id) => () => progress(id, 1)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<(seq: number) => object>(
        () => run('r', 'running'),
        () => run('r', 'completed'),
        () => card(1),
        () => ({ type: 'operation.clear', session: 's', id: 'a', at: 1 }),
        (seq) => snapshot('e', seq, [{ id: 'b', seq: 3 }]),
        (seq) => heartbeat('e', seq - 1),
        (seq) => resync('e', seq),
        () => operation('a', { title: 5 }),
        () => ({ ...progress('a', 1), session: 'other' }),
      ),
    },
  );
  const steps = fc.array(
    fc.record({ step, times: fc.nat({ max: 7 }), lost: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, -1), look: fc.boolean() }),
    {
      maxLength: 25,
      size: 'max',
    },
  );
  fc.assert(
    fc.property(steps, (script) => {
      const whole = watched({});
      const spared = watched({ coalesce });
      let seq = 0;
      for (const { step: make, times, lost, look } of script) {
        for (let time = 0; time <= times; time++) {
          seq += 1 + (time === 0 ? lost : 0);
          const value = make(seq);
          const placed = ['operation', 'operation.clear', 'card', 'run'].includes((value as { type: string }).type);
          for (const { source } of [whole, spared]) offer(source.sink, value, placed ? `e:${seq}` : undefined);
        }
        if (look) assert.deepEqual(shown(spared.store), shown(whole.store));
      }
      assert.deepEqual(shown(spared.store), shown(whole.store));
      assert.deepEqual(spared.diagnostics, whole.diagnostics);
      assert.equal(spared.source.openings.length, whole.source.openings.length);
      for (const { store } of [whole, spared]) store.close();
    }),
    { numRuns: 400 },
  );
});

test('A listener gets the newest update at its quantum, and a final state at once', async () => {
  const { clock, source, store, views } = watched({ coalesce });
  await clock.advance(1_000);
  const told: (string | undefined)[] = [];
  store.subscribeOperation('a', undefined, (record) => told.push(record?.message ?? undefined));
  for (let seq = 1; seq <= 50; seq++) offer(source.sink, progress('a', seq));
  await settle();
  const before = views.length;
  for (let seq = 51; seq <= 99; seq++) offer(source.sink, progress('a', seq));
  assert.equal(store.operation('a')?.message, 'file 99');
  await clock.advance(100);
  assert.equal(views.length, before + 1);
  assert.deepEqual([views.at(-1)?.operations[0]?.seq, told.at(-1)], [99, 'file 99']);
  offer(source.sink, progress('a', 100));
  offer(source.sink, progress('a', 101, { state: 'completed' }));
  await settle();
  assert.deepEqual([views.at(-1)?.operations[0]?.state, told.at(-1)], ['completed', 'file 101']);
  store.close();
});

test('A real stream is read to its end, broken text in it included', async () => {
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: snapshot\ndata: ${JSON.stringify(snapshot('e', 0))}\n\n`);
    for (let seq = 1; seq <= 3000; seq++) {
      const json = JSON.stringify(progress(`op-${seq % 7}`, seq, seq > 2993 ? { state: 'completed' } : {}));
      if (seq === 1500) response.write(`data: ${json.slice(0, -3)}\n\n`);
      response.write(`id: e:${seq}\nevent: operation\ndata: ${json}\n\n`);
    }
    response.end(`event: end\ndata: ${JSON.stringify({ type: 'end', reason: 'done' })}\n\n`);
  });
  const faults: string[] = [];
  const store = createStore({ source: createSseSource({ url: server.url }), coalesce, onDiagnostic: ({ code }) => void faults.push(code) });
  const over = await new Promise<SessionView>((resolve) =>
    store.subscribe((view) => {
      if (view.connection.state === 'ended') resolve(view);
    }),
  );
  store.close();
  const last = [2996, 2997, 2998, 2999, 3000, 2994, 2995];
  assert.deepEqual(
    new Map(over.operations.map(({ id, state, message, seq }) => [id, [state, message, seq]])),
    new Map(last.map((seq) => [`op-${seq % 7}`, ['completed', `file ${seq}`, seq]])),
  );
  assert.deepEqual(faults, ['json']);
  assert.equal(store.outcomes.applied, 3001);
});
