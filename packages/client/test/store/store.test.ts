import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLeanStore, createMemorySource, createStore, type Diagnostic, type SessionView, type StoreOptions } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { card, changes, heartbeat, operation, resync, run, snapshot } from '../support/events.ts';
import { scripted } from '../support/script.ts';

function storeOn<S extends StoreOptions['source']>(source: S, more: Partial<StoreOptions> = {}) {
  const clock = manualClock();
  const diagnostics: Diagnostic[] = [];
  const store = createStore({ source, session: 's', clock, onDiagnostic: (fault) => void diagnostics.push(fault), ...more });
  const views: SessionView[] = [];
  return {
    clock,
    store,
    source,
    views,
    diagnostics,
    codes: () => diagnostics.map(({ code }) => code),
    watch: () => store.subscribe((view) => views.push(view)),
  };
}
const ids = (view: SessionView) => view.operations.map(({ id }) => id);

test('Before anything arrived the view says so, and is frozen', () => {
  const { store } = storeOn(createMemorySource());
  const view = store.getSnapshot();
  assert.deepEqual(view, {
    session: 's',
    loaded: false,
    epoch: undefined,
    seq: 0,
    card: { revision: 0, card: null },
    operations: [],
    runs: [],
    title: undefined,
    usage: undefined,
    connection: { state: 'connecting', since: 1_000_000 },
  });
  assert.ok(Object.isFrozen(view) && Object.isFrozen(view.operations) && Object.isFrozen(view.connection));
  assert.equal(store.getSnapshot(), view);
});

test('A snapshot and events make the view, whose parts keep their reference while they do not change', () => {
  const { store, source, watch } = storeOn(createMemorySource());
  watch();
  source.push(snapshot('e', 3, [{ id: 'a' }, { id: 7 }], { title: 'Chat' }));
  const first = store.getSnapshot();
  assert.deepEqual([first.loaded, first.epoch, first.seq, first.title, ids(first)], [true, 'e', 3, 'Chat', ['a', 7]]);
  source.push(operation('a', { current: 1, total: 4 }), 'e:4');
  const second = store.getSnapshot();
  assert.equal(second.seq, 4);
  assert.notEqual(second.operations, first.operations);
  assert.notEqual(second.operations[0], first.operations[0]);
  assert.equal(second.operations[1], first.operations[1]);
  assert.equal(second.runs, first.runs);
  assert.equal(second.card, first.card);
  source.push(card(1), 'e:5');
  const third = store.getSnapshot();
  assert.equal(third.operations, second.operations);
  assert.ok(third.operations.every((record) => Object.isFrozen(record)) && Object.isFrozen(third.card));
  source.push(run('r', 'running'), 'e:6');
  assert.equal(store.getSnapshot().operations, second.operations);
  assert.equal(store.getSnapshot().runs.length, 1);
});

test('A snapshot of the same content keeps all records', () => {
  const { store, source, watch } = storeOn(createMemorySource());
  watch();
  source.push(snapshot('e', 3, [{ id: 'a', tool: { name: 'x', origin: 'mcp' } }]));
  const record = store.getSnapshot().operations[0];
  source.push(snapshot('e', 3, [{ id: 'a', tool: { name: 'x', origin: 'mcp' } }]));
  assert.equal(store.getSnapshot().operations[0], record);
});

test('A hundred thousand updates call a listener once per quantum, with the newest state', async () => {
  const { store, source, clock, views, watch } = storeOn(createMemorySource());
  watch();
  await settle();
  source.push(operation('a', { current: 0, total: 100_000 }));
  await settle();
  const before = views.length;
  for (let i = 1; i <= 100_000; i++) {
    source.push(operation('a', { current: i, total: 100_000 }));
    if (i % 2_000 === 0) await clock.advance(40); // 100,000 updates in 2 s
  }
  await clock.advance(100);
  const calls = views.length - before;
  assert.ok(calls >= 15 && calls <= 21, `${calls} calls in 2 s`);
  assert.equal(views.at(-1)!.operations[0]!.current, 100_000);
  assert.equal(views.at(-1), store.getSnapshot());
  assert.equal(clock.pending, 0);
});

