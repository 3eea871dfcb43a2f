import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { SessionChange, Store, StoreLimits, StoredOperation } from '@sitrep/server/store';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-store-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('a store file says which Node it needs, where Node has no SQLite', (t) => {
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  assert.throws(() => createSqliteStore(join(directory, 'a.db')), /A store file needs Node 22\.13 or newer.*createMemoryStore/);
});

const event = (seq: number) => ({ seq, type: 'operation', data: JSON.stringify({ type: 'operation', n: seq, text: 'ünïcode 🦊' }) });
const operation = (key: string, position: number, attempt = 1): StoredOperation => ({
  key,
  position,
  record: { id: key, attempt, state: 'running', updatedAt: 5, title: `title of ${key}` },
});
const change = (session: string, seq: number, more: Partial<SessionChange> = {}): SessionChange => ({
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

const kinds: Record<string, (limits?: StoreLimits) => Store> = {
  memory: (limits) => createMemoryStore(limits),
  sqlite: (limits) => createSqliteStore(join(directory, 'a.db'), { ...limits, log: () => undefined }),
};

for (const [name, open] of Object.entries(kinds)) {
  describe(`the ${name} store`, () => {
    it('keeps so many bytes of events and no more than a quarter beyond, the newest of them, without a hole', async () => {
      const store = open({ eventBytes: 10_000 });
      const big = (seq: number) => ({ seq, type: 'operation', data: JSON.stringify({ pad: 'ü'.repeat(450) }) });
      for (let seq = 1; seq <= 100; seq += 1) await store.commit([change('x', seq, { events: [big(seq)] }), change('y', seq)]);
      let kept = 0;
      for (let seq = 99; (await store.eventsAfter('x', seq)) !== undefined; seq -= 1) kept += 1;
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
      const store = open({ sessionAge: 3_600_000 });
      await store.commit([change('old', 1, { updatedAt: 1_000 })]);
      await store.commit([change('new', 1, { updatedAt: 3_590_000 })]);
      assert.deepEqual(await store.commit([change('new', 2, { updatedAt: 3_600_999 })]), { dropped: [] });
      assert.deepEqual(await store.commit([change('new', 3, { updatedAt: 3_661_000 })]), { dropped: ['old'] });
      assert.equal(await store.load('old'), undefined);
      assert.equal((await store.load('new'))?.seq, 3);
      assert.deepEqual(await store.commit([change('old', 1, { updatedAt: 3_661_001 })]), { dropped: [] });
      await store.close();
    });

    it('refuses a limit that is none', () => {
      for (const value of [0, -1, Number.NaN]) assert.throws(() => open({ eventBytes: value }), RangeError);
    });

    it('knows nothing of a session that was never written', async () => {
      const store = open();
      assert.equal(await store.load('x'), undefined);
      assert.deepEqual(await store.list({ limit: 10 }), []);
      await store.close();
    });

    it('gives back what was committed, in order of first appearance', async () => {
      const store = open();
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
      const store = open();
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
      const store = open();
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
      const store = open({ tombstones: 3 });
      for (let n = 1; n <= 5; n += 1) await store.commit([change('x', n, { removed: [{ key: `k${n}`, attempt: 1 }] })]);
      const loaded = await store.load('x');
      assert.deepEqual(
        loaded?.tombstones.map(({ key }) => key),
        ['k3', 'k4', 'k5'],
      );
      await store.close();
    });

    it('replays events after a position, and says when some are no longer kept', async () => {
      const store = open({ events: 3 });
      for (let n = 1; n <= 5; n += 1) await store.commit([change('x', n)]);
      assert.deepEqual(await store.eventsAfter('x', 5), []);
      assert.deepEqual(await store.eventsAfter('x', 3), [event(4), event(5)]);
      assert.deepEqual(await store.eventsAfter('x', 2), [event(3), event(4), event(5)]);
      assert.equal(await store.eventsAfter('x', 1), undefined);
      await store.close();
    });

    it('keeps the newest events of a commit that is larger than the log', async () => {
      const store = open({ events: 3 });
      await store.commit([change('x', 5, { events: [1, 2, 3, 4, 5].map(event) })]);
      assert.deepEqual(await store.eventsAfter('x', 2), [event(3), event(4), event(5)]);
      assert.equal(await store.eventsAfter('x', 1), undefined);
      await store.close();
    });

    it('lists sessions by their newest write, bounded, and those with something open', async () => {
      const store = open();
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
      const store = open({ sessions: 2 });
      await store.commit([change('a', 1, { operations: [operation('o', 1)] })]);
      await store.commit([change('b', 1)]);
      await store.commit([change('a', 2)]);
      assert.deepEqual(await store.commit([change('c', 1)]), { dropped: ['b'] });
      assert.equal(await store.load('b'), undefined);
      assert.equal((await store.load('a'))?.seq, 2);
      await store.close();
    });

    it('remembers answers with what they answered for, and alone without touching anything else', async () => {
      const store = open();
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
      const store = open({ receipts: 8, receiptAge: 1_000, sessions: 2 });
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
      const store = open();
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
      await store.commit([change('x', 3, { epoch: 'e3', reset: true, events: [], removed: [{ key: 'b', attempt: 2 }], runs: [] })]);
      assert.deepEqual([(await store.load('x'))?.epoch, (await store.load('x'))?.operations], ['e3', []]);
      assert.deepEqual(await store.eventsAfter('x', 3), []);
      assert.equal((await store.load('y'))?.seq, 1);
      await store.close();
    });

    it('keeps keys apart that differ in half a surrogate pair only', async () => {
      const store = open();
      const keys = ['$\ud800', '$\ud801', '$\ufffd', '~"$\\ud800"'];
      await store.commit([change('x', 4, { operations: keys.map((key, n) => operation(key, n + 1)) })]);
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
      const store = open();
      for (const session of ['__proto__', 'constructor', "'; DROP TABLE sessions; --", 'a\u2028b']) {
        await store.commit([change(session, 1, { operations: [operation('__proto__', 1)] })]);
        assert.deepEqual((await store.load(session))?.operations, [operation('__proto__', 1)]);
      }
      assert.equal((await store.list({ limit: 10 })).length, 4);
      await store.close();
    });
  });
}

describe('the SQLite file', () => {
  const path = (): string => join(directory, 'a.db');

  it('is the same after it was closed and opened again', async () => {
    const first = createSqliteStore(path());
    await first.commit([change('x', 1, { operations: [operation('a', 1)] })]);
    await first.close();
    const second = createSqliteStore(path());
    assert.deepEqual((await second.load('x'))?.operations, [operation('a', 1)]);
    assert.equal((await second.load('x'))?.epoch, 'e1');
    await second.close();
  });

  it('stores nothing of a commit that fails', async () => {
    const store = createSqliteStore(path());
    await store.commit([change('x', 1)]);
    // The second change repeats a position, which the log refuses.
    await assert.rejects(store.commit([change('y', 1), change('x', 1)]));
    assert.equal(await store.load('y'), undefined);
    assert.equal((await store.load('x'))?.seq, 1);
    await store.commit([change('x', 2)]);
    await store.close();
  });

  it('is moved aside when it is damaged, and a fresh one begins', async () => {
    for (const damage of [
      'not a database at all, but long enough to be read as one'.repeat(100),
      'SQLite format 3\u0000' + 'x'.repeat(8000),
    ]) {
      writeFileSync(path(), damage);
      const lines: string[] = [];
      const store = createSqliteStore(path(), { log: (line) => lines.push(line) });
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', /damaged.*moved to .*a\.db\.damaged-/);
      await store.commit([change('x', 1)]);
      await store.close();
      assert.ok(readdirSync(directory).some((file) => file.startsWith('a.db.damaged-')));
      rmSync(path(), { force: true });
    }
  });

  it('is moved aside when a page inside it is damaged', async () => {
    const store = createSqliteStore(path());
    for (let n = 1; n <= 200; n += 1) await store.commit([change('x', n, { operations: [operation(`o${n}`, n)] })]);
    await store.close();
    const bytes = await import('node:fs').then((fs) => fs.readFileSync(path()));
    bytes.fill(0xff, 8192, 16_384);
    writeFileSync(path(), bytes);
    const lines: string[] = [];
    const again = createSqliteStore(path(), { log: (line) => lines.push(line) });
    assert.equal(lines.length, 1);
    assert.equal(await again.load('x'), undefined);
    await again.close();
  });

  it('begins new epochs when it is a copy', async () => {
    const store = createSqliteStore(path());
    await store.commit([change('x', 1), change('y', 1)]);
    await store.close();
    copyFileSync(path(), join(directory, 'copy.db'));
    const copy = createSqliteStore(join(directory, 'copy.db'), { log: () => undefined });
    const [x, y] = [await copy.load('x'), await copy.load('y')];
    assert.notEqual(x?.epoch, 'e1');
    assert.notEqual(x?.epoch, y?.epoch);
    assert.match(x?.epoch ?? '', /^[\w-]{1,64}$/);
    assert.equal(x?.seq, 1);
    await copy.close();
    const same = createSqliteStore(join(directory, 'copy.db'));
    assert.equal((await same.load('x'))?.epoch, x?.epoch);
    await same.close();
  });

  it('is refused when it belongs to another program', () => {
    const other = new DatabaseSync(path());
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    assert.throws(() => createSqliteStore(path()), /another program/);
  });

  it('is refused when it was written by a newer version', async () => {
    const store = createSqliteStore(path());
    await store.close();
    const newer = new DatabaseSync(path());
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    assert.throws(() => createSqliteStore(path()), /newer version/);
    assert.equal(
      readdirSync(directory).some((file) => file.includes('damaged')),
      false,
    );
  });

  it('is refused while another gateway has it', async () => {
    const store = createSqliteStore(path());
    await store.commit([change('x', 1)]);
    assert.throws(() => createSqliteStore(path(), { busyTimeout: 50 }), /in use by another process/);
    await store.close();
    await createSqliteStore(path()).close();
  });

  it('is refused where no folder and no file can be made, at once and by its name', { timeout: 20_000 }, () => {
    writeFileSync(join(directory, 'file'), '');
    for (const file of ['/proc/none/a.db', join(directory, 'file', 'below', 'a.db')]) {
      assert.throws(() => createSqliteStore(file), /^Error: The folder .* cannot be made: /);
    }
    assert.throws(() => createSqliteStore(directory), new RegExp(`${directory} cannot be opened`));
  });

  it('is made with the folders on the way to it', async () => {
    const deep = join(directory, 'one', 'two', 'a.db');
    await createSqliteStore(deep).close();
    assert.ok(existsSync(deep));
  });
});
