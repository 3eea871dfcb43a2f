import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY_MUTANTS } from './gateway-mutants.ts';
import { RULE_MUTANTS } from './mutants.ts';
import { READER_MUTANTS } from './reader-mutants.ts';
import { assertFit, Nursery } from './run-mutant.ts';
import type { Patience } from './run-mutant.ts';

/** `npm run mutants`: puts each fault into the built packages and shows which test notices it. Ends with 1 when one lives. */
const MUTANTS = [...RULE_MUTANTS, ...READER_MUTANTS, ...GATEWAY_MUTANTS];
const WORKERS = 2;

const alive: string[] = [];
const queue = [...MUTANTS.entries()];
const began = performance.now();

function nurseryOf(worker: number): Nursery {
  return new Nursery(join(tmpdir(), `sitrep-mutants-${process.pid}-${worker}`));
}

async function unharmed(): Promise<Patience> {
  using nursery = nurseryOf(0);
  return await nursery.tryUnharmed();
}

async function work(worker: number, patience: Patience): Promise<void> {
  using nursery = nurseryOf(worker);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [index, mutant] = next;
    const fate = await nursery.try(mutant, patience);
    if (!fate.killed) alive.push(mutant.why);
    const verdict = fate.killed ? `killed by: ${fate.by}` : 'ALIVE';
    console.log(`${String(index + 1).padStart(2)} ${mutant.package ?? 'schema'}/${mutant.file}: ${mutant.why}\n   ${verdict}`);
  }
}

assertFit(MUTANTS);
const patience = await unharmed();
await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker, patience)));
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`\n${MUTANTS.length} mutants, ${MUTANTS.length - alive.length} killed, ${alive.length} alive, in ${seconds} s`);
// In the form the other steps of the tests count in.
console.log(`${MUTANTS.length - alive.length} passed, ${alive.length} failed`);
process.exitCode = alive.length === 0 ? 0 : 1;
