import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore } from '@sitrep/client';
import { manualClock } from '../support/clock.ts';
import { heartbeat, operation, snapshot } from '../support/events.ts';
import { history } from '../support/history.ts';
import { scripted } from '../support/script.ts';

function started() {
  const clock = manualClock();
  const source = scripted();
  const store = createStore({ source, clock, repairSpacing: 0 });
  const states: string[] = [];
  store.subscribe(({ connection }) => {
    if (states.at(-1) !== connection.state) states.push(connection.state);
  });
  return { clock, source, store, states, connection: () => store.getSnapshot().connection };
}

describe('how fresh a view is', () => {
  it('is in question after a break until a heartbeat says that nothing is missing, then resumed, then live', async () => {
    const { clock, source, states, connection } = started();
    source.sink.frame(snapshot('e', 1, [{ id: 'a' }]));
    source.sink.frame(heartbeat('e', 1));
    await clock.advance(1_000);
    source.sink.connection('reconnecting');
    const brokenAt = clock.now();
    await clock.advance(2_000);
    source.sink.connection('live');
    assert.deepEqual(connection(), { state: 'reconnecting', since: brokenAt });
    source.sink.frame(operation('a', { current: 1 }), 'e:2');
    await clock.advance(100);
    assert.equal(connection().state, 'reconnecting', 'more may be on its way');
    source.sink.frame(heartbeat('e', 2));
    const resumedAt = clock.now();
    assert.deepEqual(connection(), { state: 'resumed', since: resumedAt });
    await clock.advance(10_000);
    assert.deepEqual(connection(), { state: 'live', since: resumedAt });
    assert.deepEqual(states, ['connecting', 'live', 'reconnecting', 'resumed', 'live']);
  });

  it('is live and not resumed where a snapshot took the place of what was missed', async () => {
    const { clock, source, states } = started();
    source.sink.frame(snapshot('e', 1));
    source.sink.frame(heartbeat('e', 1));
    await clock.advance(200);
    source.sink.connection('reconnecting');
    await clock.advance(200);
    source.sink.connection('live');
    source.sink.frame(snapshot('e', 40));
    await clock.advance(100);
    assert.deepEqual(states, ['connecting', 'live', 'reconnecting', 'live']);
  });

  it('is live at once where nothing tells that nothing is missing', async () => {
    const { clock, source, connection } = started();
    source.sink.frame(operation('a'));
    source.sink.connection('reconnecting');
    source.sink.connection('live');
    await clock.advance(3_600_000);
    assert.equal(connection().state, 'live');
    assert.equal(clock.pending, 0);
  });

  it('is quiet when nothing came for one and a half heartbeats, within 25 s, and live with the next thing that does', async () => {
    const { clock, source, states, connection } = started();
    source.sink.frame(snapshot('e', 1));
    source.sink.frame(heartbeat('e', 1));
    const heardAt = clock.now();
    await clock.advance(15_000);
    assert.equal(connection().state, 'live');
    await clock.advance(10_000);
    assert.deepEqual(connection(), { state: 'quiet', since: heardAt });
    source.sink.frame(operation('a', { current: 1 }), 'e:2');
    assert.deepEqual(connection(), { state: 'live', since: clock.now() });
    await clock.advance(100);
    assert.deepEqual(states, ['connecting', 'live', 'quiet', 'live']);
  });

  it('is quiet no later than that, whenever the last thing came', async () => {
    for (let after = 0; after <= 6_000; after += 500) {
      const { clock, source, connection } = started();
      source.sink.frame(snapshot('e', 1));
      source.sink.frame(heartbeat('e', 1));
      await clock.advance(after);
      source.sink.frame(heartbeat('e', 1));
      await clock.advance(22_499);
      assert.equal(connection().state, 'live', `${after}`);
      await clock.advance(2_501);
      assert.equal(connection().state, 'quiet', `25 s after a heartbeat at ${after}`);
    }
  });

  it('asks the server again when the machine has slept', async () => {
    const { clock, source } = started();
    source.sink.frame(snapshot('e', 4));
    source.sink.frame(heartbeat('e', 4));
    await clock.advance(4_000);
    clock.jump(3_600_000);
    await clock.advance(5_000);
    assert.deepEqual(
      source.openings.map(({ cursor }) => cursor),
      [undefined, 'e:4'],
    );
  });

  it('does not take a clock that was set back for anything', async () => {
    const { clock, source, connection } = started();
    source.sink.frame(snapshot('e', 4));
    source.sink.frame(heartbeat('e', 4));
    clock.jump(-3_600_000);
    await clock.advance(60_000);
    assert.equal(source.openings.length, 1);
    assert.equal(connection().state, 'live');
  });

  it('shows what happened while the page was away, whether it was frozen or kept for the back button', async () => {
    const page = new EventTarget();
    const scope = globalThis as { document?: unknown; window?: unknown };
    scope.document = Object.assign(page, { visibilityState: 'visible' });
    scope.window = page;
    try {
      const server = history();
      const clock = manualClock();
      const store = createStore({ source: server.source, clock, repairSpacing: 0 });
      store.subscribe(() => undefined);
      for (const [n, event] of [new Event('resume'), Object.assign(new Event('pageshow'), { persisted: true })].entries()) {
        server.lose(operation('a', { current: n }));
        assert.equal(store.getSnapshot().seq, n);
        page.dispatchEvent(event);
        assert.equal(store.getSnapshot().seq, n + 1);
      }
      page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
      store.close();
      page.dispatchEvent(new Event('resume'));
      assert.deepEqual(server.cursors, [undefined, 'e:0', 'e:1']);
    } finally {
      delete scope.document;
      delete scope.window;
    }
  });
});
