import type { Snapshot } from '@sitrep/schema/wire';
import type { StoredSession } from '../../store/store.ts';

/** A session as a store has it, as one that can be loaded into an index. */
export function storedSnapshot(stored: StoredSession): Snapshot {
  const { session, epoch, seq, card, title, usage } = stored;
  return {
    type: 'snapshot',
    session,
    epoch,
    seq,
    at: stored.updatedAt,
    card: card.card,
    revision: card.revision,
    ...(card.updatedAt === undefined ? {} : { cardUpdatedAt: card.updatedAt }),
    ...(card.run === undefined ? {} : { cardRun: card.run }),
    operations: stored.operations.map(({ record }) => record),
    runs: [...stored.runs],
    ...(title === undefined ? {} : { title }),
    ...(usage === undefined ? {} : { usage }),
  };
}
