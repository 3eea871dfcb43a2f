import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHistory, createMemorySource, createRelay, createReplaySource, createStore } from '@sitrep/client';
import type { HistoryOptions, SessionView, SourceSink } from '@sitrep/client';
import { Coalescer } from '@sitrep/schema/reduce';
import fc from 'fast-check';
import { manualClock, settle } from '../support/clock.ts';
import { card, changes, operation, resync, run, snapshot } from '../support/events.ts';
import { scripted } from '../support/script.ts';

function offer(sink: SourceSink, value: unknown, cursor?: string): void {
  const json = JSON.stringify(value);
  if (sink.text?.(json, cursor) !== true) sink.frame(JSON.parse(json), cursor);
}

function started(options?: HistoryOptions, coalesce = false) {
  const source = scripted();
  const history = createHistory(options);
  const store = createStore({
    source,
    session: 's',
    history,
    clock: manualClock(),
    coalesce: coalesce ? (session) => new Coalescer(session) : undefined,
  });
  store.subscribe(() => undefined);
  return { source, history, store };
}
const substance = (view: SessionView | undefined) => {
  if (!view) return undefined;
  const { connection: _connection, ...rest } = view;
  return rest;
};

describe('a session in time', () => {
  it('goes through changes in one step: between their positions it is as before them', () => {
    const { source, store, history } = started();
    source.sink.frame(snapshot('e', 2, [{ id: 'a' }]));
    source.sink.frame(changes('e', 2, 8, [{ id: 'a', current: 5 }, { id: 'b' }]));
    source.sink.frame(operation('b', { current: 1 }), 'e:9');
    const at = (seq: number) => store.at(seq)?.operations.map(({ id, current }) => [id, current]);
    assert.deepEqual(history.window, { epoch: 'e', from: 2, to: 9 });
    assert.deepEqual(at(5), [['a', undefined]]);
    assert.deepEqual(at(8), [
      ['a', 5],
      ['b', undefined],
    ]);
    assert.deepEqual(at(9), [
      ['a', 5],
      ['b', 1],
    ]);
    store.close();
  });

  it('is shown as it stood at any position within the window, whichever way one goes', () => {
    const event = fc.oneof(
      {
        weight: 8,
        arbitrary: fc
          .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(100))
          .map(([id, current]) => operation(id, { state: 'running', current })),
      },
      { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((id) => operation(id, { state: 'completed' })) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((attempt) => operation('a', { attempt, state: 'running' })) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'c').map((id) => ({ type: 'operation.clear', session: 's', id, at: 1 })) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((revision) => card(revision)) },
      { weight: 1, arbitrary: fc.constantFrom('running', 'completed').map((state) => run('r', state)) },
      { weight: 1, arbitrary: fc.constant({ type: 'nonsense' }) },
    );
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 60 }),
        fc.boolean(),
        fc.array(fc.nat(60), { maxLength: 20 }),
        (events, coalesce, looks) => {
          const { source, store, history } = started({ maxEvents: 40 }, coalesce);
          source.sink.frame(snapshot('e', 0));
          const truth: SessionView[] = [store.getSnapshot()];
          events.forEach((value, n) => {
            offer(source.sink, value, `e:${n + 1}`);
            // Asking reads what is held back, so it is done now and then only.
            truth[n + 1] = coalesce && n % 3 ? (undefined as never) : store.getSnapshot();
          });
          const { from, to } = history.window!;
          assert.ok(history.size <= 40 && to - from <= 60);
          for (const seq of looks) {
            const seen = store.at(seq);
            if (seq < from || seq > events.length) assert.equal(seen, undefined);
            else if (truth[seq]) assert.deepEqual(substance(seen && { ...seen, seq }), substance({ ...truth[seq], seq }));
          }
          store.close();
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });

  it('is frozen, keeps still, and says that nothing moves in it', () => {
    const { source, store } = started();
    source.sink.frame(snapshot('e', 0));
    source.sink.frame(operation('a', { current: 1, title: 'Build' }), 'e:1');
    source.sink.frame(operation('a', { current: 2 }), 'e:2');
    source.sink.frame(operation('a', { current: 3 }), 'e:3');
    const past = store.at(1)!;
    assert.ok(Object.isFrozen(past) && Object.isFrozen(past.operations) && Object.isFrozen(past.operations[0]));
    store.at(2);
    assert.deepEqual([past.seq, past.operations[0]?.current, past.connection.state], [1, 1, 'ended']);
    assert.equal(store.at(3), store.getSnapshot(), 'now is what it is');
    for (const seq of [-1, 4, 1.5, Number.NaN, Infinity, 2 ** 60]) assert.equal(store.at(seq), undefined);
  });

  it('goes back no further than its bounds, by number and by length', () => {
    for (const [options, from] of [
      [{ maxEvents: 10 }, 90],
      [{ maxLength: 1_000 }, undefined],
    ] as const) {
      const { source, store, history } = started(options);
      source.sink.frame(snapshot('e', 0));
      for (let seq = 1; seq <= 100; seq++) offer(source.sink, operation('a', { current: seq }), `e:${seq}`);
      const window = history.window!;
      if (from === undefined) assert.ok(window.from > 80 && window.from < 95);
      else assert.equal(window.from, from);
      assert.equal(window.to, 100);
      assert.equal(store.at(window.from - 1), undefined);
      assert.equal(store.at(window.from)?.operations[0]?.current, window.from);
    }
  });

  it('is looked at again and again while the window moves on', () => {
    const { source, store, history } = started({ maxEvents: 10 });
    source.sink.frame(snapshot('e', 0));
    for (let seq = 1; seq <= 200; seq++) {
      source.sink.frame(operation('a', { current: seq }), `e:${seq}`);
      const { from } = history.window!;
      // Every look is one further back or further on than the last, and some begin where the window has gone away from.
      const at = Math.max(from, seq - ((seq * 7) % 13));
      assert.equal(store.at(at)?.operations[0]?.current, at === 0 ? undefined : at, `${at} at ${seq}`);
    }
  });

  it('begins anew where a snapshot takes the place of events, and where the server goes back', () => {
    const { source, store, history } = started();
    source.sink.frame(snapshot('e', 3, [{ id: 'a' }]));
    source.sink.frame(operation('a', { current: 4 }), 'e:4');
    source.sink.frame(snapshot('e', 4, [{ id: 'a', current: 4 }]));
    assert.equal(history.window?.from, 3, 'one that says what is known changes nothing');
    source.sink.frame(snapshot('e', 9, [{ id: 'b' }]));
    assert.deepEqual(history.window, { epoch: 'e', from: 9, to: 9 });
    source.sink.frame(operation('b', { current: 1 }), 'e:10');
    source.sink.frame(resync('f', 2));
    source.sink.frame(snapshot('f', 2, [{ id: 'c' }]));
    assert.deepEqual(history.window, { epoch: 'f', from: 2, to: 2 });
    assert.equal(store.at(9), undefined);
  });

  it('begins with what is held where no snapshot ever came', () => {
    const { source, store, history } = started();
    source.sink.frame(operation('a', { current: 1 }), 'e:1');
    source.sink.frame(operation('b', { current: 2 }), 'e:2');
    assert.deepEqual(history.window, { epoch: 'e', from: 1, to: 2 });
    assert.deepEqual(
      store.at(1)?.operations.map(({ id }) => id),
      ['a'],
    );
  });

  it('does not pretend to know where events came without a position', () => {
    const { source, store, history } = started();
    source.sink.frame(snapshot('e', 1));
    source.sink.frame(operation('a', { current: 1 }), 'e:2');
    source.sink.frame(operation('a', { current: 2 }));
    assert.equal(history.window, undefined);
    source.sink.frame(operation('a', { current: 3 }), 'e:3');
    assert.deepEqual(history.window, { epoch: 'e', from: 3, to: 3 });
    assert.equal(store.at(2), undefined);
    const plain = createStore({ source: createMemorySource(), history: createHistory() });
    assert.equal(plain.at(0), undefined);
  });

  it('is there for a recording too, whose events a relay numbers', async () => {
    const lines = Array.from({ length: 5 }, (_, n) => operation('a', { current: n }));
    const store = createStore({
      source: createRelay({ source: createReplaySource({ lines, speed: Infinity }) }),
      history: createHistory(),
    });
    await new Promise<void>((resolve) => store.subscribe(({ connection }) => connection.state === 'ended' && resolve()));
    await settle();
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((seq) => store.at(seq)?.operations[0]?.current),
      [0, 1, 2, 3, 4],
    );
  });
});

describe('the diagnostics of a store', () => {
  it('are counted by code, and codes are bounded', () => {
    const told: string[] = [];
    const source = scripted();
    const store = createStore({ source, session: 's', clock: manualClock(), onDiagnostic: ({ code }) => told.push(code) });
    store.subscribe(() => undefined);
    for (let n = 0; n < 3; n++) source.sink.frame({ type: 'nonsense' });
    source.sink.frame(operation('a', { session: 'other' }));
    for (let n = 0; n < 1_000; n++) source.sink.diagnostic({ code: n === 0 ? '__proto__' : `code-${n}`, message: 'x' });
    const { diagnostics } = store;
    assert.deepEqual([diagnostics.get('unknown'), diagnostics.get('invalid'), diagnostics.get('__proto__')], [3, 1, 1]);
    assert.ok(diagnostics.size <= 65);
    assert.equal(
      [...diagnostics.values()].reduce((sum, count) => sum + count, 0),
      told.length,
    );
    assert.equal(told.length, 1_004);
  });
});
