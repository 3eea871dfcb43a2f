import { median, ratio } from './harness.ts';

/** What one column of a table measures. */
export interface Metric {
  readonly key: string;
  readonly label: string;
  /** `ns` is printed in the unit that reads best; the others as they are. */
  readonly unit: 'ns' | 'us' | 'ms' | 'B' | 'fps' | 'count';
  /** Which direction is good; decides what "best" means. */
  readonly better: 'less' | 'more';
}

/** One case: its values per round, by metric. Absent metrics print as a dash. */
export interface Row {
  readonly name: string;
  readonly samples: Readonly<Record<string, readonly number[]>>;
  /** Why the case did not run, where it did not. */
  readonly failed?: string | undefined;
}

/** Cases that were measured together, and what they are compared with. */
export interface Table {
  readonly title: string;
  readonly note?: string | undefined;
  readonly metrics: readonly Metric[];
  readonly rows: readonly Row[];
  /** Name of the case that stands for what is possible at all. */
  readonly limit?: string | undefined;
  /** Names of our own cases: every other is given as a multiple of each. */
  readonly ours: readonly string[];
}

export const TIME: Metric = { key: 'time', label: 'time', unit: 'ns', better: 'less' };

/** The rows of a one-metric table. */
export function timeRows(samples: Readonly<Record<string, readonly number[]>>): Row[] {
  return Object.entries(samples).map(([name, time]) => ({ name, samples: { time } }));
}

const fixed = (value: number) =>
  !Number.isFinite(value) ? '–' : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

function show(value: number, unit: Metric['unit']): string {
  if (unit === 'ns') {
    if (value >= 1e6) return `${fixed(value / 1e6)} ms`;
    if (value >= 1e3) return `${fixed(value / 1e3)} µs`;
    return `${fixed(value)} ns`;
  }
  if (unit === 'us') return `${fixed(value)} µs`;
  if (unit === 'ms') return `${fixed(value)} ms`;
  if (unit === 'B') return value >= 10_000 ? `${(value / 1000).toFixed(1)} kB` : `${value.toFixed(0)} B`;
  return unit === 'fps' ? value.toFixed(0) : fixed(value);
}

const best = (values: readonly number[], metric: Metric) => (metric.better === 'less' ? Math.min(...values) : Math.max(...values));
const baseOf = (table: Table, name: string | undefined, key: string) =>
  name === undefined ? undefined : table.rows.find((row) => row.name === name)?.samples[key];

/** Column heads and cells of a table, as text. */
function cells(table: Table): { head: string[]; body: string[][] } {
  const single = table.metrics.length === 1;
  const bases = [table.limit, ...table.ours].filter((name) => name !== undefined);
  const head = ['case'];
  for (const metric of table.metrics) {
    if (single) head.push('median', 'best', ...bases.map((name) => `× ${name}`));
    else head.push(`${metric.label}${metric.better === 'more' ? ' (more is better)' : ''}`);
  }
  const body = table.rows.map((row) => {
    if (row.failed !== undefined) return [row.name, `does not run: ${row.failed}`];
    const line = [row.name];
    for (const metric of table.metrics) {
      const values = row.samples[metric.key];
      if (!values || values.length === 0) {
        line.push(...Array.from({ length: single ? 2 + bases.length : 1 }, () => '–'));
        continue;
      }
      const times = (name: string) => {
        const base = baseOf(table, name, metric.key);
        return base && base.length > 0 ? fixed(ratio(values, base)) : '–';
      };
      if (single) line.push(show(median(values), metric.unit), show(best(values, metric), metric.unit), ...bases.map(times));
      else line.push([show(median(values), metric.unit), ...table.ours.map((name) => `×${times(name)}`)].join('  '));
    }
    return line;
  });
  return { head, body };
}

/** A table as aligned text. */
export function printed(table: Table): string {
  const { head, body } = cells(table);
  const whole = [head, ...body.filter((line) => line.length === head.length)];
  const widths = head.map((_, column) => Math.max(...whole.map((line) => line[column]!.length)));
  widths[0] = Math.max(...[head, ...body].map((line) => line[0]!.length));
  const line = (parts: readonly string[]) =>
    parts
      .map((part, column) => (column === 0 ? part.padEnd(widths[0]!) : part.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [`\n${table.title}`, ...(table.note ? [`  ${table.note}`] : []), line(head), rule, ...body.map(line)].join('\n');
}

const short = (value: number) => Number(value.toPrecision(4));

/** A table as data for the results file: objects only, keyed by case. */
export function recorded(table: Table): object {
  const cases = table.rows.map((row) => {
    if (row.failed !== undefined) return [row.name, { failed: row.failed }];
    const metrics = table.metrics.flatMap((metric) => {
      const values = row.samples[metric.key];
      if (!values || values.length === 0) return [];
      const ratios = [table.limit, ...table.ours].flatMap((name) => {
        const base = baseOf(table, name, metric.key);
        const times = name === undefined || !base || base.length === 0 ? NaN : ratio(values, base);
        return Number.isFinite(times) ? [[name, short(times)]] : [];
      });
      const record = {
        unit: metric.unit,
        median: short(median(values)),
        best: short(best(values, metric)),
        rounds: values.length,
        times: Object.fromEntries(ratios),
      };
      return [[metric.key, record]];
    });
    return [row.name, Object.fromEntries(metrics)];
  });
  return { title: table.title, limit: table.limit, cases: Object.fromEntries(cases) };
}
