/** Everything that delivery is held to, measured one after the other, in one table. For a machine that does nothing else. */
import type { Item } from '../item.ts';
import type { Table } from '../report.ts';
import { median } from '../harness.ts';
import { item as eventSource } from '../items/event-source.ts';
import { item as fanOut } from '../items/fan-out.ts';
import { item as slowReaders } from '../items/slow-readers.ts';
import { runLoad } from './run.ts';

export interface Line {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly reached: boolean;
}

const MEGABYTE = 1_048_576;

/** Values of one case in the order of the rounds. */
function samplesOf(tables: readonly Table[], name: string, key: string): readonly number[] {
  for (const { rows } of tables) {
    const values = rows.find((row) => row.name === name && row.samples[key] !== undefined)?.samples[key];
    if (values !== undefined && values.length > 0) return values;
  }
  throw new Error(`Nothing was measured for ${name} (${key}).`);
}

/** Median over the rounds of how many times one case is another. */
function times(tables: readonly Table[], one: string, other: string, key: string): number {
  const divisors = samplesOf(tables, other, key);
  return median(samplesOf(tables, one, key).map((value, round) => value / (divisors[round] as number)));
}

async function measured(item: Item, progress: (text: string) => void): Promise<readonly Table[]> {
  return (await item.run({ quick: true, progress: (text) => progress(`${item.name}: ${text}`) })).tables;
}

/** Measures everything and answers one line for each goal. */
export async function goals(progress: (text: string) => void): Promise<Line[]> {
  const lines: Line[] = [];
  const most = (what: string, value: number, limit: number, unit: string): void =>
    void lines.push({ what, goal: `≤ ${limit}${unit}`, measured: `${value.toFixed(2)}${unit}`, reached: value <= limit });
  const least = (what: string, value: number, limit: number): void =>
    void lines.push({ what, goal: `≥ ${limit} ×`, measured: `${value.toFixed(2)} ×`, reached: value >= limit });

  const fan = await measured(fanOut, progress);
  const [ours, raw] = ['ours', 'raw sockets, one shared chunk'];
  most('processor time of a delivery, of raw sockets', times(fan, ours, raw, 'cpu'), 1.1, ' ×');
  for (const [peer, limit] of [
    ['better-sse', 2],
    ['hono streamSSE', 5],
    ['graphql-sse', 5],
  ] as const)
    least(`  ${peer} takes more of it than ours`, times(fan, peer, ours, 'cpu'), limit);
  most('with events gathered, an event', median(samplesOf(fan, 'ours, 10 operations, gathered for 100 ms', 'cpu')), 3, ' µs');
  most('heap of an idle reader', median(samplesOf(fan, ours, 'heap')) / 1_000, 5, ' kB');

  const slow = await measured(slowReaders, progress);
  const [alone, beside] = slow.flatMap(({ rows }) => rows.map(({ name }) => name)) as [string, string];
  most('200 readers that do not read, memory', Math.max(...samplesOf(slow, beside, 'memory')) / MEGABYTE, 64, ' MiB');
  const p99 = times(slow, beside, alone, 'p99');
  lines.push({
    what: '  p99 of those beside them, of what it is without',
    goal: '0.9 to 1.1 ×',
    measured: `${p99.toFixed(2)} ×`,
    reached: p99 <= 1.1,
  });

  const page = await measured(eventSource, progress);
  const native = 'native EventSource, parsed into one Map';
  least('events a second in Chromium, of the native EventSource', times(page, native, 'ours: source', 'time'), 15);

  const load = { sessions: 10, rate: 4, transport: 'sse', store: 'memory', flushMs: 0, operations: 10 } as const;
  const { p99: delay, lost, cpu } = await runLoad({ ...load, clients: 5_000, seconds: 20 }, progress);
  most('5,000 readers, 4 events/s each: p99', delay, 250, ' ms');
  most('  lost, twice or out of order', lost, 0, '');
  lines.push({ what: '  processor time of a delivery', goal: '', measured: `${cpu.toFixed(1)} µs`, reached: true });
  return lines;
}

/** Lines under one another. */
export function table(lines: readonly Line[]): string {
  const width = (key: 'what' | 'goal' | 'measured'): number => Math.max(...lines.map((line) => line[key].length));
  const [what, goal, value] = [width('what'), width('goal'), width('measured')];
  return lines
    .map(
      (line) =>
        `  ${line.what.padEnd(what)}  ${line.goal.padEnd(goal)}  ${line.measured.padStart(value)}  ${line.goal === '' ? '' : line.reached ? 'reached' : 'missed'}`,
    )
    .join('\n');
}
