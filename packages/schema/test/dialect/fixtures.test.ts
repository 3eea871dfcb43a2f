import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import { runFixture } from './run-fixture.ts';
import type { Fixture, Result } from './run-fixture.ts';

const ROOT = new URL('../../fixtures/', import.meta.url);
/** Folders other tests of this package run. */
const ELSEWHERE = new Set(['check', 'hostile']);
const FOLDERS = ['reduce', 'select', ...Object.keys(dialects)];
const MEMBERS: readonly (keyof Result)[] = [
  'events',
  'issues',
  'mended',
  'hints',
  'outcomes',
  'snapshot',
  'encoded',
  'returned',
  'normal',
  'receipts',
  'derived',
];
const HEAD = ['name', 'rule', 'context', 'direction', 'input'];

function files(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, ROOT)).sort();
}

function read(folder: string, file: string): Fixture {
  return JSON.parse(readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8')) as Fixture;
}

describe('the fixtures', () => {
  it('lie only in folders that some test runs', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    assert.deepEqual(
      folders.filter((folder) => !FOLDERS.includes(folder) && !ELSEWHERE.has(folder)),
      [],
    );
    for (const folder of FOLDERS) assert.ok(files(folder).length > 0, folder);
  });
  it('are JSON files with a name, an input and only known members', () => {
    for (const folder of FOLDERS) {
      for (const file of files(folder)) {
        assert.match(file, /^[a-z0-9-]+\.json$/);
        const fixture = read(folder, file);
        assert.ok(fixture.name.length > 0 && fixture.input.length > 0, file);
        assert.deepEqual(
          Object.keys(fixture).filter((key) => ![...HEAD, ...MEMBERS].includes(key)),
          [],
          file,
        );
        assert.ok(
          MEMBERS.some((member) => fixture[member] !== undefined),
          `${file} expects nothing`,
        );
      }
    }
  });
  it('hold at least every row of the table of cases that this package answers for', () => {
    const table = readFileSync(new URL('README.md', ROOT), 'utf8');
    const rows = [...table.matchAll(/^\| ([A-Z]\d{2}) \| ([^|]+) \|/gm)];
    assert.ok(rows.length >= 75);
    const present = new Set(FOLDERS.flatMap(files).map((file) => file.slice(0, 3).toUpperCase()));
    const owed = rows.filter(([, , owner]) => owner?.includes('schema')).map(([, row]) => row);
    assert.deepEqual(
      owed.filter((row) => !present.has(row as string)),
      [],
    );
  });
});

for (const folder of FOLDERS) {
  describe(`fixtures/${folder}`, () => {
    for (const file of files(folder)) {
      const fixture = read(folder, file);
      it(`${file}: ${fixture.name}`, () => {
        const result = runFixture(folder, fixture);
        for (const member of MEMBERS) {
          if (fixture.returned === true) assert.deepEqual(result.encoded, fixture.input, 'returned');
          if (fixture[member] !== undefined) assert.deepEqual(result[member], fixture[member], member);
          else if (member === 'issues' || member === 'mended' || member === 'hints') assert.deepEqual(result[member] ?? [], [], member);
        }
      });
    }
  });
}
