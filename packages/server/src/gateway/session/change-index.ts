import { LIMITS } from '@sitrep/schema';
import type { SessionIndex } from '@sitrep/schema/reduce';
import type { Changes, Id } from '@sitrep/schema/wire';

/** Names an operation. */
interface OperationName {
  readonly id: Id;
  readonly run?: string | undefined;
}

type Changed = Omit<Changes, 'type' | 'session' | 'epoch' | 'after' | 'seq' | 'at'>;

/**
 * At which position each record of a session changed last: enough to tell the newest of everything that changed after any
 * position, one position a record and no events. Shared by all readers of the session, whichever position each stands at.
 */
export class ChangeIndex {
  /** What changed up to here, and what has gone up to here, is not known. */
  #floor: number;
  readonly #operations = new Map<string, number>();
  /** Operations that left the list, the one that left first at the front. */
  readonly #removed = new Map<string, { readonly seq: number; readonly name: OperationName }>();
  #runs: number;
  #card: number;
  #about: number;

  /** @param floor the position of the session as it was read from the store */
  constructor(floor: number) {
    this.#floor = this.#runs = this.#card = this.#about = floor;
  }

  operation(key: string, seq: number): void {
    this.#operations.set(key, seq);
  }

  removed(key: string, name: OperationName, seq: number): void {
    this.#operations.delete(key);
    this.#removed.delete(key);
    this.#removed.set(key, { seq, name });
    if (this.#removed.size <= LIMITS.operations) return;
    const [oldest] = this.#removed;
    if (!oldest) return;
    this.#removed.delete(oldest[0]);
    this.#floor = oldest[1].seq;
  }

  runs(seq: number): void {
    this.#runs = seq;
  }

  card(seq: number): void {
    this.#card = seq;
  }

  about(seq: number): void {
    this.#about = seq;
  }

  /** The newest of everything that changed after a position; undefined when that is not known any more. */
  since(after: number, index: SessionIndex): Changed | undefined {
    if (after < this.#floor) return undefined;
    const { card, revision, updatedAt, run } = index.card;
    return {
      removed: [...this.#removed.values()].flatMap(({ seq, name: { id, run: of } }) =>
        seq > after ? [of === undefined ? { id } : { id, run: of }] : [],
      ),
      operations: [...index.operations].flatMap(([key, record]) => ((this.#operations.get(key) ?? 0) > after ? [record] : [])),
      ...(this.#runs > after ? { runs: [...index.runs.values()] } : undefined),
      ...(this.#card > after
        ? {
            revision,
            card,
            ...(updatedAt === undefined ? undefined : { cardUpdatedAt: updatedAt }),
            ...(run === undefined ? undefined : { cardRun: run }),
          }
        : undefined),
      ...(this.#about > after ? { title: index.title ?? null, usage: index.usage ?? null } : undefined),
    };
  }
}
