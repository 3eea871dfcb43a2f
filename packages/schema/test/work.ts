/** Rounds of measuring at most. A busy machine takes the thread away in some of them, and not in the quickest. */
const ROUNDS = 60;

/**
 * How many times the work `small` takes `large` takes: the quickest round of each, as they are run in turn. Stops once it is
 * below `bound`: more rounds only make it less.
 */
export function timesTheWork(large: () => void, small: () => void, bound: number): number {
  let ratio = Infinity;
  const best = { large: Infinity, small: Infinity };
  for (let round = 0; round < ROUNDS && !(round >= 5 && ratio < bound); round++) {
    best.small = Math.min(best.small, timed(small));
    best.large = Math.min(best.large, timed(large));
    ratio = best.large / best.small;
  }
  return ratio;
}

/** Milliseconds that it takes: run again where it took longer than `patience`, which a machine busy with other things can do. */
export function leastTime(run: () => void, patience: number): number {
  let least = Infinity;
  for (let round = 0; round < 3 && least >= patience; round++) least = Math.min(least, timed(run) / 1e6);
  return least;
}

function timed(run: () => void): number {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start);
}
