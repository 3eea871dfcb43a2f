import type { WatchedSession } from '@sitrep/elements/page-signals';
import { operation, run } from './support.ts';

/** A session that tells of every move at once. */
export function watchedSession(percent: number): WatchedSession & { move(percent: number): void } {
  const listeners = new Set<(state: ReturnType<WatchedSession['getSnapshot']>) => void>();
  const state = (current: number): ReturnType<WatchedSession['getSnapshot']> => ({
    session: 's',
    loaded: true,
    connection: { state: 'live', since: 0 },
    card: { revision: 0, card: null },
    title: undefined,
    usage: undefined,
    operations: [operation({ run: 'r', current, total: 100 })],
    runs: [run()],
  });
  let now = state(percent);
  return {
    getSnapshot: () => now,
    subscribe(listener) {
      listeners.add(listener);
      listener(now);
      return () => void listeners.delete(listener);
    },
    move(current) {
      now = state(current);
      for (const listener of listeners) listener(now);
    },
  };
}
