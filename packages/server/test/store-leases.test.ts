import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { change } from './store/conformance.ts';
import { due, lease, leasesOf } from './store/lease-conformance.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-leases-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('leases are there again when the file is opened again', async () => {
  const store = createSqliteStore(join(directory, 'a.db'));
  await store.commit([change('s', 1, { leases: [lease('s', 'p', 100)], holds: [{ key: '$a', producer: 'p' }] })]);
  await store.close();
  const again = createSqliteStore(join(directory, 'a.db'));
  assert.deepEqual(await due(again, 100), [lease('s', 'p', 100)]);
  assert.deepEqual((await leasesOf(again).of('s')).holds, new Map([['$a', 'p']]));
  await again.close();
});
