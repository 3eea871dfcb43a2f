import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshness, liveness, RESUMED_FOR } from '@sitrep/schema/select';
import type { FreshnessState, Link } from '@sitrep/schema/select';

const link = (more: Partial<Link>): Link => ({ state: 'live', since: 100, quietAfter: 1_000, ...more });

describe('how fresh what is shown is', () => {
  const CASES: readonly [string, Link, number, FreshnessState, number][] = [
    ['begins by connecting', link({ state: 'connecting' }), 50_000, 'connecting', 100],
    ['is live, however long nothing comes where nothing has to', link({}), 50_000, 'live', 100],
    ['is live while something comes', link({ heardAt: 49_001 }), 50_000, 'live', 100],
    ['is quiet since the last thing came', link({ heardAt: 49_000 }), 50_000, 'quiet', 49_000],
    ['is live when the clock was set back', link({ heardAt: 90_000 }), 50_000, 'live', 100],
    ['is in question from the break on', link({ state: 'connecting', brokenAt: 7 }), 50_000, 'reconnecting', 7],
    ['stays so until what was missed is there', link({ brokenAt: 7, heardAt: 1 }), 50_000, 'reconnecting', 7],
    ['is resumed for a while', link({ resumedAt: 50_001 - RESUMED_FOR }), 50_000, 'resumed', 50_001 - RESUMED_FOR],
    ['and then live since then', link({ resumedAt: 50_000 - RESUMED_FOR }), 50_000, 'live', 50_000 - RESUMED_FOR],
    ['is quiet again when nothing follows', link({ resumedAt: 49_000, heardAt: 49_000 }), 50_000, 'quiet', 49_000],
    ['is lost, whatever was before', link({ state: 'lost', brokenAt: 7, heardAt: 7 }), 50_000, 'lost', 100],
    ['has ended, whatever was before', link({ state: 'ended', brokenAt: 7, resumedAt: 49_999 }), 50_000, 'ended', 100],
  ];
  for (const [name, given, now, state, since] of CASES) {
    it(name, () => assert.deepEqual(freshness(given, now), { state, since }));
  }

  it('decides whether anything may move', () => {
    const record = { id: 'a', attempt: 1, state: 'running', updatedAt: 0 } as const;
    const moves = (state: FreshnessState) => liveness(record, { now: 1, connection: { state, since: 0 } });
    assert.deepEqual((['live', 'resumed', 'quiet', 'connecting', 'reconnecting', 'lost', 'ended'] as const).map(moves), [
      'moving',
      'moving',
      'quiet',
      'reconnecting',
      'reconnecting',
      'lost',
      'stale',
    ]);
  });
});
