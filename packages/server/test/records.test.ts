import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { RecordStore } from '@sitrep/server/store';
import { keysOf, sessionChange } from './store/record-conformance.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-records-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => createSqliteStore(join(directory, 'a.db'), { log: () => undefined });

it('records of a file are there after it was opened again, and none of a commit that failed', async () => {
  const first = open();
  await first.commit([sessionChange('s', 1, { records: [{ kind: 'a', key: 'x', value: '1' }] })]);
  // The second repeats a position, which the log refuses.
  await assert.rejects(
    first.commit([sessionChange('t', 1, { records: [{ kind: 'a', key: 'y', value: '1' }] }), sessionChange('s', 1, {})]),
  );
  await first.close();
  const second = open();
  assert.deepEqual(await keysOf(second.records as RecordStore, 'a'), ['x']);
  await second.close();
});