test('What is urgent is told in the next microtask: load, card, run, final and blocked states, connection', async () => {
  const { source, clock, views, watch } = storeOn(createMemorySource());
  watch();
  await settle();
  const frames = [
    snapshot('e', 0),
    card(1),
    run('r', 'running'),
    operation('b', { state: 'blocked' }),
    operation('a', { state: 'completed' }),
  ];
  for (const frame of frames) {
    const before = views.length;
    source.push(operation('x', { message: `${before}` })); // Not urgent by itself.
    source.push(frame);
    await Promise.resolve();
    assert.equal(views.length, before + 1);
  }
  const before = views.length;
  source.setConnection('reconnecting');
  await Promise.resolve();
  assert.equal(views.length, before + 1);
  assert.deepEqual(views.at(-1)!.connection, { state: 'reconnecting', since: clock.now() });
  source.push(operation('x', { message: 'later' }));
  await settle();
  assert.equal(views.length, before + 1);
  await clock.advance(100);
  assert.equal(views.length, before + 2);
});

test('A storm of urgent changes is coalesced too', async () => {
  const { source, clock, views, watch } = storeOn(createMemorySource());
  watch();
  await settle();
  const before = views.length;
  for (let i = 1; i <= 500; i++) {
    source.push(card(i));
    await settle();
    if (i % 50 === 0) await clock.advance(10);
  }
  await clock.advance(100);
  assert.ok(views.length - before <= 25, `${views.length - before} calls in 200 ms`);
  assert.equal(views.at(-1)!.card.revision, 500);
});

test('No call is made when nothing changed', async () => {
  const { source, clock, views, watch, store } = storeOn(createMemorySource());
  watch();
  source.push(snapshot('e', 1, [{ id: 'a' }]));
  source.push(operation('a', { current: 1 }), 'e:2');
  await clock.advance(200);
  const before = views.length;
  const view = store.getSnapshot();
  source.push(operation('a', { current: 1 }), 'e:2');
  source.push(heartbeat('e', 2));
  source.setConnection('live');
  await clock.advance(200);
  assert.equal(views.length, before);
  assert.equal(store.getSnapshot(), view);
  assert.equal(store.outcomes.duplicate, 1);
});

test('A listener is called at once, and one that throws or leaves does not disturb the others', async () => {
  const { store, source, codes, views, watch } = storeOn(createMemorySource());
  let thrown = 0;
  store.subscribe(() => {
    thrown++;
    throw new Error('listener');
  });
  const gone: unknown[] = [];
  store.subscribe((view) => {
    if (view.loaded) leave();
  });
  const leave = store.subscribe((view) => gone.push(view));
  watch();
  assert.deepEqual([thrown, gone.length, views.length], [1, 1, 1]);
  await settle();
  source.push(snapshot('e', 1));
  await settle();
  leave();
  assert.equal(thrown, codes().filter((code) => code === 'listener').length);
  assert.ok(thrown >= 2);
  assert.equal(gone.length, 1); // Only the call on subscribing: it had left when the snapshot came.
  assert.equal(views.at(-1)!.loaded, true);
});

test('One operation is found by id with its type and run, and watched alone', async () => {
  const { store, source, clock } = storeOn(createMemorySource());
  const told: unknown[] = [];
  const leave = store.subscribeOperation(7, undefined, (record) => told.push(record?.current));
  source.push(operation('7', { current: 1 }));
  source.push(operation(7, { current: 2 }));
  source.push(operation(7, { current: 3, run: 'r' }));
  await clock.advance(200);
  source.setConnection('reconnecting');
  source.push(operation('7', { current: 9 }));
  await clock.advance(200);
  source.push({ type: 'operation.clear', session: 's', id: 7, at: 1_700_000_000_001 });
  await clock.advance(200);
  assert.deepEqual(told, [undefined, 2, undefined]);
  assert.equal(store.operation('7')?.current, 9);
  assert.equal(store.operation(7, 'r')?.current, 3);
  assert.equal(store.operation(7), undefined);
  leave();
  await clock.advance(2_000);
  assert.equal(clock.pending, 0);
});

