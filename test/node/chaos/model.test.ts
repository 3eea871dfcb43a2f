import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runModel } from '../../chaos/model/run.ts';
import { percentile } from '../../chaos/percentile.ts';

/** A share of what `npm run chaos` runs. The seed is another one each time: what goes wrong is printed with it. */
const COMMANDS = 300_000;

describe('producers, a gateway, its store and readers, with a network that does what it likes', () => {
  it('never show what was not true at that place, and end at the truth', { timeout: 600_000 }, async (t) => {
    const seed = Date.now() % 1_000_000_000;
    t.diagnostic(`seed ${seed}`);
    const { runs, counts, healed, fault } = await runModel({ commands: COMMANDS, seed, shrink: process.env['CHAOS_SHRINK'] !== 'no' });
    assert.equal(fault, undefined, fault);
    assert.ok(counts.commands >= COMMANDS && counts.commands / runs > 50, 'runs long enough to prove something');
    assert.ok(counts.events > COMMANDS / 10 && counts.views > COMMANDS / 10 && counts.acknowledged > COMMANDS / 20);
    t.diagnostic(`${counts.commands} commands in ${runs} runs, ${counts.events} events stored, ${counts.views} views compared`);
    // By the time of the worlds, in which a lost connection is dialled again after 250 ms and a heartbeat comes each second.
    assert.ok(percentile(healed, 99) <= 2_000, `the truth took ${percentile(healed, 99)} ms`);
  });
});
