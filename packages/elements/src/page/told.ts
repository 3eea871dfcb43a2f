import type { NoticeChange } from '@sitrep/schema/select';

/** Ends that are remembered. */
const LIMIT = 2_000;

/** The ends that were told, so that none is told twice when a session is read anew. */
export class Told {
  readonly #told = new Set<string>();

  /** True the first time a session ends in this way. */
  isNew(session: string, change: NoticeChange): boolean {
    const key = JSON.stringify(
      'run' in change
        ? [session, change.run.run, change.run.state]
        : 'operation' in change
          ? [session, change.operation.id, change.operation.run, change.operation.attempt]
          : [session],
    );
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    if (this.#told.size > LIMIT) for (const first of this.#told) return this.#told.delete(first);
    return true;
  }
}
