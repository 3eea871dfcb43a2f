import { parseArgs } from 'node:util';
import { runRace } from './race.ts';
import { MACHINE_FAULTS, runMachines } from './run.ts';

/**
 * `node test/chaos/machines/main.ts --rounds N --writes N`: several gateways on one Redis while each of them, Redis and the links
 * between them fail in turn, so many times; then a race of four processes for one card. Ends with 1 when anything was not as it
 * must be.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, writes: { type: 'string', default: '100000' } } });
const [rounds, writes] = [Number(values.rounds), Number(values.writes)];
if (![rounds, writes].every((n) => Number.isSafeInteger(n) && n >= 0)) {
  process.stderr.write('usage: node test/chaos/machines/main.ts [--rounds <n>] [--writes <n>]\n');
  process.exit(2);
}

let wrong = 0;
const healed: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  const { wrong: found, healedMs, ...counts } = await runMachines({ faults: MACHINE_FAULTS });
  healed.push(...healedMs);
  console.log(`round ${round} of ${rounds}: ${JSON.stringify(counts)}; worst ${Math.round(Math.max(...healedMs))} ms to the truth`);
  for (const line of found) console.log(line);
  wrong += found.length;
}
if (rounds > 0) {
  healed.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(healed[Math.ceil(healed.length * share) - 1] ?? 0);
  console.log(`${healed.length} faults: to the truth p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`);
}
if (writes > 0) {
  const race = await runRace(writes);
  console.log(
    `race: ${race.writes} writes, ${race.wins} wins, ${race.conflicts} losers told, revision ${race.revision}, ${race.seconds.toFixed(1)} s`,
  );
  for (const line of race.wrong) console.log(line);
  wrong += race.wrong.length;
}
console.log(wrong === 0 ? 'No gap, no repetition, nothing turned back, nothing lost.' : `${wrong} faults`);
process.exitCode = wrong === 0 ? 0 : 1;
