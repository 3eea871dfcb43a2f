import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionChange, Store, StoreLimits, StoredOperation } from '@sitrep/server/store';

/** Opens a fresh, empty store. */
export type OpenStore = (limits?: StoreLimits) => Store | Promise<Store>;

export const event = (seq: number) => ({ seq, type: 'operation', data: JSON.stringify({ type: 'operation', n: seq, text: 'ünïcode 🦊' }) });
export const operation = (key: string, position: number, attempt = 1): StoredOperation => ({
  key,
  position,
  record: { id: key, attempt, state: 'running', updatedAt: 5, title: `title of ${key}` },
});
export const change = (session: string, seq: number, more: Partial<SessionChange> = {}): SessionChange => ({
  session,
  epoch: 'e1',
  seq,
  updatedAt: 1000 + seq,
  activity: 'working',
  open: true,
  events: [event(seq)],
  operations: [],
  removed: [],
  ...more,
});

/** What holds of sessions in every store. */
export function sessionConformance(name: string, open: OpenStore): void {
  describe(`the ${name} store`, () => {
    it('keeps so many bytes of events and no more than a quarter beyond, the newest of them, without a hole', async () => {
      const store = await open({ eventBytes: 10_000 });
      const big = (seq: number) => ({ seq, type: 'operation', data: JSON.stringify({ pad: 'ü'.repeat(450) }) });
      for (let seq = 1; seq <= 100; seq += 1) await store.commit([change('x', seq, { events: [big(seq)] }), change('y', seq)]);
      let kept = 0;
      for (let seq = 99; seq >= 0 && (await store.eventsAfter('x', seq)) !== undefined; seq -= 1) kept += 1;
      assert.ok(kept >= 10 && kept <= 13, `${kept} events of 911 bytes`);
      assert.deepEqual(
        (await store.eventsAfter('x', 100 - kept))?.map(({ seq }) => seq),
        Array.from({ length: kept }, (_, n) => 101 - kept + n),
      );
      assert.equal((await store.eventsAfter('y', 0))?.length, 100, 'the log of another session is its own');
      assert.equal((await store.load('x'))?.seq, 100);
      // One event that is larger than all may be together.
      await store.commit([change('x', 101, { events: [{ ...big(101), data: JSON.stringify('p'.repeat(20_000)) }] })]);
      assert.equal(await store.eventsAfter('x', 100), undefined);
      assert.deepEqual(await store.eventsAfter('x', 101), []);
      await store.close();
    });

    it('lets a session go that nobody wrote to for too long, when something else is written', async () => {
      const store = await open({ sessionAge: 3_600_000 });
      await store.commit([change('old', 1, { updatedAt: 1_000 })]);
      await store.commit([change('new', 1, { updatedAt: 3_590_000 })]);
      assert.deepEqual(await store.commit([change('new', 2, { updatedAt: 3_600_999 })]), { dropped: [] });
      assert.deepEqual(await store.commit([change('new', 3, { updatedAt: 3_661_000 })]), { dropped: ['old'] });
      assert.equal(await store.load('old'), undefined);
      assert.equal((await store.load('new'))?.seq, 3);
      assert.deepEqual(await store.commit([change('old', 1, { updatedAt: 3_661_001 })]), { dropped: [] });
      await store.close();
    });

    it('refuses a limit that is none', async () => {
      for (const value of [0, -1, Number.NaN]) await assert.rejects(async () => open({ eventBytes: value }), RangeError);
    });

    it('knows nothing of a session that was never written', async () => {
      const store = await open();
      assert.equal(await store.load('x'), undefined);
      assert.deepEqual(await store.list({ limit: 10 }), []);
      await store.close();
    });

    it('gives back what was committed, in order of first appearance', async () => {
      const store = await open();
      const card = { revision: 3, updatedAt: 9, run: 'r', card: { markdown: '# hi' } };
      const runs = [{ run: 'r', state: 'running' as const, updatedAt: 7 }];
      await store.commit([
        change('x', 2, {
          events: [event(1), event(2)],
          operations: [operation('b', 2), operation('a', 1)],
          card,
          runs,
          title: 'T',
          usage: { tokens: 4 },
        }),
      ]);
      const loaded = await store.load('x');
      assert.deepEqual(loaded, {
        session: 'x',
        epoch: 'e1',
        seq: 2,
        updatedAt: 1002,
        title: 'T',
        usage: { tokens: 4 },
        card,
        runs,
        operations: [operation('a', 1), operation('b', 2)],
        tombstones: [],
      });
      await store.close();
    });

    it('keeps records that a later commit does not mention, and replaces those it does', async () => {
      const store = await open();
      await store.commit([change('x', 1, { operations: [operation('a', 1)], card: { revision: 1, card: { markdown: 'm' } } })]);
      await store.commit([change('x', 2, { operations: [operation('b', 2)] })]);
      await store.commit([change('x', 3, { operations: [operation('a', 1, 2)] })]);
      const loaded = await store.load('x');
      assert.deepEqual(loaded?.operations, [operation('a', 1, 2), operation('b', 2)]);
      assert.equal(loaded?.card.revision, 1);
      assert.equal(loaded?.seq, 3);
      await store.close();
    });

    it('remembers what was removed until it is announced again', async () => {
      const store = await open();
      await store.commit([change('x', 1, { operations: [operation('a', 1)] })]);
      await store.commit([change('x', 2, { removed: [{ key: 'a', attempt: 1 }] })]);
      const gone = await store.load('x');
      assert.deepEqual(gone?.operations, []);
      assert.deepEqual(gone?.tombstones, [{ key: 'a', attempt: 1 }]);
      await store.commit([change('x', 3, { operations: [operation('a', 3, 2)] })]);
      const back = await store.load('x');
      assert.deepEqual(back?.operations, [operation('a', 3, 2)]);
      assert.deepEqual(back?.tombstones, []);
      await store.close();
    });

    it('keeps the newest tombstones only', async () => {
      const store = await open({ tombstones: 3 });
      for (let n = 1; n <= 5; n += 1) await store.commit([change('x', n, { removed: [{ key: `k${n}`, attempt: 1 }] })]);
      const loaded = await store.load('x');
      assert.deepEqual(
        loaded?.tombstones.map(({ key }) => key),
        ['k3', 'k4', 'k5'],
      );
      await store.close();
    });

    it('replays events after a position, and says when some are no longer kept', async () => {
      const store = await open({ events: 3 });
      for (let n = 1; n <= 5; n += 1) await store.commit([change('x', n)]);
      assert.deepEqual(await store.eventsAfter('x', 5), []);
      assert.deepEqual(await store.eventsAfter('x', 3), [event(4), event(5)]);
      assert.deepEqual(await store.eventsAfter('x', 2), [event(3), event(4), event(5)]);
      assert.equal(await store.eventsAfter('x', 1), undefined);
      await store.close();
    });

    it('keeps the newest events of a commit that is larger than the log', async () => {
      const store = await open({ events: 3 });
      await store.commit([change('x', 5, { events: [1, 2, 3, 4, 5].map(event) })]);
      assert.deepEqual(await store.eventsAfter('x', 2), [event(3), event(4), event(5)]);
      assert.equal(await store.eventsAfter('x', 1), undefined);
      await store.close();
    });

    it('lists sessions by their newest write, bounded, and those with something open', async () => {
      const store = await open();
      await store.commit([change('a', 1), change('b', 1, { open: false, activity: 'done', title: 'B' }), change('c', 1)]);
      await store.commit([change('a', 2)]);
      assert.deepEqual(
        (await store.list({ limit: 10 })).map(({ session }) => session),
        ['a', 'c', 'b'],
      );
      assert.deepEqual(
        (await store.list({ limit: 2 })).map(({ session }) => session),
        ['a', 'c'],
      );
      assert.deepEqual(
        (await store.list({ limit: 10, open: true })).map(({ session }) => session),
        ['a', 'c'],
      );
      const b = (await store.list({ limit: 10 })).at(-1);
      assert.deepEqual(b, { session: 'b', epoch: 'e1', seq: 1, updatedAt: 1001, activity: 'done', open: false, title: 'B' });
      await store.close();
    });

    it('lets go of the least recently written session beyond its bound, and names it', async () => {
      const store = await open({ sessions: 2 });
      await store.commit([change('a', 1, { operations: [operation('o', 1)] })]);
      await store.commit([change('b', 1)]);
      await store.commit([change('a', 2)]);
      assert.deepEqual(await store.commit([change('c', 1)]), { dropped: ['b'] });
      assert.equal(await store.load('b'), undefined);
      assert.equal((await store.load('a'))?.seq, 2);
      await store.close();
    });

    it('remembers answers with what they answered for, and alone without touching anything else', async () => {
      const store = await open();
      const receipt = (key: string, at = 5) => ({ key, digest: `d-${key}`, answer: '{"ünïcode":"🦊"}', at });
      await store.commit([change('x', 1, { receipts: [receipt('a')] }), change('y', 1)]);
      assert.deepEqual(await store.receipt('x', 'a'), receipt('a'));
      assert.equal(await store.receipt('y', 'a'), undefined);
      assert.equal(await store.receipt('none', 'a'), undefined);
      const before = [await store.list({ limit: 9 }), await store.load('x')];
      await store.commit([
        change('x', 1, { events: [], receipts: [receipt('__proto__')], updatedAt: 9_999, activity: 'failed', title: 'no' }),
      ]);
      assert.deepEqual(await store.receipt('x', '__proto__'), receipt('__proto__'));
      assert.deepEqual([await store.list({ limit: 9 }), await store.load('x')], before);
      await store.close();
    });

    it('lets receipts go by number and by age, and with their session', async () => {
      const store = await open({ receipts: 8, receiptAge: 1_000, sessions: 2 });
      const receipt = (n: number, at: number) => ({ key: `k${n}`, digest: 'd', answer: '{}', at });
      for (let n = 1; n <= 40; n += 1) await store.commit([change('x', n, { receipts: [receipt(n, 2_000)], updatedAt: 2_000 })]);
      const kept = async (): Promise<number> => {
        let count = 0;
        for (let n = 1; n <= 60; n += 1) if (await store.receipt('x', `k${n}`)) count += 1;
        return count;
      };
      assert.ok((await kept()) >= 8 && (await kept()) <= 10, `${await kept()} receipts`);
      assert.ok(await store.receipt('x', 'k40'));
      for (let n = 41; n <= 43; n += 1) await store.commit([change('x', n, { receipts: [receipt(n, 4_000)], updatedAt: 4_000 })]);
      assert.ok((await kept()) <= 6, 'the old ones are too old');
      assert.ok(await store.receipt('x', 'k43'));
      await store.commit([change('y', 1), change('z', 1)]);
      assert.equal(await store.receipt('x', 'k43'), undefined);
      await store.close();
    });

    it('begins a session anew in the commit that says so', async () => {
      const store = await open();
      const runs = [{ run: 'r', state: 'running' as const, updatedAt: 7 }];
      await store.commit([
        change('x', 2, {
          events: [event(1), event(2)],
          operations: [operation('a', 1), operation('b', 2)],
          removed: [{ key: 'gone', attempt: 4 }],
          card: { revision: 3, card: { markdown: 'm' } },
          runs,
          title: 'T',
          usage: { tokens: 4 },
          receipts: [{ key: 'k', digest: 'd', answer: '{}', at: 1 }],
        }),
        change('y', 1),
      ]);
      await store.commit([
        change('x', 3, {
          epoch: 'e2',
          base: { epoch: 'e1', seq: 2 },
          reset: true,
          removed: [
            { key: 'a', attempt: 1 },
            { key: 'b', attempt: 1 },
          ],
          card: { revision: 4, updatedAt: 9, card: null },
          operations: [operation('b', 3, 2)],
          events: [event(3)],
        }),
      ]);
      assert.deepEqual(await store.load('x'), {
        session: 'x',
        epoch: 'e2',
        seq: 3,
        updatedAt: 1003,
        title: undefined,
        usage: undefined,
        card: { revision: 4, updatedAt: 9, card: null },
        runs: [],
        operations: [operation('b', 3, 2)],
        tombstones: [
          { key: 'gone', attempt: 4 },
          { key: 'a', attempt: 1 },
        ],
      });
      assert.deepEqual(await store.eventsAfter('x', 2), [event(3)]);
      assert.equal(await store.eventsAfter('x', 1), undefined);
      assert.ok(await store.receipt('x', 'k'));
      await store.commit([
        change('x', 3, {
          epoch: 'e3',
          base: { epoch: 'e2', seq: 3 },
          reset: true,
          events: [],
          removed: [{ key: 'b', attempt: 2 }],
          runs: [],
        }),
      ]);
      assert.deepEqual([(await store.load('x'))?.epoch, (await store.load('x'))?.operations], ['e3', []]);
      assert.deepEqual(await store.eventsAfter('x', 3), []);
      assert.equal((await store.load('y'))?.seq, 1);
      await store.close();
    });

    it('keeps keys apart that differ in half a surrogate pair only', async () => {
      const store = await open();
      const keys = ['$\ud800', '$\ud801', '$\ufffd', '~"$\\ud800"'];
      await store.commit([change('x', 4, { base: { epoch: 'e1', seq: 0 }, operations: keys.map((key, n) => operation(key, n + 1)) })]);
      assert.deepEqual(
        (await store.load('x'))?.operations.map(({ key }) => key),
        keys,
      );
      await store.commit([change('x', 5, { removed: keys.slice(0, 2).map((key) => ({ key, attempt: 1 })) })]);
      const after = await store.load('x');
      assert.deepEqual(
        [after?.operations.map(({ key }) => key), after?.tombstones.map(({ key }) => key)],
        [keys.slice(2), keys.slice(0, 2)],
      );
      await store.close();
    });

    it('takes ids that would harm a plain object', async () => {
      const store = await open();
      for (const session of ['__proto__', 'constructor', "'; DROP TABLE sessions; --", 'a\u2028b']) {
        await store.commit([change(session, 1, { operations: [operation('__proto__', 1)] })]);
        assert.deepEqual((await store.load(session))?.operations, [operation('__proto__', 1)]);
      }
      assert.equal((await store.list({ limit: 10 })).length, 4);
      await store.close();
    });
  });
}
