import assert from 'node:assert/strict';
import { it } from 'node:test';
import { killedPart } from '../../chaos/killed/part.ts';

it('nothing is shown running 30 s after its producer was killed, and nothing that lives or has ended is touched', async () => {
  const { faults, lines } = await killedPart({ runs: 30, seed: 7, leaseMs: 5_000, atOnce: 6, restarts: 1 });
  assert.deepEqual(faults, []);
  assert.match(lines[0] ?? '', /^30 runs: 24 killed, 3 stopped and continued, 3 ended/);
});
