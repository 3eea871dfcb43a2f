import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultsOf, linesOf } from '../../chaos/faults/part.ts';
import { runFaults } from '../../chaos/faults/run.ts';
import { FAULTS } from './proxy.ts';

/** A share of what `npm run chaos` runs. The seed is another one each time: what goes wrong is printed with it. */
const COUNT = 900;

describe('readers and producers of a gateway that is killed, stopped and drained, through a network that spoils every connection', () => {
  it(`never see what was not true, lose nothing, and end at the truth, over ${COUNT} faults`, { timeout: 600_000 }, async (t) => {
    const seed = Date.now() % 1_000_000_000;
    t.diagnostic(`seed ${seed}`);
    const report = await runFaults({ faults: COUNT, seed, sessions: 4, writeMs: 30 });
    for (const line of linesOf(report)) t.diagnostic(line);
    assert.deepEqual(faultsOf(report), []);
    assert.ok(report.total >= COUNT, `${report.total} faults`);
    for (const fault of [...FAULTS, 'page died']) assert.ok((report.happened.get(fault) ?? 0) > 0, `${fault} never happened`);
    assert.ok(
      [...report.happened.keys()].some((what) => what.startsWith('gateway ')),
      'the gateway never suffered',
    );
    assert.ok(report.views > COUNT && report.events > COUNT / 2 && report.acknowledged > COUNT / 2);
    for (const code of ['watchdog', 'network', 'timeout']) assert.ok(report.survived.has(code), `${code} was never survived`);
  });
});
