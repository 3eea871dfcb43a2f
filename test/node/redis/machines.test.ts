import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runRace } from '../../chaos/machines/race.ts';
import { MACHINE_FAULTS, runMachines } from '../../chaos/machines/run.ts';

describe('several gateways on one Redis', () => {
  it('show every reader the truth after each of them, Redis or the link between them failed', { timeout: 240_000 }, async (t) => {
    const report = await runMachines({ faults: MACHINE_FAULTS, stillMs: 2_500, say: (line) => t.diagnostic(line) });
    assert.deepEqual(report.wrong, []);
    assert.ok(report.acknowledged > 50, `${report.acknowledged} acknowledged`);
    assert.ok(report.events > report.acknowledged, `${report.events} events read`);
    assert.ok(report.refused > 0, 'nothing was refused while Redis was away');
  });

  it('lose none of the writes four processes race with, and tell every loser', { timeout: 240_000 }, async () => {
    const race = await runRace(2_000);
    assert.deepEqual(race.wrong, []);
    assert.ok(race.conflicts > 0 && race.wins > 0);
  });
});
