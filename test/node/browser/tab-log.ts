import assert from 'node:assert/strict';
import type { Pages } from './site.ts';
import type { SharedPage } from './shared-page.ts';

/** What one page has of the session. */
export type Log = Omit<SharedPage, 'state' | 'leading' | 'opened'> & ReturnType<SharedPage['state']>;

/** Writes one event after the other, each with its own number, until it is stopped; the number is also its position. */
export function writing(site: Pages): { readonly written: () => number; stop(): Promise<number> } {
  let n = 0;
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      n += 1;
      await site.gateway.publish('s', [{ type: 'operation', id: `op-${n % 5}`, state: 'running', current: n }]);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  // Of a test that has failed on something else.
  done.catch(() => undefined);
  return {
    written: () => n,
    async stop() {
      stopping.abort();
      await done;
      return n;
    },
  };
}

/**
 * Every page has every event from where it began, once and in order, and shows the same. `beginnings`: how often a page may
 * have begun at most. Only where who had the connection took with it what the others had not heard yet is that more than once.
 */
export function assertSameLogs(logs: readonly Log[], last: number, beginnings = 1): void {
  for (const { events, snapshots, shown, duplicates } of logs) {
    assert.ok(snapshots.length >= 1 && snapshots.length <= beginnings, `begun ${snapshots.length} times`);
    const positions = events.map(([seq]) => seq);
    const rest = snapshots.flatMap((from, n) => {
      // Up to where it broke off, as far as that was; from the last beginning on, to the end.
      const to = snapshots[n + 1] === undefined ? last : Math.max(from, ...positions.filter((seq) => seq < snapshots[n + 1]!));
      return Array.from({ length: to - from }, (_, k) => from + 1 + k);
    });
    assert.deepEqual(positions, rest);
    for (const [seq, current] of events) assert.equal(current, seq);
    assert.equal(duplicates, 0);
    assert.equal(shown, logs[0]!.shown);
  }
}
