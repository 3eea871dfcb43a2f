import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Ordering, parseCursor } from '../../dist/store/position.js';

test('A cursor is an epoch, a colon and a whole number; anything else is none', () => {
  for (const bad of [
    '',
    ':',
    ':1',
    'e',
    'e:',
    'e:-1',
    'e:1.5',
    'e:1x',
    'e: 1',
    '7',
    '12:x',
    'e:9007199254740992',
    `e:${'9'.repeat(400)}`,
  ]) {
    assert.equal(parseCursor(bad), undefined, bad);
  }
  assert.deepEqual(parseCursor('a:b:007'), { epoch: 'a:b', seq: 7 });
});

test('Every cursor that is written is read back the same', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, size: 'max', maxLength: 64 }), fc.maxSafeNat(), (epoch, seq) => {
      assert.deepEqual(parseCursor(`${epoch}:${seq}`), { epoch, seq });
    }),
  );
});

/** Where an ordering stands after a snapshot at this position and then this cursor, and what it said of the cursor. */
function judged(epoch: string, seq: number, cursor: string): unknown[] {
  const ordering = new Ordering();
  ordering.snapshot({ epoch, seq });
  return [ordering.event(cursor), ordering.position];
}

/** The same by the rules alone: the next number of the same history is taken, an earlier one known, all else out of order. */
function expected(epoch: string, seq: number, cursor: string): unknown[] {
  const held = { epoch, seq };
  const came = parseCursor(cursor);
  if (came === undefined) return ['take', undefined];
  if (came.epoch !== epoch) return ['repair', held];
  if (came.seq <= seq) return ['duplicate', held];
  return came.seq === seq + 1 ? ['take', came] : ['repair', held];
}

test('A cursor is judged by what it says, however it is written', () => {
  for (const epoch of ['e', 'a:b', 'e:1', ':', '', '0', 'é'])
    for (const seq of [0, 8, 9, 99, 2 ** 30 - 2, 2 ** 30 - 1, 2 ** 30, 2 ** 31, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER])
      for (const cursor of [
        ...[-1, 0, 1, 2].flatMap((step) => [`${epoch}:${seq + step}`, `${epoch}:0${seq + step}`, `x${epoch}:${seq + step}`]),
        `${epoch}${seq + 1}`,
        `${epoch}.${seq + 1}`,
        `${epoch}:${seq + 1}.`,
        `${epoch}:`,
        `:${seq + 1}`,
        `${seq + 1}`,
        '',
      ])
        assert.deepEqual(judged(epoch, seq, cursor), expected(epoch, seq, cursor), `${JSON.stringify(cursor)} after ${epoch}:${seq}`);
});

test('Any cursor after any position is judged so', () => {
  const epochs = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', ':', '1', '0') });
  fc.assert(
    fc.property(epochs, epochs, fc.nat(2000), fc.integer({ min: -2, max: 3 }), (epoch, other, seq, step) => {
      for (const cursor of [`${epoch}:${seq + step}`, `${other}:${seq + step}`, `${other}${seq + step}`]) {
        assert.deepEqual(judged(epoch, seq, cursor), expected(epoch, seq, cursor), cursor);
      }
    }),
  );
});

test('An event with nothing before it is the first of its history, or one whose beginning was lost', () => {
  for (const cursor of ['e:0', 'e:1']) assert.equal(new Ordering().event(cursor), 'take');
  const ordering = new Ordering();
  for (let step = 0; step < 2; step++) {
    assert.equal(ordering.event('e:7'), 'repair');
    assert.equal(ordering.cursor(), undefined);
    ordering.repair();
  }
  assert.equal(ordering.event('e:7'), 'take', 'a history that has no beginning is believed at last');
  assert.equal(ordering.event('e:8'), 'take');
});

test('Where there are snapshots a hole is not believed before one has come and left it', () => {
  const ordering = new Ordering();
  ordering.snapshot({ epoch: 'e', seq: 3 });
  for (let step = 0; step < 6; step++) {
    assert.equal(ordering.event('e:7'), 'repair');
    assert.equal(ordering.heartbeat({ epoch: 'e', seq: 7 }), true);
    ordering.repair();
    assert.equal(ordering.cursor(), step === 0 ? 'e:3' : undefined);
  }
  assert.equal(ordering.heartbeat({ epoch: 'e', seq: 7 }), false, 'five times without one is enough');
  const other = new Ordering();
  other.snapshot({ epoch: 'e', seq: 3 });
  for (let step = 0; step < 2; step++) other.repair();
  assert.equal(other.event('e:7'), 'repair');
  assert.equal(other.snapshot({ epoch: 'e', seq: 3 }), true);
  assert.equal(other.heartbeat({ epoch: 'e', seq: 7 }), false);
  assert.equal(other.event('e:7'), 'take');
});

test('What was tried because of another history does not make a hole in this one believed', () => {
  const ordering = new Ordering();
  ordering.snapshot({ epoch: 'e', seq: 1 });
  assert.equal(ordering.event('d:7'), 'repair', 'a word of the history before that came late');
  ordering.repair();
  assert.equal(ordering.snapshot({ epoch: 'e', seq: 1 }), true);
  assert.equal(ordering.event('e:3'), 'repair');
  assert.equal(ordering.event('e:2'), 'take');
  assert.equal(ordering.event('e:3'), 'take');
});
