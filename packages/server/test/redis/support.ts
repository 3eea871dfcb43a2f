import assert from 'node:assert/strict';
import type { SharedStore, Store } from '@sitrep/server/store';

/** Options of a store that says nothing. */
export const quiet = { log: () => undefined };

/** What a store has that several gateways share. */
export function sharedOf(store: Store): SharedStore {
  assert.ok(store.shared);
  return store.shared;
}

/** Waits for a condition, not for a time. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
