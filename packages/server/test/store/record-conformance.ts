import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { RecordStore, SessionChange, Store } from '@sitrep/server/store';
import type { OpenStore } from './conformance.ts';

/** A session change that says nothing but what is to be remembered. */
export const sessionChange = (session: string, seq: number, more: Partial<SessionChange>): SessionChange => ({
  session,
  epoch: 'e1',
  seq,
  updatedAt: seq,
  activity: 'idle',
  open: false,
  events: [{ seq, type: 'session', data: '{}' }],
  operations: [],
  removed: [],
  ...more,
});

export const keysOf = async (records: RecordStore, kind: string, limit?: number) =>
  (await records.list(kind, { limit })).map(({ key }) => key);

/** What holds of records in every store. */
export function recordConformance(name: string, open: OpenStore): void {
  describe(`records of the ${name} store`, () => {
    let store: Store;
    let records: RecordStore;
    beforeEach(async () => {
      store = await open();
      assert.ok(store.records);
      records = store.records;
    });
    afterEach(() => store.close());

    it('are listed by kind, in the order they were last written', async () => {
      assert.equal(await records.get('a', 'x'), undefined);
      assert.deepEqual(await records.list('a'), []);
      await records.write([
        { kind: 'a', key: 'x', value: '1' },
        { kind: 'a', key: 'y', value: '2' },
        { kind: 'b', key: 'x', value: '3' },
      ]);
      assert.deepEqual(await keysOf(records, 'a'), ['x', 'y']);
      await records.write([{ kind: 'a', key: 'x', value: '4' }]);
      assert.deepEqual(await keysOf(records, 'a'), ['y', 'x']);
      assert.deepEqual(await keysOf(records, 'a', 1), ['y']);
      assert.equal((await records.get('a', 'x'))?.value, '4');
      assert.equal((await records.get('b', 'x'))?.value, '3');
      await records.write([{ kind: 'a', key: 'x', value: null }]);
      assert.equal(await records.get('a', 'x'), undefined);
      assert.equal((await records.get('b', 'x'))?.value, '3');
    });

    it('are compared before they are written, all or none', async () => {
      assert.equal(await records.write([{ kind: 'a', key: 'x', value: '1', expected: 0 }]), true);
      assert.equal(await records.write([{ kind: 'a', key: 'x', value: '2', expected: 0 }]), false);
      const { version } = (await records.get('a', 'x')) ?? { version: -1 };
      assert.ok(version > 0);
      assert.equal(
        await records.write([
          { kind: 'a', key: 'y', value: 'beside' },
          { kind: 'a', key: 'x', value: '2', expected: version + 1 },
        ]),
        false,
      );
      assert.equal(await records.get('a', 'y'), undefined);
      assert.equal(await records.write([{ kind: 'a', key: 'x', value: '2', expected: version }]), true);
      assert.equal((await records.get('a', 'x'))?.value, '2');
    });

    it('never have the version of one that was taken away', async () => {
      await records.write([{ kind: 'a', key: 'x', value: '1' }]);
      const { version } = (await records.get('a', 'x')) ?? { version: -1 };
      await records.write([{ kind: 'a', key: 'x', value: null, expected: version }]);
      assert.equal(await records.write([{ kind: 'a', key: 'x', value: '1', expected: version }]), false);
      await records.write([{ kind: 'a', key: 'x', value: '1', expected: 0 }]);
      assert.ok(((await records.get('a', 'x'))?.version ?? 0) > version);
    });

    it('are written with the sessions of a commit', async () => {
      await store.commit([sessionChange('s', 1, { records: [{ kind: 'a', key: '__proto__', value: '"ünï 🦊"' }] })]);
      assert.equal((await records.get('a', '__proto__'))?.value, '"ünï 🦊"');
      await store.commit([sessionChange('s', 2, { records: [{ kind: 'a', key: '__proto__', value: null }] })]);
      assert.deepEqual(await records.list('a'), []);
    });
  });
}
