import fc from 'fast-check';
import { lineOf, script } from './commands.ts';
import type { Script } from './commands.ts';
import { World } from './world.ts';
import type { Counts } from './world.ts';

export interface ModelOptions {
  readonly commands: number;
  readonly seed: number;
  /** False to answer with the first counterexample as it is. Default: true. */
  readonly shrink?: boolean | undefined;
}

/** What many runs came to. */
export interface ModelReport {
  readonly runs: number;
  /** Sums over all runs, but for the time to the truth. */
  readonly counts: Omit<Counts, 'healedMs'>;
  /** Milliseconds of the worlds' time to the truth, once nothing went wrong any more: how many runs took how long. */
  readonly healed: ReadonlyMap<number, number>;
  /** The first run that went wrong, as short as could be made, ready to be read. */
  readonly fault: string | undefined;
}

/** Runs between two looks at the count. */
const GROUP = 100;

/** Runs scripts until so many commands have been run, or one went wrong. */
export async function runModel(options: ModelOptions): Promise<ModelReport> {
  const { commands, seed, shrink = true } = options;
  const counts = { commands: 0, events: 0, views: 0, acknowledged: 0 };
  const healed = new Map<number, number>();
  let runs = 0;
  const property = fc.asyncProperty(script, async (one) => {
    const world = new World(one);
    try {
      await world.run(one.commands);
    } finally {
      runs += 1;
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) counts[key] += world.counts[key];
      healed.set(world.counts.healedMs, (healed.get(world.counts.healedMs) ?? 0) + 1);
    }
  });
  for (let group = 0; counts.commands < commands; group += 1) {
    const details = await fc.check(property, { seed: seed + group, numRuns: GROUP, endOnFailure: !shrink });
    if (details.failed) return { runs, counts, healed, fault: faultOf(details) };
  }
  return { runs, counts, healed, fault: undefined };
}

function faultOf({ seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<[Script]>): string {
  const { operationLimit, flushMs, commands = [] } = counterexample?.[0] ?? {};
  const error = errorInstance as Error | null;
  const what = `seed ${seed}, path ${counterexamplePath}: ${error?.message ?? 'no message'}`;
  const limit = [
    ...(operationLimit === undefined ? [] : [`  at most ${operationLimit} operations`]),
    ...(flushMs === undefined ? [] : [`  told every ${flushMs} ms`]),
  ];
  return [what, ...limit, ...commands.map((command) => `  ${lineOf(command)}`), error?.stack ?? ''].join('\n');
}