test('The source is opened once for all subscribers, and closed a moment after the last', async () => {
  const source = scripted();
  const { store, clock } = storeOn(source);
  const leave = [store.subscribe(() => {}), store.subscribe(() => {}), store.subscribeOperation('a', undefined, () => {})];
  assert.equal(source.openings.length, 1);
  source.sink.frame(snapshot('e', 5));
  leave.forEach((away) => (away(), away()));
  await clock.advance(999);
  const back = store.subscribe(() => {});
  await clock.advance(5_000);
  assert.equal(source.openings.length, 1);
  assert.equal(source.openings[0]!.signal.aborted, false);
  back();
  await clock.advance(1_000);
  assert.equal(source.openings[0]!.signal.aborted, true);
  assert.deepEqual([store.getSnapshot().loaded, store.getSnapshot().connection.state], [true, 'reconnecting']);
  assert.equal(clock.pending, 0);
  store.subscribe(() => {});
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, 'e:5'],
  );
});

test('After the end nothing is opened again; what was lost is tried again by the next first subscriber', async () => {
  for (const [state, openings] of [
    ['ended', 1],
    ['lost', 2],
  ] as const) {
    const source = scripted();
    const { store, clock } = storeOn(source);
    const leave = store.subscribe(() => {});
    source.sink.connection(state);
    source.openings[0]!.finish();
    await settle();
    store.subscribe(() => {})();
    assert.equal(source.openings.length, 1);
    leave();
    await clock.advance(5_000);
    assert.equal(store.getSnapshot().connection.state, state);
    store.subscribe(() => {});
    assert.equal(source.openings.length, openings);
  }
});

test('A source that just resolves, rejects or throws leaves the store ended or lost, with a diagnostic', async () => {
  for (const [open, state, codes] of [
    [() => Promise.resolve(), 'ended', []],
    [() => Promise.reject(new Error('no')), 'lost', ['source']],
    [
      () => {
        throw new Error('no');
      },
      'lost',
      ['source'],
    ],
  ] as const) {
    const { store, codes: told } = storeOn({ open });
    store.subscribe(() => {});
    await settle();
    assert.equal(store.getSnapshot().connection.state, state);
    assert.deepEqual(told(), codes);
  }
});

test('Close is final: no source, no timer, no call, and the last view stays', async () => {
  const source = scripted();
  const { store, clock, views, watch } = storeOn(source);
  const leave = watch();
  source.sink.frame(snapshot('e', 1, [{ id: 'a' }]));
  await settle();
  source.sink.frame(operation('a', { current: 1 }), 'e:2');
  const before = views.length;
  store.close();
  store.close();
  leave();
  assert.equal(source.openings[0]!.signal.aborted, true);
  source.sink.frame(operation('a', { current: 2 }), 'e:3');
  await clock.advance(10_000);
  assert.equal(views.length, before);
  assert.equal(clock.pending, 0);
  let called = 0;
  store.subscribe((view) => {
    called++;
    assert.deepEqual([ids(view), view.connection.state], [['a'], 'ended']);
  })();
  assert.equal(called, 1);
  assert.equal(source.openings.length, 1);
  assert.equal(store.operation('a')?.current, 1);
});

test('A store that was not told its session takes that of the first frame; frames of another are refused', () => {
  const source = createMemorySource();
  const diagnostics: Diagnostic[] = [];
  const store = createStore({ source, onDiagnostic: (fault) => void diagnostics.push(fault) });
  assert.equal(store.getSnapshot().session, '');
  store.subscribe(() => {});
  source.push(operation('a'));
  source.push({ ...operation('b'), session: 'other' });
  source.push({ ...snapshot('e', 9), session: 'other' });
  assert.deepEqual([store.getSnapshot().session, ids(store.getSnapshot()), store.getSnapshot().epoch], ['s', ['a'], undefined]);
  assert.deepEqual(
    diagnostics.map(({ code, path }) => [code, path]),
    [
      ['invalid', '/session'],
      ['invalid', '/session'],
    ],
  );
  assert.equal(store.outcomes.invalid, 2);
  store.close();
});

test('Bad frames are counted and told with their path, take their place in the order, and change nothing', async () => {
  const { store, source, diagnostics, watch } = storeOn(createMemorySource());
  watch();
  source.push(snapshot('e', 0, [{ id: 'a' }]));
  const bad = [
    null,
    7,
    'x',
    [],
    {},
    { type: 'operation' },
    { ...operation('a'), current: 'many' },
    { type: 'constructor' },
    { type: 'party', session: 's' },
    { ...snapshot('e', 9), operations: 7 },
  ];
  bad.forEach((frame, i) => source.push(frame, `e:${i + 1}`));
  await settle();
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  assert.equal(store.outcomes.invalid + store.outcomes.unknown, bad.length);
  assert.ok(store.outcomes.unknown >= 1);
  assert.ok(diagnostics.some(({ path }) => path === '/current'));
  source.push(operation('b'), 'e:10');
  assert.deepEqual(ids(store.getSnapshot()), ['a', 'b']);
  store.close();
});

