import { Worker } from 'node:worker_threads';
import type { ModelReport } from './run.ts';

/** Runs the model in so many threads at once, each with seeds of its own, until all commands together have been run. */
export async function runModelMany(options: {
  readonly commands: number;
  readonly seed: number;
  readonly workers: number;
}): Promise<ModelReport> {
  const { commands, seed, workers } = options;
  const reports = await Promise.all(
    Array.from({ length: workers }, (_, n) => runInThread({ commands: Math.ceil(commands / workers), seed: seed + n * 1_000_000 })),
  );
  return reports.reduce(together);
}

function runInThread(workerData: { readonly commands: number; readonly seed: number }): Promise<ModelReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread of the model ended with ${code} and no report.`)));
  });
}

function together(one: ModelReport, other: ModelReport): ModelReport {
  const counts = { ...one.counts };
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += other.counts[key];
  const healed = new Map(one.healed);
  for (const [ms, runs] of other.healed) healed.set(ms, (healed.get(ms) ?? 0) + runs);
  return { runs: one.runs + other.runs, counts, healed, fault: one.fault ?? other.fault };
}
