import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemorySource, createMessagePortSource, servePort } from '@sitrep/client';
import type { PortLike, Source } from '@sitrep/client';
import { manualClock } from '../support/clock.ts';
import { scripted } from '../support/script.ts';
import { recorder } from '../support/sink.ts';

/** Two ends that hear each other at once, and can be cut. */
function wire(): { near: PortLike; far: PortLike; cut: boolean } {
  const ends = [new EventTarget(), new EventTarget()] as const;
  const state = {
    cut: false,
    near: undefined as unknown as PortLike,
    far: undefined as unknown as PortLike,
  };
  const end = (own: EventTarget, other: EventTarget): PortLike => ({
    postMessage(message) {
      if (!state.cut) other.dispatchEvent(new MessageEvent('message', { data: structuredClone(message) }));
    },
    addEventListener: (type, listener) => own.addEventListener(type, listener as unknown as EventListener),
    removeEventListener: (type, listener) => own.removeEventListener(type, listener as unknown as EventListener),
  });
  state.near = end(ends[0], ends[1]);
  state.far = end(ends[1], ends[0]);
  return state;
}

describe('a port', () => {
  it('carries the reader’s cursor there, and frames with their own back', async () => {
    const { near, far } = wire();
    const source = scripted((sink) => {
      sink.connection('live');
      sink.frame({ n: 1 }, 'e:8');
      sink.diagnostic({ code: 'json', message: 'One was no JSON.' });
    });
    const server = servePort(far, source);
    const sink = recorder();
    sink.resume = () => 'e:7';
    const controller = new AbortController();
    const done = createMessagePortSource({ port: near }).open(sink, controller.signal);
    assert.equal(source.openings[0]?.cursor, 'e:7');
    assert.deepEqual([sink.frames, sink.cursors, sink.codes], [[{ n: 1 }], ['e:8'], ['json']]);
    assert.equal(server.readers, 1);
    controller.abort();
    await done;
    assert.equal(server.readers, 0);
    assert.equal(source.openings[0]?.signal.aborted, true);
  });

  it('asks again when the other end falls silent, and goes on from where it was', async () => {
    const line = wire();
    const source = scripted((sink, number) => {
      sink.connection('live');
      sink.frame({ n: number }, `e:${number + 1}`);
    });
    const clock = manualClock();
    servePort(line.far, source, { interval: 1_000, clock });
    const sink = recorder();
    const controller = new AbortController();
    const done = createMessagePortSource({ port: line.near, interval: 1_000, clock }).open(sink, controller.signal);
    await clock.advance(10_000);
    assert.deepEqual(sink.states, ['connecting', 'live'], 'both ends say that they are there');
    line.cut = true;
    await clock.advance(2_500);
    assert.deepEqual(sink.states.at(-1), 'reconnecting');
    assert.deepEqual(sink.codes, ['watchdog']);
    line.cut = false;
    await clock.advance(2_500);
    assert.equal(sink.states.at(-1), 'live');
    assert.equal(source.openings.at(-1)?.cursor, 'e:1');
    controller.abort();
    await done;
    await clock.advance(1_000);
    assert.equal(clock.pending, 0);
  });

  it('is let go by the one who serves when its reader has not been heard of', async () => {
    const line = wire();
    const source = scripted();
    const clock = manualClock();
    const server = servePort(line.far, source, { interval: 1_000, clock });
    const port = line.near;
    port.postMessage({ sitrep: 'open', reader: 'a page that went away' });
    await clock.advance(2_000);
    assert.equal(server.readers, 1);
    await clock.advance(2_000);
    assert.equal(server.readers, 0);
    assert.equal(source.openings[0]?.signal.aborted, true);
    assert.equal(clock.pending, 0);
  });

  it('serves each reader for itself, and no more than it may', async () => {
    const { near, far } = wire();
    const inner = createMemorySource();
    const server = servePort(far, inner, { maxReaders: 2 });
    const sinks = [recorder(), recorder(), recorder()];
    const controller = new AbortController();
    const all = sinks.map((sink) => createMessagePortSource({ port: near }).open(sink, controller.signal));
    await all[2];
    assert.deepEqual(sinks[2]?.states, ['connecting', 'lost']);
    inner.push({ n: 1 });
    assert.deepEqual(
      sinks.map(({ frames }) => frames.length),
      [1, 1, 0],
    );
    server.close();
    assert.deepEqual(sinks[0]?.states.at(-1), 'reconnecting');
    controller.abort();
    await Promise.all(all);
  });

  it('passes over what is none of its messages, and survives a port that takes none', async () => {
    const { near, far: port } = wire();
    const sink = recorder();
    const controller = new AbortController();
    const done = createMessagePortSource({ port: near }).open(sink, controller.signal);
    for (const message of [
      undefined,
      null,
      1,
      'text',
      {},
      { sitrep: 1 },
      { sitrep: 'frame' },
      { sitrep: 'connection', reader: 'x', state: 'live' },
    ])
      port.postMessage(message);
    assert.deepEqual([sink.frames, sink.states], [[], ['connecting']]);
    controller.abort();
    await done;
    const refusing: PortLike = {
      ...near,
      postMessage() {
        throw new DOMException('closed', 'InvalidStateError');
      },
    };
    const other = recorder();
    const end = new AbortController();
    const over = createMessagePortSource({ port: refusing }).open(other, end.signal);
    assert.deepEqual(other.codes, ['network']);
    end.abort();
    await over;
    const unclonable: Source = {
      open: (each) => {
        each.frame(() => 'no clone of this');
        each.frame({ n: 2 });
        return new Promise(() => undefined);
      },
    };
    const third = wire();
    servePort(third.far, unclonable);
    const last = recorder();
    const stop = new AbortController();
    const closed = createMessagePortSource({ port: third.near }).open(last, stop.signal);
    assert.deepEqual(last.frames, [{ n: 2 }]);
    stop.abort();
    await closed;
  });
});