test('Late and stale events are counted by name and told', () => {
  const { store, source, codes, watch } = storeOn(createMemorySource());
  watch();
  source.push(operation('a', { state: 'completed', attempt: 2 }));
  source.push(operation('a', { state: 'running', attempt: 2, at: 1_700_000_000_005 }));
  source.push(operation('a', { state: 'running', attempt: 1 }));
  source.push({ type: 'operation.clear', session: 's', id: 'nobody', at: 1 });
  assert.deepEqual(codes(), ['late', 'stale', 'unknown']);
  assert.deepEqual([store.outcomes.applied, store.outcomes.late, store.outcomes.stale, store.outcomes.unknown], [1, 1, 1, 1]);
  store.close();
});

test('A diagnostics hook that throws is survived', () => {
  const { store, source, watch } = storeOn(createMemorySource(), {
    onDiagnostic: () => {
      throw new Error('hook');
    },
  });
  watch();
  source.push({ type: 'operation' });
  source.push(operation('a'));
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  store.close();
});

test('Frames already taken are dropped, whatever brings them again', () => {
  const { store, source, watch } = storeOn(createMemorySource());
  watch();
  source.push(snapshot('e', 20, [{ id: 'a', current: 20 }]));
  for (let seq = 1; seq <= 21; seq++) source.push(operation('a', { current: seq }), `e:${seq}`);
  assert.equal(store.operation('a')?.current, 21);
  assert.equal(store.outcomes.duplicate, 20);
  store.close();
});

test('An event that leaves a hole is held back and asked for again from the position', () => {
  const source = scripted();
  const { store, codes } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(operation('a', { current: 7 }), 'e:7');
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().seq, codes()], [[], 5, ['gap']]);
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, 'e:5'],
  );
  assert.equal(source.openings[0]!.signal.aborted, true);
  source.openings[0]!.sink.frame(operation('ghost'), 'e:6');
  source.sink.frame(operation('a', { current: 6 }), 'e:6');
  source.sink.frame(operation('a', { current: 7 }), 'e:7');
  assert.deepEqual([ids(store.getSnapshot()), store.operation('a')?.current, store.getSnapshot().seq], [['a'], 7, 7]);
  store.close();
});

test('A hole that stays asks for a snapshot, and numbers that have holes by nature are believed in the end', async () => {
  const source = scripted();
  const { store, clock } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(operation('a'), 'e:7');
  source.sink.frame(operation('a'), 'e:7');
  assert.equal(source.openings.length, 2);
  source.sink.frame(operation('a'), 'e:8'); // Repairs are spaced.
  await clock.advance(1_000);
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, 'e:5', undefined],
  );
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(operation('a', { current: 7 }), 'e:7');
  assert.deepEqual([store.operation('a')?.current, store.getSnapshot().seq], [7, 7]);
  await clock.advance(10_000);
  assert.equal(source.openings.length, 3);
  store.close();
  assert.equal(clock.pending, 0);
});

test('An event of another epoch waits for a snapshot', () => {
  const source = scripted();
  const { store } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5, [{ id: 'a' }]));
  source.sink.frame(operation('b'), 'f:6');
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, undefined],
  );
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  source.sink.frame(snapshot('f', 2, [{ id: 'b' }]));
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().epoch, store.getSnapshot().seq], [['b'], 'f', 2]);
  store.close();
});

test('A snapshot older than what is shown is dropped, except after a resync that begins a connection', () => {
  const source = scripted();
  const { store, codes } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5, [{ id: 'a' }]));
  source.sink.frame(snapshot('e', 4, []));
  assert.deepEqual([ids(store.getSnapshot()), codes(), store.outcomes.stale], [['a'], ['stale'], 1]);
  source.sink.connection('reconnecting');
  source.sink.frame(resync('e', 3));
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  source.sink.frame(snapshot('e', 3, [{ id: 'b' }]));
  source.sink.frame(operation('c'), 'e:4');
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().seq], [['b', 'c'], 4]);
  source.sink.frame(resync('e', 9));
  source.sink.connection('reconnecting');
  source.sink.frame(snapshot('e', 1));
  assert.equal(store.getSnapshot().seq, 4);
  store.close();
});

