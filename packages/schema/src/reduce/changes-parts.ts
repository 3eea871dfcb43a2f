import type { CardRecord } from '../wire/card.ts';
import type { Changes } from '../wire/changes.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import { isOrderable } from './guard.ts';
import { sessionRecord } from './session.ts';
import type { SessionRecord } from './session.ts';
import { cardOf, isLoadable, keep } from './snapshot-parts.ts';
import type { Held } from './snapshot-parts.ts';

/** Changes taken apart into records, all read before anything is stored; undefined for what has not changed. */
interface ChangesParts {
  readonly removed: Changes['removed'];
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[] | undefined;
  readonly card: CardRecord | undefined;
  readonly about: SessionRecord | undefined;
}

/** The records of changes; undefined when they are of another session, or hold what the index could not order. */
export function changedParts(changes: Changes, held: Held): ChangesParts | undefined {
  try {
    const { session, removed, operations, runs, card = null, revision, title, usage } = changes;
    const named = removed.every(({ id, run }) => isOrderable({ type: 'operation.clear', session, id, run, at: 0 }));
    if (session !== held.session || !named || !isLoadable({ session, card, revision: revision ?? 0, operations, runs: runs ?? [] }))
      return undefined;
    return {
      removed,
      operations: operations.map((operation) => keep(held.find(operation.id, operation.run), operation)),
      runs: runs?.map((run) => keep(held.runs.get(run.run), run)),
      card: revision === undefined ? undefined : keep(held.card, cardOf({ ...changes, card, revision })),
      about: title === undefined && usage === undefined ? undefined : sessionRecord(title ?? undefined, usage ?? undefined),
    };
  } catch {
    return undefined;
  }
}
