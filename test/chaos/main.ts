import { parseArgs } from 'node:util';
import { faultsPart } from './faults/part.ts';
import { truthPart } from './faults/truth.ts';
import { killedPart } from './killed/part.ts';
import { machinesPart } from './machines/part.ts';
import { modelPart } from './model/part.ts';
import { tableOf } from './table.ts';
import type { Part } from './table.ts';

/**
 * `npm run chaos -- --commands N --faults N --runs N --writes N --seed S --only part`: everything that may go wrong between a producer
 * and a reader, at random, and what came of it. Ends with 1 when anything was not as it must be.
 */
const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '10000000' },
    faults: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '1000' },
    writes: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const commands = Number(values.commands);
const faults = Number(values.faults);
const runs = Number(values.runs);
const writes = Number(values.writes);

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  model: () => modelPart({ commands, seed }),
  faults: () => faultsPart({ faults, seed, sessions: 8, writeMs: 40 }),
  truth: () => truthPart({ seed }),
  killed: () => killedPart({ runs, seed }),
  machines: () => machinesPart({ writes }),
};
const chosen = values.only ?? Object.keys(PARTS);
const unknown = chosen.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0 || ![seed, commands, faults, runs, writes].every((n) => Number.isSafeInteger(n) && n >= 0)) {
  const parts = Object.keys(PARTS).join('|');
  process.stderr.write(
    `usage: npm run chaos -- [--commands <n>] [--faults <n>] [--runs <n>] [--writes <n>] [--seed <n>] [--only ${parts}]…\n`,
  );
  process.exit(2);
}

console.log(`seed ${seed}\n`);
const parts: Part[] = [];
for (const name of chosen) {
  const done = await PARTS[name]!();
  console.log(`${tableOf([done])}\n`);
  parts.push(done);
}
const wrong = parts.reduce((sum, part) => sum + part.faults.length, 0);
console.log(wrong === 0 ? 'No gap, no repetition, nothing turned back, nothing lost.' : `${wrong} faults; again with --seed ${seed}`);
process.exitCode = wrong === 0 ? 0 : 1;
