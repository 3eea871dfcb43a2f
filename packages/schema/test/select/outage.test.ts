import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FLAP, outage, RESUMED_FOR } from '../../src/select/index.ts';
import type { FreshnessState } from '../../src/select/index.ts';

const at = (state: FreshnessState, ago: number, told: boolean) => outage({ state, since: 1_000_000 - ago }, 1_000_000, told);

describe('outage', () => {
  it('tells a break only once it is long enough, and goes on with one that is told', () => {
    for (const state of ['connecting', 'reconnecting'] as const) {
      assert.equal(at(state, FLAP - 1, false), undefined);
      assert.equal(at(state, FLAP, false), 'reconnecting');
      assert.equal(at(state, 0, true), 'reconnecting');
    }
  });

  it('tells at once what does not mend itself, and a silence that is one by itself', () => {
    assert.equal(at('lost', 0, false), 'lost');
    assert.equal(at('quiet', 0, false), 'quiet');
  });

  it('tells for a while that it is back, where it was told that it was gone', () => {
    for (const state of ['live', 'resumed'] as const) {
      assert.equal(at(state, 0, false), undefined);
      assert.equal(at(state, RESUMED_FOR - 1, true), 'back');
      assert.equal(at(state, RESUMED_FOR, true), undefined);
    }
  });

  it('takes an end that was announced, and no connection at all, for no outage', () => {
    assert.equal(at('ended', 60_000, true), undefined);
    assert.equal(outage(undefined, 0, true), undefined);
  });
});
