import type { Operation, Run } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';

/** Where the rows come from: own properties first, the session otherwise. */
export interface TreeInput {
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly connection: Connection | undefined;
  /** Why there is nothing new, for the reader. */
  readonly problem: string | undefined;
  readonly loading: boolean;
}

const NONE: readonly never[] = [];

/** What belongs to one run, or everything. The same records give the same answer, so that nothing looks changed. */
export class OfRun {
  #last: { readonly from: readonly Operation[]; readonly run: string; readonly operations: readonly Operation[] } | undefined;

  operations(from: readonly Operation[] = NONE, run: string | undefined): readonly Operation[] {
    if (!run) return from;
    if (this.#last?.from !== from || this.#last.run !== run)
      this.#last = { from, run, operations: from.filter((operation) => operation.run === run) };
    return this.#last.operations;
  }

  runs(from: readonly Run[] = NONE, run: string | undefined): readonly Run[] {
    return run ? from.filter((one) => one.run === run) : from;
  }
}
