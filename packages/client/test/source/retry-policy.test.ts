import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { backoff } from '../../src/source/retry-policy.ts';

const ceilings = (count: number, unanswered: boolean, retry = 1_000, longest = 30_000): number[] =>
  Array.from({ length: count }, (_none, n) => backoff(n + 1, retry, longest, () => 1, unanswered));

describe('the wait before the next try', () => {
  it('doubles up to the longest where somebody answers', () => {
    assert.deepEqual(ceilings(7, false), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('stays below two seconds for half a minute where nobody does, and grows then', () => {
    const waits = ceilings(40, true);
    assert.ok(waits.slice(0, 32).every((wait) => wait <= 1_750));
    // Full jitter: half of the ceiling on average.
    assert.ok(waits.slice(0, 32).reduce((sum, wait) => sum + wait / 2, 0) > 25_000);
    assert.deepEqual(waits.slice(32, 38), [3_500, 7_000, 14_000, 28_000, 30_000, 30_000]);
  });

  it('is never shorter than the server asks for, nor longer than the longest', () => {
    assert.deepEqual(ceilings(3, true, 10_000), [10_000, 10_000, 10_000]);
    assert.deepEqual(ceilings(3, true, 250, 600), [250, 500, 600]);
    assert.equal(
      backoff(5_000, 1_000, 30_000, () => 1, true),
      30_000,
    );
    assert.equal(
      backoff(5, 1_000, 30_000, () => 0, true),
      250,
    );
  });
});