test('A resync that comes after what followed it, or in the middle of a stream, turns nothing back', () => {
  const source = scripted();
  const { store } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(resync('e', 5));
  source.sink.frame(operation('a'), 'e:6');
  source.sink.frame(snapshot('e', 5));
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().seq], [['a'], 6]);
  source.sink.frame(resync('e', 5));
  source.sink.frame(snapshot('e', 5));
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().seq, store.outcomes.stale], [['a'], 6, 2]);
  source.sink.frame(resync('e', 9));
  source.sink.frame(snapshot('e', 9, [{ id: 'b' }]));
  assert.deepEqual(ids(store.getSnapshot()), ['b']);
  store.close();
});

test('A heartbeat where nothing has come yet shows that the beginning was lost', async () => {
  const source = scripted();
  const { store, clock } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(heartbeat('e', 0));
  assert.equal(source.openings.length, 2);
  await clock.advance(1_000);
  source.sink.frame(heartbeat('e', 0));
  assert.equal(source.openings.length, 3);
  await clock.advance(1_000);
  source.sink.frame(heartbeat('e', 0));
  assert.equal(source.openings.length, 3, 'a stream that has no beginning is let be');
  store.close();
});

test('Changes take the place of the events in between, for whoever stands at their beginning or within them', () => {
  const source = scripted();
  const { store, codes } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5, [{ id: 'a' }, { id: 'b' }], { runs: [{ run: 'r', state: 'running', updatedAt: 1 }], title: 'T' }));
  const before = store.getSnapshot();
  source.sink.frame(changes('e', 5, 40, [{ id: 'a', current: 9 }, { id: 'c' }], { removed: [{ id: 'b' }] }), 'e:40');
  const view = store.getSnapshot();
  assert.deepEqual([ids(view), view.seq, view.operations[0]?.current], [['a', 'c'], 40, 9]);
  assert.equal(view.runs, before.runs, 'what is not named has not changed');
  assert.deepEqual([view.title, view.card], ['T', before.card]);
  source.sink.frame(operation('c', { current: 1 }), 'e:41');
  source.sink.frame(changes('e', 30, 50, [{ id: 'c', current: 7 }], { revision: 3, card: { markdown: 'n' }, title: null, usage: null }));
  const last = store.getSnapshot();
  assert.deepEqual([last.seq, last.operations[1]?.current, last.card.revision, last.title], [50, 7, 3, undefined]);
  assert.equal(last.operations[0], view.operations[0]);
  source.sink.frame(changes('e', 20, 50, [{ id: 'z' }]));
  assert.deepEqual([store.getSnapshot(), store.outcomes.duplicate], [last, 1]);
  source.sink.frame(changes('e', 50, 60, [{ id: 'z' }], { session: 'other' }));
  assert.deepEqual([store.getSnapshot(), codes()], [last, ['invalid']]);
  assert.equal(source.openings.length, 1);
  store.close();
});

test('Changes that leave a hole, or are of another history, are held back and the source is reopened', async () => {
  const source = scripted();
  const { store, clock, codes } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5, [{ id: 'a' }]));
  source.sink.frame(changes('e', 6, 9, [{ id: 'b' }]));
  assert.deepEqual([ids(store.getSnapshot()), codes()], [['a'], ['gap']]);
  await clock.advance(1_000);
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, 'e:5'],
  );
  source.sink.frame(changes('e', 5, 9, [{ id: 'b' }]));
  assert.deepEqual([ids(store.getSnapshot()), store.getSnapshot().seq], [['a', 'b'], 9]);
  source.sink.frame(changes('f', 9, 10, [{ id: 'c' }]));
  assert.equal(store.getSnapshot().seq, 9);
  store.close();
});

test('A heartbeat ahead of what arrived reopens from the position, then for a snapshot, then lets it be', async () => {
  const source = scripted();
  const { store, clock } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(heartbeat('e', 5));
  source.sink.frame(heartbeat('e', 4));
  assert.equal(source.openings.length, 1);
  for (let i = 0; i < 5; i++) {
    source.sink.frame(heartbeat('e', 6));
    await clock.advance(15_000);
    if (i === 1) source.sink.frame(snapshot('e', 5));
  }
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, 'e:5', undefined],
  );
  source.sink.frame(operation('a'), 'e:6');
  source.sink.frame(heartbeat('e', 7));
  assert.equal(source.openings.length, 4);
  store.close();
});

