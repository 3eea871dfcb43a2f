import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Lease, LeaseStore, Store } from '@sitrep/server/store';
import { change } from './conformance.ts';
import type { OpenStore } from './conformance.ts';

export const lease = (session: string, producer: string, expiresAt: number): Lease => ({ session, producer, ttl: 15_000, expiresAt });
export function leasesOf(store: Store): LeaseStore {
  assert.ok(store.leases);
  return store.leases;
}
export const due = (store: Store, now: number) => leasesOf(store).expired({ now, until: 1_000_000, limit: 100 });

/** What holds of leases in every store. */
export function leaseConformance(name: string, open: OpenStore): void {
  describe(`leases of the ${name} store`, () => {
    it('begin with the commit that names them, move, and run out', async () => {
      const store = await open();
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 5)]), [undefined], 'none is begun by renewing');
      const holds = [
        { key: '$a', producer: 'p' },
        { key: '$\ud800', producer: 'p' },
        { key: '$b', producer: 'q' },
      ];
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100), lease('s', 'q', 100)], holds })]);
      assert.deepEqual(await due(store, 99), []);
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 200), lease('s', 'x', 200), lease('t', 'p', 200)]), [
        2,
        undefined,
        undefined,
      ]);
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
      const store = await open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100), lease('s', 'q', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await store.commit([change('s', 2, { holds: [{ key: '$a', producer: 'q' }] })]);
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 100), lease('s', 'q', 100)]), [0, 1]);
      await store.commit([change('s', 3, { holds: [{ key: '$a', producer: undefined }] })]);
      assert.equal((await leasesOf(store).of('s')).holds.size, 0);
      await store.close();
    });

    it('are dropped with what they hold, but not once they were renewed', async () => {
      const store = await open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await leasesOf(store).renew([lease('s', 'p', 300)]);
      await leasesOf(store).drop(lease('s', 'p', 100));
      assert.deepEqual(await leasesOf(store).renew([lease('s', 'p', 300)]), [1]);
      await leasesOf(store).drop(lease('s', 'p', 300));
      assert.deepEqual(await leasesOf(store).of('s'), { leases: [], holds: new Map() });
      await store.close();
    });

    it('whose end no clock can have given are told of as well', async () => {
      const store = await open();
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 2_000_000)], holds: [{ key: '$a', producer: 'p' }] })]);
      assert.deepEqual(await due(store, 50), [lease('s', 'p', 2_000_000)]);
      await store.close();
    });

    it('go with their session', async () => {
      const store = await open({ sessions: 1 });
      await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
      await store.commit([change('t', 1)]);
      assert.deepEqual(await due(store, 1_000), []);
      assert.deepEqual(await leasesOf(store).of('s'), { leases: [], holds: new Map() });
      await store.close();
    });
  });
}
