/** What one part of a run came to. A part that found nothing wrong has no faults. */
export interface Part {
  readonly name: string;
  /** What was run, compared and measured, a short text each. */
  readonly lines: readonly string[];
  /** What went wrong, ready to be read. */
  readonly faults: readonly string[];
  readonly seconds: number;
}

/** A whole number in groups of three digits. */
export const grouped = (n: number): string => n.toLocaleString('en-US', { maximumFractionDigits: 0 });

/** The parts one below the other, and what went wrong in them at the end. */
export function tableOf(parts: readonly Part[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length));
  const rows = parts.flatMap(({ name, lines, faults, seconds }) => {
    const all = [...lines, `${faults.length === 0 ? 'no fault' : `${faults.length} FAULTS`}, ${seconds.toFixed(0)} s`];
    return all.map((line, n) => `${(n === 0 ? name : '').padEnd(width)}  ${line}`);
  });
  const wrong = parts.flatMap(({ name, faults }) => faults.map((fault) => `\nFAULT in ${name}: ${fault}`));
  return [...rows, ...wrong].join('\n');
}

/** Runs a part and notes how long it took; one that throws has gone wrong. */
export async function part(name: string, run: () => Promise<Pick<Part, 'lines' | 'faults'>>): Promise<Part> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  try {
    return { name, ...(await run()), seconds: seconds() };
  } catch (error) {
    return { name, lines: [], faults: [(error as Error).stack ?? String(error)], seconds: seconds() };
  }
}