test('A heartbeat of another epoch reopens for a snapshot', () => {
  const source = scripted();
  const { store } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(heartbeat('x', 3)); // Nothing is shown yet: the snapshot will say.
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(heartbeat('f', 1));
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, undefined],
  );
  store.close();
});

test('Frames without cursors are taken in order of arrival, and heartbeats then prove nothing', () => {
  const source = scripted();
  const { store } = storeOn(source);
  store.subscribe(() => {});
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(operation('a'));
  source.sink.frame(heartbeat('e', 6));
  assert.equal(source.openings.length, 1);
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  store.close();
});

test("A transport's own cursor is given back as it is", async () => {
  const source = scripted();
  const { store, clock } = storeOn(source);
  const leave = store.subscribe(() => {});
  source.sink.frame(operation('a'), 'abc');
  source.sink.frame(operation('b'), '7:x');
  leave();
  await clock.advance(1_000);
  store.subscribe(() => {});
  assert.deepEqual(
    source.openings.map(({ cursor }) => cursor),
    [undefined, '7:x'],
  );
  assert.deepEqual(ids(store.getSnapshot()), ['a', 'b']);
  store.close();
});

test('The end event ends the source and the view', async () => {
  const source = scripted();
  const { store, clock, views, watch } = storeOn(source);
  watch();
  source.sink.frame(snapshot('e', 1));
  source.sink.frame({ type: 'end', reason: 'done' });
  source.sink.frame(operation('a'), 'e:2');
  await settle();
  assert.equal(source.openings[0]!.signal.aborted, true);
  assert.equal(views.at(-1)!.connection.state, 'ended');
  assert.deepEqual(ids(store.getSnapshot()), []);
  assert.equal(clock.pending, 0);
});

test('An end that only says that the server stops, or the token, ends nothing: the source knows what comes then', async () => {
  const source = scripted();
  const { store, watch } = storeOn(source);
  watch();
  source.sink.connection('live');
  source.sink.frame(snapshot('e', 1));
  for (const reason of ['shutdown', 'token_expired']) source.sink.frame({ type: 'end', reason });
  source.sink.frame(operation('a'), 'e:2');
  await settle();
  assert.equal(source.openings[0]!.signal.aborted, false);
  assert.equal(store.getSnapshot().connection.state, 'live');
  assert.deepEqual(ids(store.getSnapshot()), ['a']);
  store.close();
});

test('Once something is shown, connecting reads as reconnecting', () => {
  const source = scripted(() => {});
  const { store } = storeOn(source);
  store.subscribe(() => {});
  assert.equal(store.getSnapshot().connection.state, 'connecting');
  source.sink.connection('live');
  source.sink.frame(snapshot('e', 5));
  source.sink.frame(heartbeat('e', 6));
  assert.equal(source.openings.length, 2);
  assert.equal(store.getSnapshot().connection.state, 'reconnecting');
  store.close();
});

test('A lean store shows and counts the same, and reports of a wrong shape only that', () => {
  const told = [createStore, createLeanStore].map((create) => {
    const messages: (string | undefined)[] = [];
    const source = createMemorySource();
    const store = create({ source, clock: manualClock(), onDiagnostic: ({ code, path }) => void messages.push(`${code} ${path}`) });
    store.subscribe(() => {});
    source.push(snapshot('e', 1, [{ id: 'a' }]));
    source.push({ ...operation('a', { current: 2 }), at: 'noon', state: 4 }, 'e:2');
    source.push({ type: 'of tomorrow', session: 's' }, 'e:3');
    source.push(operation('a', { current: 3 }), 'e:4');
    const { operations, seq } = store.getSnapshot();
    store.close();
    return { shown: [operations, seq], outcomes: { ...store.outcomes }, messages };
  });
  const [whole, lean] = told as [(typeof told)[0], (typeof told)[0]];
  assert.deepEqual([lean.shown, lean.outcomes], [whole.shown, whole.outcomes]);
  assert.deepEqual(whole.messages, ['invalid /at', 'invalid /state', 'unknown /type']);
  assert.deepEqual(lean.messages, ['invalid ', 'unknown /type']);
  assert.throws(() => createLeanStore({} as StoreOptions), TypeError);
});
