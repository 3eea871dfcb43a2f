import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Lease, LeaseStore, SessionChange, Store, StoreLimits } from '@sitrep/server/store';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-leases-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const change = (session: string, seq: number, more: Partial<SessionChange> = {}): SessionChange => ({
  session,
  epoch: 'e1',
  seq,
  updatedAt: 1000 + seq,
  activity: 'working',
  open: true,
  events: [{ seq, type: 'operation', data: '{}' }],
  operations: [],
  removed: [],
  ...more,
});
const lease = (session: string, producer: string, expiresAt: number): Lease => ({ session, producer, ttl: 15_000, expiresAt });
function leasesOf(store: Store): LeaseStore {
  assert.ok(store.leases);
  return store.leases;
}
const due = (store: Store, now: number) => leasesOf(store).expired({ now, until: 1_000_000, limit: 100 });

const kinds: Record<string, (limits?: StoreLimits) => Store> = {
  memory: (limits) => createMemoryStore(limits),
  sqlite: (limits) => createSqliteStore(join(directory, 'a.db'), { ...limits, log: () => undefined }),
};

for (const [name, open] of Object.entries(kinds)) {
  describe(`leases of the ${name} store`, () => {
    it('begin with the commit that names them, move, and run out', async () => {
      const store = open();
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 5)]), [0], 'none is begun by renewing');
      const holds = [
        { key: '$a', producer: 'p' },
        { key: '$\ud800', producer: 'p' },
        { key: '$b', producer: 'q' },
      ];
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100), lease('s', 'q', 100)], holds })]);
      assert.deepEqual(await due(store, 99), []);
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 200), lease('s', 'x', 200), lease('t', 'p', 200)]), [2, 0, 0]);
      assert.deepEqual(await due(store, 100), [lease('s', 'q', 100)]);
      const { leases, holds: held } = await leasesOf(store).of('s');
      assert.deepEqual(new Set(leases), new Set([lease('s', 'p', 200), lease('s', 'q', 100)]));
      assert.deepEqual(
        held,
        new Map([
          ['$a', 'p'],
          ['$\ud800', 'p'],
          ['$b', 'q'],
        ]),
      );
      await store.close();
    });

    it('hold what was written last under them, until it is open no more', async () => {
      const store = open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100), lease('s', 'q', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await store.commit([change('s', 2, { holds: [{ key: '$a', producer: 'q' }] })]);
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 100), lease('s', 'q', 100)]), [0, 1]);
      await store.commit([change('s', 3, { holds: [{ key: '$a', producer: undefined }] })]);
      assert.equal((await leasesOf(store).of('s')).holds.size, 0);
      await store.close();
    });

    it('are dropped with what they hold, but not once they were renewed', async () => {
      const store = open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await leasesOf(store).renew([lease('s', 'p', 300)]);
      await leasesOf(store).drop(lease('s', 'p', 100));
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 300)]), [1]);
      await leasesOf(store).drop(lease('s', 'p', 300));
      assert.deepEqual(await leasesOf(store).of('s'), { leases: [], holds: new Map() });
      await store.close();
    });

    it('whose end no clock can have given are told of as well', async () => {
      const store = open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 2_000_000)], holds: [{ key: '$a', producer: 'p' }] })]);
      assert.deepEqual(await due(store, 50), [lease('s', 'p', 2_000_000)]);
      await store.close();
    });

    it('go with their session', async () => {
      const store = open({ sessions: 1 });
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await store.commit([change('t', 1)]);
      assert.deepEqual(await due(store, 1_000), []);
      assert.deepEqual(await leasesOf(store).of('s'), { leases: [], holds: new Map() });
      await store.close();
    });
  });
}

it('leases are there again when the file is opened again', async () => {
  const store = createSqliteStore(join(directory, 'a.db'));
  await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
  await store.close();
  const again = createSqliteStore(join(directory, 'a.db'));
  assert.deepEqual(await due(again, 100), [lease('s', 'p', 100)]);
  assert.deepEqual((await leasesOf(again).of('s')).holds, new Map([['$a', 'p']]));
  await again.close();
});
