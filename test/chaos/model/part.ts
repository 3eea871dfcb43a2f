import { availableParallelism } from 'node:os';
import { percentile } from '../percentile.ts';
import { grouped, part } from '../table.ts';
import type { Part } from '../table.ts';
import { runModelMany } from './many.ts';

/** The model, as a part of `npm run chaos`. */
export function modelPart({ commands, seed }: { readonly commands: number; readonly seed: number }): Promise<Part> {
  return part('model', async () => {
    const { runs, counts, healed, fault } = await runModelMany({ commands, seed, workers: Math.min(4, availableParallelism()) });
    const ms = [50, 99, 100].map((percent) => percentile(healed, percent));
    return {
      lines: [
        `${grouped(counts.commands)} commands in ${grouped(runs)} runs over gateway, store, relay and readers`,
        `${grouped(counts.events)} events stored, ${grouped(counts.acknowledged)} requests answered as the rules say`,
        `${grouped(counts.views)} views compared with what was true at their position`,
        `time to the truth once whole again, by the time of the model: p50 ${ms[0]} ms, p99 ${ms[1]} ms, longest ${ms[2]} ms`,
      ],
      faults: fault === undefined ? [] : [fault],
    };
  });
}
