import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReplaySource, type ReplaySourceOptions } from '@sitrep/client';
import fc from 'fast-check';
import { manualClock, settle } from '../support/clock.ts';
import { recorder } from '../support/sink.ts';

async function play(options: ReplaySourceOptions) {
  const sink = recorder();
  await createReplaySource({ speed: Infinity, ...options }).open(sink, new AbortController().signal);
  return sink;
}
async function* chunks<T>(...parts: T[]) {
  yield* parts;
}

test('Each line is a frame, in any form the recording comes', async () => {
  const text = '\uFEFF{"n":1}\r\n\n  \n{"n":"é🦊"}\n[3]';
  const bytes = new TextEncoder().encode(text);
  const expected = [{ n: 1 }, { n: 'é🦊' }, [3]];
  const forms: ReplaySourceOptions[] = [
    { ndjson: text },
    { ndjson: [...text] },
    { ndjson: chunks(text.slice(0, 9), text.slice(9)) },
    { ndjson: chunks(...Array.from(bytes, (byte) => Uint8Array.of(byte))) },
    { ndjson: new Blob([bytes]).stream() },
    { lines: ['{"n":1}', '', { n: 'é🦊' }, '[3]'] },
    { lines: chunks<unknown>({ n: 1 }, { n: 'é🦊' }, '[3]') },
  ];
  for (const form of forms) {
    const sink = await play(form);
    assert.deepEqual(sink.frames, expected);
    assert.deepEqual(sink.states, ['connecting', 'live', 'ended']);
    assert.deepEqual(sink.codes, []);
  }
});

test('A bad line is told and the next one read; one over the cap is never held', async () => {
  const long = `"${'x'.repeat(100)}"`;
  for (const ndjson of [`1\n{oops\n${long}\n2\n${long}`, [...`1\n{oops\n${long}\n2\n${long}`]]) {
    const sink = await play({ ndjson, maxLineLength: 50 });
    assert.deepEqual(
      [sink.frames, sink.codes],
      [
        [1, 2],
        ['json', 'too_large', 'too_large'],
      ],
    );
  }
  const lines = await play({ lines: [long, '1'], maxLineLength: 50 });
  assert.deepEqual([lines.frames, lines.codes], [[1], ['too_large']]);
});

test('Pauses are the differences of `at`, divided by the speed and bounded', async () => {
  const clock = manualClock();
  const sink = recorder();
  const lines = [{ at: 1_000 }, { at: 1_400 }, { at: 1_400 }, { at: 900 }, 'null', { at: 'x' }, { at: 1_100 }, { at: 1e15 }];
  const done = createReplaySource({ lines, speed: 2, clock, maxDelay: 5_000 }).open(sink, new AbortController().signal);
  await settle();
  assert.equal(sink.frames.length, 1);
  await clock.advance(199);
  assert.equal(sink.frames.length, 1);
  await clock.advance(1);
  assert.equal(sink.frames.length, 6);
  await clock.advance(100);
  assert.equal(sink.frames.length, 7);
  await clock.advance(5_000);
  await done;
  assert.equal(sink.frames.length, 8);
  assert.equal(clock.pending, 0);
});

test('At once still lets the thread breathe', async () => {
  let beats = 0;
  let going = true;
  const beat = () => {
    beats++;
    if (going) setImmediate(beat);
  };
  setImmediate(beat);
  const sink = await play({ lines: Array.from({ length: 5_000 }, (_, n) => ({ n })) });
  going = false;
  assert.equal(sink.frames.length, 5_000);
  assert.ok(beats >= 9, `${beats} turns`);
});

test('A replay goes on where it was closed, has no timer while closed, and stays ended', async () => {
  const clock = manualClock();
  const source = createReplaySource({ lines: [{ at: 0 }, { at: 100 }, { at: 200 }], clock });
  const first = recorder();
  const controller = new AbortController();
  const done = source.open(first, controller.signal);
  await clock.advance(150);
  controller.abort();
  await done;
  assert.deepEqual([first.frames.length, clock.pending], [2, 0]);
  const second = recorder();
  const rest = source.open(second, new AbortController().signal);
  await clock.advance(100);
  await rest;
  assert.deepEqual([second.frames, second.states], [[{ at: 200 }], ['connecting', 'live', 'ended']]);
  const third = recorder();
  await source.open(third, new AbortController().signal);
  assert.deepEqual([third.frames, third.states.at(-1)], [[], 'ended']);
});

test('A recording that never goes on does not hold up a close, one that fails is lost, and two openings at once are refused', async () => {
  const controller = new AbortController();
  const stuck = createReplaySource({
    lines: (async function* () {
      await new Promise(() => {});
      yield 1;
    })(),
  });
  const sink = recorder();
  const done = stuck.open(sink, controller.signal);
  const other = recorder();
  await stuck.open(other, new AbortController().signal);
  assert.deepEqual([other.codes, other.states], [['busy'], ['lost']]);
  controller.abort();
  await done;
  const failing = await play({
    ndjson: (async function* () {
      yield '1\n';
      throw new Error('disk');
    })(),
  });
  assert.deepEqual([failing.frames, failing.codes, failing.states.at(-1)], [[1], ['network'], 'lost']);
});

test('Nonsense options are refused when the source is made', () => {
  for (const bad of [{ speed: 0 }, { speed: -1 }, { speed: NaN }, { maxDelay: -1 }, { maxLineLength: 0 }]) {
    assert.throws(() => createReplaySource({ ndjson: '', ...bad }), RangeError);
  }
});

test('Any cut of a recording gives the same frames', async () => {
  const piece = fc.constantFrom('{"n":1}', '"é🦊"', '\n', '\r\n', '\n\n', ' ', '{', '7', '\uFEFF', 'null');
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { size: 'max', maxLength: 100 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 20 }),
      async (parts, sizes) => {
        const bytes = new TextEncoder().encode(parts.join(''));
        const cut: Uint8Array[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          cut.push(bytes.subarray(at, (at += sizes[i % sizes.length]!)));
        }
        const [whole, pieces] = [await play({ ndjson: parts.join('') }), await play({ ndjson: chunks(...cut) })];
        assert.deepEqual([pieces.frames, pieces.codes], [whole.frames, whole.codes]);
      },
    ),
    { numRuns: 200 },
  );
});
