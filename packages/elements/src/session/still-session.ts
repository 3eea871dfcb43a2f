import type { Snapshot } from '@sitrep/schema';
import type { FeedState } from '../display/feed.ts';

/** A snapshot as elements read it: up to date when it was taken. */
export function stillSession(snapshot: Snapshot): FeedState {
  const { session, operations, runs, title, usage, card, revision, cardUpdatedAt: updatedAt, cardRun: run, at } = snapshot;
  return {
    session: {
      session,
      loaded: true,
      card: { revision, card, ...(updatedAt !== undefined && { updatedAt }), ...(run !== undefined && { run }) },
      operations,
      runs,
      title,
      usage,
      connection: { state: 'live', since: at },
    },
    error: undefined,
  };
}
