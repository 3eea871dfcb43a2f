import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import { fuzz } from '../../fuzz/fuzz.ts';

describe('spoiled frames', () => {
  for (const name of Object.keys(dialects)) {
    it(`of ${name} are read or refused with a reason, change nothing they should not, and never throw`, () => {
      for (const seed of [1, 2]) {
        const [report] = fuzz({ runs: 1_500, seed, dialects: [name] });
        assert.ok(report);
        assert.deepEqual(report.faults, []);
        assert.equal(report.counts.frames, 1_500);
        assert.ok(report.counts.refused > 0, 'nothing was refused, so nothing was spoiled');
      }
    });
  }
});
