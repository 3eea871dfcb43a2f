/**
 * Measuring, the same in Node and in a page. All cases of a table run interleaved, round by round and in turning
 * order, so that whatever disturbs the machine disturbs all of them; ratios are taken within a round and only then
 * reduced to their median.
 */

/** A small operation, repeated until the clock can see it. */
export interface Loop {
  readonly name: string;
  /** Does the operation `times` times. */
  run(times: number): void;
}

/** A long operation that is timed once per round. */
export interface Run {
  readonly name: string;
  /** How many things one run handles: times are given for one of them. */
  readonly count: number;
  /** Makes ready for one run, untimed. */
  before?(): void;
  run(): void | Promise<void>;
}

/** Nanoseconds per operation by case: one number a round, the same round at the same index in every case. */
export type Samples = Record<string, number[]>;

/** What times are taken from, in milliseconds. */
export const clock = { now: () => performance.now() };

/** Results are added here, so that no engine can leave the work out. */
export const sink = { value: 0 };

/** A loop over a pool of values that counts what `test` holds for. A power of two of values is expected. */
export function over<T>(name: string, pool: readonly T[], test: (value: T) => boolean): Loop {
  const mask = pool.length - 1;
  if ((pool.length & mask) !== 0) throw new Error(`over("${name}"): ${pool.length} values; a power of two is needed`);
  return {
    name,
    run(times) {
      let held = 0;
      for (let i = 0; i < times; i++) if (test(pool[i & mask] as T)) held++;
      sink.value += held;
    },
  };
}

function elapsed(loop: Loop, times: number): number {
  const start = clock.now();
  loop.run(times);
  return clock.now() - start;
}

/** Finds how many times fill `batchMs`, warming the case up on the way. */
function calibrate(loop: Loop, batchMs: number): number {
  let times = 1;
  let took = elapsed(loop, times);
  while (took < batchMs / 2) {
    times *= took < batchMs / 20 ? 8 : 2;
    took = elapsed(loop, times);
  }
  for (let i = 0; i < 2; i++) took = elapsed(loop, times);
  return Math.max(1, Math.round((times * batchMs) / Math.max(took, 0.001)));
}

/** Times small operations, interleaved. */
export function sampleLoops(loops: readonly Loop[], { rounds, batchMs }: { rounds: number; batchMs: number }): Samples {
  const times = new Map(loops.map((loop) => [loop, calibrate(loop, batchMs)]));
  const samples: Samples = Object.fromEntries(loops.map((loop) => [loop.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const loop of turned(loops, round)) {
      const n = times.get(loop)!;
      samples[loop.name]!.push((elapsed(loop, n) * 1e6) / n);
    }
  }
  return samples;
}

/** Times long operations, interleaved; one round before the first is not counted. */
export async function sampleRuns(runs: readonly Run[], { rounds }: { rounds: number }): Promise<Samples> {
  const samples: Samples = Object.fromEntries(runs.map((run) => [run.name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const run of turned(runs, round)) {
      run.before?.();
      const start = clock.now();
      await run.run();
      const took = clock.now() - start;
      if (round >= 0) samples[run.name]!.push((took * 1e6) / run.count);
    }
  }
  return samples;
}

/** Every second round backwards, so that no case always follows the same neighbour. */
export function turned<T>(cases: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? cases : cases.toReversed();
}

/** Median; the mean of the two in the middle where the number of values is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median of the ratios round by round: what `values` is in units of `base`. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.slice(0, base.length).map((value, round) => value / base[round]!));
}
