import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemorySource } from '@sitrep/client';
import { recorder } from '../support/sink.ts';

test('Frames reach everyone who has the source open, by reference and in order', async () => {
  const source = createMemorySource();
  const [a, b] = [recorder(), recorder()];
  const controller = new AbortController();
  void source.open(a, controller.signal);
  const done = source.open(b, new AbortController().signal);
  const frame = { n: 1 };
  source.push(frame, 'e:1');
  assert.equal(a.frames[0], frame);
  assert.deepEqual(b.cursors, ['e:1']);
  controller.abort();
  source.push({ n: 2 });
  source.end();
  source.end();
  source.push({ n: 3 });
  await done;
  assert.deepEqual([a.frames.length, b.frames.length], [1, 2]);
  assert.deepEqual(
    [a.states, b.states],
    [
      ['connecting', 'live'],
      ['connecting', 'live', 'ended'],
    ],
  );
});

test('What is pushed while nobody listens is kept for the next one, up to the capacity, and the loss is told', async () => {
  const source = createMemorySource({ capacity: 3 });
  for (let n = 1; n <= 5; n++) source.push({ n }, `e:${n}`);
  source.setConnection('reconnecting');
  const controller = new AbortController();
  const sink = recorder();
  void source.open(sink, controller.signal);
  assert.deepEqual([sink.cursors, sink.codes, sink.states], [['e:3', 'e:4', 'e:5'], ['overflow'], ['connecting', 'reconnecting']]);
  controller.abort();
  source.push({ n: 6 });
  source.end();
  const late = recorder();
  await source.open(late, new AbortController().signal);
  assert.deepEqual([late.frames, late.states, late.codes], [[{ n: 6 }], ['connecting', 'live', 'ended'], []]);
});

test('Who closes, or pushes, while being handed what was kept leaves the rest in order', () => {
  const source = createMemorySource();
  for (let n = 1; n <= 4; n++) source.push(n);
  const controller = new AbortController();
  const first = recorder();
  const take = first.frame;
  first.frame = (value) => {
    take(value);
    source.push(`after ${value}`);
    if (value === 2) controller.abort();
  };
  void source.open(first, controller.signal);
  const second = recorder();
  void source.open(second, new AbortController().signal);
  assert.deepEqual(
    [first.frames, second.frames],
    [
      [1, 2],
      [3, 4, 'after 1', 'after 2'],
    ],
  );
});

test('An aborted signal opens nothing, and a sink that throws stops nothing', async () => {
  const source = createMemorySource();
  source.push(1);
  await source.open(recorder(), AbortSignal.abort());
  const bad = () => {
    throw new Error('sink');
  };
  const done = source.open({ frame: bad, connection: bad, diagnostic: bad, cursor: bad }, new AbortController().signal);
  source.push(2);
  source.end();
  await done;
});
