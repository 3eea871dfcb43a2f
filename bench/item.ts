import type { Table } from './report.ts';

/** How thorough a run is. */
export interface Options {
  /** Few rounds and small inputs: shows that everything runs, and rough ratios. */
  readonly quick: boolean;
  /** Tells what is going on while it takes time. */
  progress(text: string): void;
}

/** What one item hands back. */
export interface Result {
  readonly tables: readonly Table[];
  /** Versions of what the item ran on besides Node: the browser's, say. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

/** One subject of the benchmark. Each runs in a process of its own, so that none leaves its heap to the next. */
export interface Item {
  readonly name: string;
  readonly about: string;
  run(options: Options): Promise<Result>;
}
