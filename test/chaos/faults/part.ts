import { grouped, part } from '../table.ts';
import type { Part } from '../table.ts';
import { runFaults } from './run.ts';
import type { FaultsOptions, FaultsReport } from './run.ts';

/** The scripted faults, as a part of `npm run chaos`. */
export function faultsPart(options: FaultsOptions): Promise<Part> {
  return part('faults', async () => {
    const report = await runFaults(options);
    return { lines: linesOf(report), faults: faultsOf(report) };
  });
}

/** What was run, in words. */
export function linesOf(report: FaultsReport): string[] {
  const { happened, total, events, views, acknowledged, conflicts, late, survived, healedMs } = report;
  const list = (counts: ReadonlyMap<string, number>): string => Array.from(counts, ([what, n]) => `${what} ${grouped(n)}`).join(', ');
  return [
    `${grouped(total)} faults: ${list(happened)}`,
    `${grouped(events)} events in the store's log, ${grouped(acknowledged)} writes acknowledged, ${grouped(conflicts)} told of a conflict, ${grouped(late)} that they came too late`,
    `${grouped(views)} views compared with the log, event by event; survived: ${list(survived)}`,
    `the last reader showed the end ${grouped(healedMs)} ms after everything was whole again`,
  ];
}

/** Everything that was not as it must be. */
export function faultsOf(report: FaultsReport): string[] {
  const { untrue, reversals, dropped, lost, doubled, behind, examples, views, total } = report;
  if (views < total / 4) return [`Only ${views} views over ${total} faults: too few to say anything. Is the machine too busy?`];
  const counts = { untrue, reversals, dropped, lost, doubled, behind };
  const wrong = Object.entries(counts).filter(([, n]) => n > 0);
  return wrong.length === 0 ? [] : [[wrong.map(([what, n]) => `${what} ${n}`).join(', '), ...examples].join('\n  ')];
}
