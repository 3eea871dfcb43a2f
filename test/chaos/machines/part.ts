import { grouped, part } from '../table.ts';
import type { Part } from '../table.ts';
import { runRace } from './race.ts';
import { MACHINE_FAULTS, runMachines } from './run.ts';

/** Several gateways on one Redis while everything fails in turn, and a race for one card, as a part of `npm run chaos`. */
export function machinesPart({ writes, rounds = 3 }: { readonly writes: number; readonly rounds?: number }): Promise<Part> {
  return part('many machines', async () => {
    const lines: string[] = [];
    const faults: string[] = [];
    const healed: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const { wrong, healedMs, ...counts } = await runMachines({ faults: MACHINE_FAULTS });
      healed.push(...healedMs);
      faults.push(...wrong);
      lines.push(`round ${round} of ${rounds}: ${JSON.stringify(counts)}`);
    }
    healed.sort((a, b) => a - b);
    const at = (share: number): string => grouped(healed[Math.ceil(healed.length * share) - 1] ?? 0);
    lines.push(`${healed.length} faults: time to the truth p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
    if (writes > 0) {
      const race = await runRace(writes);
      faults.push(...race.wrong);
      lines.push(
        `${grouped(race.writes)} racing writes of one card: ${grouped(race.wins)} won, ${grouped(race.conflicts)} told of a conflict, revision ${grouped(race.revision)}`,
      );
    }
    return { lines, faults };
  });
}
