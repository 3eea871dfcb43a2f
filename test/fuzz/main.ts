import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

/** `npm run fuzz -- --runs N`: spoiled frames for every dialect; ends with 1 when one was not dealt with as it must be. */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string' }, dialect: { type: 'string', multiple: true } },
});
const runs = Number(values.runs);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: npm run fuzz -- [--runs <n>] [--seed <n>] [--dialect <name>]…\n');
  process.exit(2);
}

console.log(`seed ${seed}, ${runs} frames\n`);
const began = performance.now();
const sum = { frames: 0, read: 0, refused: 0, events: 0, written: 0 };
let faults = 0;
console.log('dialect            frames     read  refused   events  written  slowest ms  memory');
for (const report of fuzz({ runs, seed, dialects: values.dialect })) {
  const { counts } = report;
  for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counts[key];
  faults += report.faults.length;
  const cells = [counts.frames, counts.read, counts.refused, counts.events, counts.written].map((count) => String(count).padStart(8));
  console.log(
    `${report.dialect.padEnd(16)} ${cells.join(' ')}  ${report.slowest.toFixed(1).padStart(10)}  ${String(report.largestMemory).padStart(6)}`,
  );
  for (const { fault, frame } of report.faults) console.log(`  FAULT: ${fault}\n    ${frame}`);
}
const heap = process.memoryUsage().heapUsed / 2 ** 20;
console.log(
  `\n${sum.frames} frames in ${((performance.now() - began) / 1000).toFixed(1)} s: ${sum.read} read, ${sum.refused} refused with a reason, ` +
    `${sum.events} events, ${sum.written} frames written; ${faults} faults; heap at the end ${heap.toFixed(0)} MiB`,
);
process.exitCode = faults === 0 ? 0 : 1;
