import type { Operation, Run } from '@sitrep/schema';
import { operationKey } from '@sitrep/schema/reduce';
import type { SessionIndex } from '@sitrep/schema/reduce';
import { sessionNotices } from '@sitrep/schema/select';
import type { NoticeSlot, NoticeStep } from '@sitrep/schema/select';
import type { ProgressEvent } from '@sitrep/schema/wire';

/** What moved in a session since the last commit, so that what is to be told of it can be stored with it. */
export class SessionMoves {
  /** Records as they were before they were first touched. */
  readonly #operations = new Map<string, Operation | undefined>();
  readonly #runs = new Map<string, Run | undefined>();

  /** Takes note of what an event is about to touch. */
  note(event: ProgressEvent, index: SessionIndex): void {
    if (event.type === 'run') {
      if (!this.#runs.has(event.run)) this.#runs.set(event.run, index.runs.get(event.run));
    } else if (event.type === 'operation' || event.type === 'operation.clear') {
      const key = operationKey(event.id, event.run);
      if (!this.#operations.has(key)) this.#operations.set(key, index.find(event.id, event.run));
    }
  }

  /** Takes note of everything, because everything is about to go. */
  noteAll({ operations }: SessionIndex): void {
    for (const [key, operation] of operations) if (!this.#operations.has(key)) this.#operations.set(key, operation);
  }

  /** What is to be told: at most one step for each place. Forgets what moved. */
  take(index: SessionIndex): ReadonlyMap<NoticeSlot, NoticeStep> {
    const found = new Map<NoticeSlot, NoticeStep>();
    for (const [key, before] of this.#operations) {
      const operation = index.operations.get(key);
      if (operation === before) continue;
      const change = operation ? { operation, before } : before && { cleared: before };
      if (change) for (const step of sessionNotices(change, index)) add(found, step);
    }
    for (const [name, before] of this.#runs) {
      const run = index.runs.get(name);
      if (run && run !== before) for (const step of sessionNotices({ run, before }, index)) add(found, step);
    }
    this.#operations.clear();
    this.#runs.clear();
    return found;
  }
}

/** The last step of a place counts, but what is to be noticed is not lost to what only replaces. */
function add(found: Map<NoticeSlot, NoticeStep>, step: NoticeStep): void {
  const slot = 'show' in step ? step.show.slot : 'attention';
  const held = found.get(slot);
  const isKept = held !== undefined && 'show' in held && held.show.alert && !('show' in step && step.show.alert);
  if (!isKept) found.set(slot, step);
}
