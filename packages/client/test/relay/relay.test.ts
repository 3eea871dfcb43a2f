import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemorySource, createRelay, createStore } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { changes, heartbeat, operation, resync, snapshot } from '../support/events.ts';
import { history } from '../support/history.ts';
import { scripted } from '../support/script.ts';
import { recorder } from '../support/sink.ts';

const signal = () => new AbortController().signal;
const types = (frames: readonly unknown[]) => frames.map((frame) => (frame as { type: string }).type);

describe('a relay', () => {
  it('reads its source once for all, and gives each reader every event once', async () => {
    const server = history();
    const relay = createRelay({ source: server.source });
    const readers = Array.from({ length: 5 }, () => recorder());
    for (const reader of readers) void relay.open(reader, signal());
    server.add(operation('a', { state: 'running' }));
    server.add(operation('a', { current: 1 }));
    assert.equal(server.open, 1);
    for (const { cursors, states } of readers) {
      assert.deepEqual(cursors, ['e:0', 'e:1', 'e:2']);
      assert.deepEqual(states, ['connecting', 'live']);
    }
  });

  it('begins a late reader with the session as it stands, at the place where the events go on', async () => {
    const server = history();
    const relay = createRelay({ source: server.source });
    void relay.open(recorder(), signal());
    server.add(operation('a', { state: 'running', title: 'Build' }));
    server.add(operation('a', { current: 3 }));
    const late = recorder();
    void relay.open(late, signal());
    server.add(operation('a', { current: 4 }));
    assert.deepEqual(types(late.frames), ['snapshot', 'operation']);
    const [first] = late.frames as [{ epoch: string; seq: number; operations: { title: string; current: number }[] }];
    assert.deepEqual([first.epoch, first.seq, first.operations[0]?.title, first.operations[0]?.current], ['e', 2, 'Build', 3]);
    assert.deepEqual(late.cursors, ['e:2', 'e:3']);
  });

  it('gives a reader that comes back what it missed, and a heartbeat that says how far that is', () => {
    const server = history();
    const relay = createRelay({ source: server.source });
    void relay.open(recorder(), signal());
    for (let n = 1; n <= 6; n++) server.add(operation('a', { current: n }));
    const back = recorder();
    back.resume = () => 'e:4';
    void relay.open(back, signal());
    assert.deepEqual(types(back.frames), ['operation', 'operation', 'heartbeat']);
    assert.deepEqual(back.cursors, ['e:5', 'e:6', undefined]);
  });

  it('gives a snapshot to one that was away for longer than it keeps events', () => {
    const server = history();
    const relay = createRelay({ source: server.source, maxEvents: 3 });
    void relay.open(recorder(), signal());
    for (let n = 1; n <= 6; n++) server.add(operation('a', { current: n }));
    const [near, far] = [recorder(), recorder()];
    near.resume = () => 'e:3';
    far.resume = () => 'e:2';
    void relay.open(near, signal());
    void relay.open(far, signal());
    assert.deepEqual(near.cursors, ['e:4', 'e:5', 'e:6', undefined]);
    assert.deepEqual([types(far.frames), far.cursors], [['snapshot'], ['e:6']]);
  });

  it('keeps no more text of events than it may', () => {
    const source = scripted();
    const relay = createRelay({ source, maxLength: 100 });
    void relay.open(recorder(), signal());
    const put = (seq: number, json: string) => {
      source.sink.text?.(json, `e:${seq}`);
      source.sink.frame(JSON.parse(json), `e:${seq}`);
    };
    for (let seq = 1; seq <= 5; seq++) put(seq, JSON.stringify(operation('a', { message: 'x'.repeat(seq) })));
    const back = recorder();
    back.resume = () => 'e:4';
    void relay.open(back, signal());
    assert.deepEqual(back.cursors, ['e:5', undefined], 'one of them fits');
    const other = recorder();
    other.resume = () => 'e:3';
    void relay.open(other, signal());
    assert.deepEqual(types(other.frames), ['snapshot']);
  });

  it('leaves out what a reader knows that is ahead of it', () => {
    const source = scripted();
    const relay = createRelay({ source });
    void relay.open(recorder(), signal());
    source.sink.frame(snapshot('e', 3));
    const ahead = recorder();
    ahead.resume = () => 'e:5';
    void relay.open(ahead, signal());
    for (let seq = 4; seq <= 7; seq++) source.sink.frame(operation('a', { current: seq }), `e:${seq}`);
    assert.deepEqual(ahead.cursors, ['e:6', 'e:7']);
  });

  it('keeps from a reader that is ahead a snapshot older than what it has', () => {
    const source = scripted();
    const relay = createRelay({ source });
    void relay.open(recorder(), signal());
    source.sink.frame(snapshot('e', 3));
    const ahead = recorder();
    ahead.resume = () => 'e:5';
    void relay.open(ahead, signal());
    source.sink.frame(snapshot('e', 4));
    source.sink.frame(operation('a'), 'e:5');
    source.sink.frame(snapshot('e', 6));
    assert.deepEqual([types(ahead.frames), ahead.cursors], [['snapshot'], ['e:6']]);
  });

  it('gives a snapshot to a reader from before a snapshot, though it has events from before that too', () => {
    const source = scripted();
    const relay = createRelay({ source });
    void relay.open(recorder(), signal());
    source.sink.frame(snapshot('e', 0));
    for (let seq = 1; seq <= 4; seq++) source.sink.frame(operation('a', { current: seq }), `e:${seq}`);
    source.sink.frame(snapshot('e', 9));
    const back = recorder();
    back.resume = () => 'e:2';
    void relay.open(back, signal());
    assert.deepEqual([types(back.frames), back.cursors], [['snapshot'], ['e:9']]);
  });

  it('asks for what a heartbeat shows to be lost, and tells nobody of that heartbeat', async () => {
    const server = history();
    const clock = manualClock();
    const relay = createRelay({ source: server.source, clock });
    const reader = recorder();
    void relay.open(reader, signal());
    server.add(operation('a', { current: 1 }));
    server.lose(operation('a', { current: 2 }));
    server.beat();
    await clock.advance(1_000);
    assert.deepEqual(server.cursors, [undefined, 'e:1']);
    assert.deepEqual(
      [types(reader.frames), reader.cursors.filter(Boolean)],
      [
        ['snapshot', 'operation', 'operation', 'heartbeat'],
        ['e:0', 'e:1', 'e:2'],
      ],
    );
  });

  it('finds what its source lost before anybody is told of what came after it', async () => {
    const server = history();
    const clock = manualClock();
    const relay = createRelay({ source: server.source, clock });
    const reader = recorder();
    void relay.open(reader, signal());
    server.add(operation('a', { current: 1 }));
    server.lose(operation('a', { current: 2 }));
    server.add(operation('a', { current: 3 }));
    await clock.advance(1_000);
    assert.deepEqual(reader.cursors.filter(Boolean), ['e:0', 'e:1', 'e:2', 'e:3']);
    assert.deepEqual(server.cursors, [undefined, 'e:1']);
  });

  it('goes back with a server that says that it went back', () => {
    const source = scripted();
    const relay = createRelay({ source });
    const reader = recorder();
    void relay.open(reader, signal());
    source.sink.frame(snapshot('e', 9));
    source.sink.frame(snapshot('e', 8));
    assert.equal(reader.frames.length, 1, 'an old snapshot by itself is nothing');
    source.sink.connection('reconnecting');
    source.sink.frame(resync('e', 4));
    source.sink.frame(snapshot('e', 4));
    source.sink.frame(operation('a'), 'e:5');
    assert.deepEqual(reader.cursors, ['e:9', undefined, 'e:4', 'e:5']);
  });

  it('hands changes on, and gives who comes later the state they led to', () => {
    const source = scripted();
    const relay = createRelay({ source });
    const reader = recorder();
    void relay.open(reader, signal());
    source.sink.frame(snapshot('e', 3));
    source.sink.frame(operation('a'), 'e:4');
    source.sink.frame(changes('e', 4, 9, [{ id: 'b' }], { removed: [{ id: 'a' }] }), 'e:9');
    source.sink.frame(changes('e', 4, 9, [{ id: 'c' }]), 'e:9');
    source.sink.frame(operation('b', { current: 1 }), 'e:10');
    assert.deepEqual(
      [types(reader.frames), reader.cursors],
      [
        ['snapshot', 'operation', 'changes', 'operation'],
        ['e:3', 'e:4', 'e:9', 'e:10'],
      ],
    );
    const [near, far] = [recorder(), recorder()];
    near.resume = () => 'e:9';
    far.resume = () => 'e:4';
    void relay.open(near, signal());
    void relay.open(far, signal());
    assert.deepEqual(near.cursors.filter(Boolean), ['e:10']);
    assert.deepEqual(types(far.frames), ['snapshot']);
    assert.deepEqual(
      (far.frames[0] as { operations: { id: unknown }[] }).operations.map(({ id }) => id),
      ['b'],
    );
  });

  it('hands on what is no good, so that positions have no holes, and keeps nothing of it', () => {
    const source = scripted();
    const relay = createRelay({ source, session: 's' });
    const reader = recorder();
    void relay.open(reader, signal());
    source.sink.frame(snapshot('e', 0));
    source.sink.frame({ type: 'operation', session: 's', id: {} }, 'e:1');
    source.sink.frame(operation('a', { session: 'another' }), 'e:2');
    source.sink.frame('nonsense', 'e:3');
    source.sink.frame({ type: 'snapshot', session: 7 });
    source.sink.frame(snapshot('e', 50, [], { session: 'another' }));
    source.sink.frame(operation('b'), 'e:4');
    assert.deepEqual(reader.cursors, ['e:0', 'e:1', 'e:2', 'e:3', undefined, undefined, 'e:4']);
    const late = recorder();
    void relay.open(late, signal());
    assert.deepEqual(
      (late.frames[0] as { operations: { id: unknown }[] }).operations.map(({ id }) => id),
      ['b'],
    );
  });

  it('numbers events that came without a position, so that readers can resume all the same', () => {
    const source = createMemorySource();
    const relay = createRelay({ source });
    const first = recorder();
    void relay.open(first, signal());
    source.push(operation('a', { current: 1 }));
    source.push(operation('a', { current: 2 }));
    const late = recorder();
    void relay.open(late, signal());
    source.push(operation('a', { current: 3 }));
    const numbers = first.cursors.map((cursor) => Number(cursor?.split(':')[1]));
    assert.deepEqual(numbers, [1, 2, 3]);
    assert.deepEqual(types(late.frames), ['snapshot', 'operation']);
    assert.equal(late.cursors[1], first.cursors[2]);
    source.push(snapshot('other', 70, [{ id: 'z' }]));
    source.push(heartbeat('other', 70));
    source.push(operation('z', { current: 5 }));
    assert.deepEqual(types(late.frames), ['snapshot', 'operation', 'snapshot', 'operation']);
    assert.deepEqual(
      late.cursors.map((cursor) => Number(cursor?.split(':')[1])),
      [2, 3, 4, 5],
    );
    assert.equal((late.frames[2] as { seq: number }).seq, 4);
  });

  it('brings every store to the same session, whenever it came', async () => {
    const server = history();
    const relay = createRelay({ source: server.source });
    const stores = [];
    for (let n = 0; n < 30; n++) {
      if (n % 3 === 0) {
        const store = createStore({ source: relay, quantum: 0 });
        store.subscribe(() => undefined);
        stores.push(store);
      }
      server.add(operation(`op-${n % 4}`, { state: n % 7 === 6 ? 'completed' : 'running', attempt: 1 + Math.floor(n / 7), current: n }));
    }
    await settle();
    const [first, ...others] = stores.map((store) => store.getSnapshot());
    for (const view of others) {
      assert.equal(view.seq, 30);
      const byId = (list: readonly { id: unknown }[]) => [...list].sort((a, b) => String(a.id).localeCompare(String(b.id)));
      assert.deepEqual(byId(view.operations), byId(first!.operations));
    }
    for (const store of stores) assert.equal(store.outcomes.duplicate, 0);
    for (const store of stores) store.close();
  });

  it('closes its source a while after the last reader, and resumes it for the next', async () => {
    const server = history();
    const clock = manualClock();
    const relay = createRelay({ source: server.source, clock, linger: 500 });
    const controller = new AbortController();
    const done = relay.open(recorder(), controller.signal);
    server.add(operation('a', { current: 1 }));
    controller.abort();
    await done;
    await clock.advance(499);
    assert.equal(server.open, 1);
    await clock.advance(1);
    assert.equal(server.open, 0);
    server.add(operation('a', { current: 2 }));
    const next = recorder();
    void relay.open(next, signal());
    assert.deepEqual(server.cursors, [undefined, 'e:1']);
    assert.deepEqual(next.cursors.filter(Boolean), ['e:1', 'e:2']);
    assert.deepEqual(next.states, ['connecting', 'live']);
  });

  it('ends with its source, for those who come later too', async () => {
    const server = history();
    const relay = createRelay({ source: server.source });
    const reader = recorder();
    const done = relay.open(reader, signal());
    server.add(operation('a', { current: 1 }));
    server.end();
    await done;
    const late = recorder();
    await relay.open(late, signal());
    assert.deepEqual([types(late.frames), late.states], [['snapshot'], ['connecting', 'ended']]);
    assert.equal(server.cursors.length, 1);
  });
});
