import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addSample, estimate as exactly } from '@sitrep/schema/select';
import type { AmountSample, Estimate } from '@sitrep/schema/select';

/** What is estimated, to six digits: sums of weights end in dust. */
function estimate(samples: readonly AmountSample[], now: number): Estimate {
  return JSON.parse(JSON.stringify(exactly(samples, now)), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value,
  ) as Estimate;
}

/** The samples of a series of [seconds, amount], all with one total unless each says its own. */
function samplesOf(series: readonly (readonly [number, number, number?])[], total?: number): readonly AmountSample[] {
  return series.reduce<readonly AmountSample[]>(
    (samples, [seconds, current, own]) => addSample(samples, { at: seconds * 1000, current, total: own ?? total }),
    [],
  );
}

/** One amount each `step` seconds at `rate` units per second. */
function steady(count: number, { step = 1, rate = 10, from = 0, at = 0 } = {}): (readonly [number, number])[] {
  return Array.from({ length: count }, (_, index) => [at + index * step, from + index * step * rate] as const);
}

describe('an estimate', () => {
  it('gives rate and time left of a steady count', () => {
    const samples = samplesOf(steady(11), 1000);
    assert.deepEqual(estimate(samples, 10_000), { confident: true, rate: 10, remainingMs: 90_000 });
    assert.deepEqual(estimate(samples, 12_000), { confident: true, rate: 10, remainingMs: 88_000 });
  });

  it('says nothing before five samples over two seconds', () => {
    for (let count = 0; count < 5; count += 1)
      assert.deepEqual(estimate(samplesOf(steady(count), 100), count * 1000), { confident: false });
    assert.equal(estimate(samplesOf(steady(5), 100), 4000).confident, true);
    assert.equal(estimate(samplesOf(steady(8, { step: 0.25 }), 100), 1750).confident, false);
    assert.equal(estimate(samplesOf(steady(9, { step: 0.25 }), 100), 2000).confident, true);
  });

  it('says nothing of work whose intervals disagree', () => {
    const burst = samplesOf(
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 900],
        [5, 901],
      ],
      1000,
    );
    assert.deepEqual(estimate(burst, 5000), { confident: false });
    const mild = samplesOf(
      [
        [0, 0],
        [1, 9],
        [2, 21],
        [3, 29],
        [4, 41],
        [5, 50],
        [6, 62],
      ],
      1000,
    );
    assert.equal(estimate(mild, 6000).confident, true);
  });

  it('takes a gap of many intervals for a stall, and is slow to trust what follows', () => {
    const before = steady(11);
    assert.equal(estimate(samplesOf(before, 1000), 14_000).confident, true);
    assert.deepEqual(estimate(samplesOf(before, 1000), 14_001), { confident: false });
    // Slow work is not stalled between its own reports.
    assert.equal(estimate(samplesOf(steady(6, { step: 60, rate: 1 }), 1000), 300_000 + 200_000).confident, true);
    const after = [...before, [110, 110], [111, 120], [112, 130]] as const;
    assert.deepEqual(estimate(samplesOf(after, 1000), 112_000), { confident: false });
    const longAfter = [...before, ...steady(40, { from: 110, at: 110 })];
    const recovered = estimate(samplesOf(longAfter, 1000), 149_000);
    assert.deepEqual(recovered, { confident: true, rate: 10, remainingMs: 50_000 });
  });

  it('starts afresh when the amount falls, or the clock does', () => {
    assert.equal(samplesOf([...steady(11), [11, 5]], 1000).length, 1);
    assert.equal(samplesOf([...steady(11), [3, 500]], 1000).length, 1);
    const again = samplesOf([...steady(11), ...steady(6, { at: 11, rate: 50 })], 1000);
    assert.deepEqual(estimate(again, 16_000), { confident: true, rate: 50, remainingMs: 15_000 });
  });

  it('follows a change of pace without holding on to the old one', () => {
    const samples = samplesOf([...steady(31), ...steady(60, { from: 320, at: 31, rate: 20 })], 10_000);
    const result = estimate(samples, 90_000);
    assert.ok(result.confident && result.rate > 19 && result.rate <= 20.0001, JSON.stringify(result));
  });

  it('gives no time left without a total, at it, beyond it, or while it moves', () => {
    const left = (series: Parameters<typeof samplesOf>[0], total?: number): unknown => {
      const samples = samplesOf(series, total);
      const result = estimate(samples, samples.at(-1)?.at ?? 0);
      return result.confident ? (result.remainingMs ?? 'none') : 'not confident';
    };
    assert.equal(left(steady(11)), 'none');
    assert.equal(left(steady(11), 100), 'none');
    assert.equal(left(steady(11), 5), 'none');
    assert.equal(left(steady(11), 0), 'none');
    assert.equal(left(steady(11).map(([at, current]) => [at, current, current + 50] as const)), 'none');
    // Once it stands still, it counts.
    const settled = steady(11).map(([at, current], index) => [at, current, index < 7 ? 150 : 200] as const);
    assert.equal(left(settled.slice(0, 11)), 'none');
    assert.equal(left([...settled, [11, 110, 200]]), 9000);
  });

  it('does not take a repeated amount for movement', () => {
    const samples = samplesOf(steady(11), 1000);
    const repeated = addSample(samples, { at: 13_000, current: 100, total: 1000 });
    assert.equal(repeated, samples);
    const moved = addSample(samples, { at: 13_000, current: 100, total: 2000 });
    assert.deepEqual([moved.length, moved.at(-1)], [11, { at: 10_000, current: 100, total: 2000 }]);
  });

  it('makes one sample of a flood, and still measures it', () => {
    let samples: readonly AmountSample[] = [];
    for (let index = 0; index <= 50_000; index += 1) samples = addSample(samples, { at: index / 10, current: index, total: 100_000 });
    assert.ok(samples.length <= 32, `${samples.length}`);
    const result = estimate(samples, 5000);
    assert.ok(result.confident && Math.abs(result.rate - 10_000) < 100, JSON.stringify(result));
  });

  it('ignores what is no number', () => {
    const samples = samplesOf(steady(6));
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      assert.equal(addSample(samples, { at: bad, current: 1 }), samples);
      assert.equal(addSample(samples, { at: 9000, current: bad }), samples);
      assert.deepEqual(exactly(samples, bad), { confident: false });
      assert.equal(addSample(samples, { at: 9000, current: 90, total: bad }).at(-1)?.total, undefined);
    }
  });

  it('of any series is bounded, never negative, never more than finite, and never changes what it was given', () => {
    const point = fc.record({
      at: fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.double()),
      current: fc.oneof(fc.integer({ min: -100, max: 10_000 }), fc.double()),
      total: fc.option(fc.oneof(fc.integer({ min: -1, max: 20_000 }), fc.double()), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 200 }), fc.boolean(), (points, sorted) => {
        const series = sorted ? points.toSorted((a, b) => a.at - b.at || a.current - b.current) : points;
        let samples: readonly AmountSample[] = [];
        for (const each of series) {
          const before = JSON.stringify(samples);
          const next = addSample(samples, Object.freeze(each));
          assert.equal(JSON.stringify(samples), before);
          samples = Object.freeze(next);
          assert.ok(samples.length <= 32);
          const result = exactly(samples, each.at + 500);
          if (!result.confident) continue;
          assert.ok(result.rate > 0 && Number.isFinite(result.rate));
          assert.ok(result.remainingMs === undefined || result.remainingMs >= 0);
        }
      }),
    );
  });

  it('of steady work with noise is right within a quarter once it is confident', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 5000, noNaN: true }),
        fc.array(fc.double({ min: 0.7, max: 1.3, noNaN: true }), { minLength: 40, maxLength: 80 }),
        (rate, noise) => {
          let samples: readonly AmountSample[] = [];
          let current = 0;
          for (const [index, factor] of noise.entries()) {
            current += rate * factor;
            samples = addSample(samples, { at: (index + 1) * 1000, current, total: rate * 1000 });
          }
          const result = estimate(samples, noise.length * 1000);
          assert.ok(result.confident);
          assert.ok(Math.abs(result.rate / rate - 1) < 0.3, `${result.rate} of ${rate}`);
        },
      ),
    );
  });
});
