import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pace } from '@sitrep/schema/select';
import type { Estimate } from '@sitrep/schema/select';

const sure = (rate: number, remainingMs?: number): Estimate => ({
  confident: true,
  rate,
  ...(remainingMs === undefined ? undefined : { remainingMs }),
});

describe('the words of an estimate', () => {
  it('are none without confidence', () => {
    assert.equal(pace({ confident: false }, 'bytes'), undefined);
  });

  it('give a rate in the unit, by the second, the minute or the hour', () => {
    for (const [rate, unit, text] of [
      [8.65 * 1024 * 1024, 'bytes', '8.6 MiB/s'],
      [512, 'B', '512 B/s'],
      [12.9, 'files', '12 files/s'],
      [1.25, 'files', '1.2 files/s'],
      [0.05, 'files', '3 files/min'],
      [0.001, 'files', '3.6 files/h'],
      [1500, undefined, '1,500/s'],
      [2, '', '2/s'],
    ] as const)
      assert.deepEqual(pace(sure(rate), unit), { rate: text });
  });

  it('are none where the rate would read as 0', () => {
    assert.equal(pace(sure(0.09 / 3600, 1000), 'files'), undefined);
    assert.equal(pace(sure(0.9, 1000), 'bytes'), undefined);
    assert.deepEqual([pace(sure(0.11 / 3600), 'files')?.rate, pace(sure(1), 'bytes')?.rate], ['0.1 files/h', '1 B/s']);
  });

  it('give the time left rounded up to what can be relied on', () => {
    for (const [seconds, text] of [
      [0, 'about 5 sec left'],
      [4.2, 'about 5 sec left'],
      [21, 'about 25 sec left'],
      [55, 'about 55 sec left'],
      [56, 'about 1 min left'],
      [61, 'about 2 min left'],
      [3 * 3600, 'about 180 min left'],
      [3 * 3600 + 1, 'about 4 hr left'],
      [72 * 3600 + 1, 'about 4 days left'],
    ] as const)
      assert.equal(pace(sure(1, seconds * 1000))?.left, text);
  });

  it('are in the reader’s language where numbers and units are concerned', () => {
    assert.deepEqual(pace(sure(1500.5, 61_000), 'files', 'de'), { rate: '1.500 files/s', left: 'about 2 Min. left' });
    assert.deepEqual(pace(sure(2), 'files', 'no-such-tag!'), { rate: '2 files/s' });
  });

  it('never promise an earlier end than the estimate, nor a faster pace', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 1e9 }), (rate, ms) => {
        const words = pace(sure(rate, ms));
        const [, amount, unit] = /about ([\d,]+) (\w+) left/.exec(words?.left ?? '') ?? [];
        const size = { sec: 1000, min: 60_000, hr: 3_600_000, day: 86_400_000, days: 86_400_000 }[unit ?? ''] ?? 0;
        assert.ok(Number(amount?.replaceAll(',', '')) * size >= ms, words?.left);
        assert.ok(Number(words?.rate.replaceAll(',', '').replace('/s', '')) <= rate + 1e-6, words?.rate);
      }),
    );
  });
});
