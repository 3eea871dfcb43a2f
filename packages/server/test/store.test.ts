import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { change, operation } from './store/conformance.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-store-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('a store file says which Node it needs, where Node has no SQLite', (t) => {
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  assert.throws(() => createSqliteStore(join(directory, 'a.db')), /A store file needs Node 22\.13 or newer.*createMemoryStore/);
});

it('events that are no longer kept are said to be gone, in memory and in a file', async () => {
  for (const store of [createMemoryStore({ events: 4 }), createSqliteStore(join(directory, 'a.db'), { events: 4 })]) {
    for (let seq = 1; seq <= 40; seq += 1) await store.commit([change('x', seq)]);
    assert.equal(await store.eventsAfter('x', 1), undefined);
    assert.deepEqual(
      (await store.eventsAfter('x', 38))?.map(({ seq }) => seq),
      [39, 40],
    );
    await store.close();
  }
});

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

  it('is refused where no folder and no file can be made, at once and by its name', { timeout: 120_000 }, () => {
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
