import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCursor } from '../../dist/store/position.js';

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
