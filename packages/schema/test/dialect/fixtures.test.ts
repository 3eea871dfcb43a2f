import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import type { ProgressEvent } from '@sitrep/schema/wire';
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

/**
 * Words of peers that are kept, and for which no fixture comes back word for word: a word of a newer peer goes to no peer
 * that might not know it; an answer, a stored message and an activity of a shape of its own are read, but updates are written;
 * and some frames say more than an event holds.
 */
const ANOTHER_FORM: Readonly<Record<string, readonly string[]>> = {
  'mcp-tasks': ['constructor'],
  acp: ['aborted', 'cancelled', 'stalled'],
  'acp-v2': ['idle', 'requires_action', 'running'],
  a2a: ['TASK_STATE_-1'],
  lsp: ['suspend'],
  'osc-progress': ['2', '9'],
  cloudevents: ['sleeping'],
  chatkit: ['added', 'answered', 'completed', 'done', 'paused', 'pending', 'rejected', 'skipped'],
  'ag-ui': ['MESSAGES_SNAPSHOT', 'done', 'running', 'warming'],
  'ai-sdk': [
    '__proto__',
    'abort',
    'approval-requested',
    'approval-responded',
    'input-available',
    'input-streaming',
    'loading',
    'output-available',
    'output-denied',
    'output-error',
    'output-partial',
    'running',
    'success',
  ],
};

/** The peer's own words for states that events of these fixtures keep. */
function words(folder: string, fixtures: readonly Fixture[]): Set<string> {
  const events = fixtures.flatMap((fixture) => runFixture(folder, fixture).events ?? []) as ProgressEvent[];
  return new Set(events.flatMap((event) => ('native' in event && event.native?.state !== undefined ? [event.native.state] : [])));
}

describe('what a peer is given back', () => {
  const writing = Object.values(dialects) as Dialect<unknown>[];
  const readBack = writing.flatMap(({ name }) => {
    const fixtures = files(name)
      .map((file) => read(name, file))
      .filter(({ direction, normal, receipts }) => direction === undefined && normal === undefined && receipts === undefined);
    const both = fixtures.some((fixture) => (runFixture(name, fixture).encoded ?? []).length > 0);
    return both ? [{ name, fixtures, whole: fixtures.filter(({ returned }) => returned) }] : [];
  });
  it('is shown by frames that come back whole, for every dialect that reads and writes', () => {
    assert.ok(readBack.length >= 16);
    for (const { name, whole } of readBack) assert.ok(whole.length > 0, name);
  });
  for (const { name, fixtures, whole } of readBack) {
    it(`are the words of ${name}, all but those of a form that is not written`, () => {
      const shown = words(name, whole);
      const missing = [...words(name, fixtures)].filter((word) => !shown.has(word)).sort();
      assert.deepEqual(missing, ANOTHER_FORM[name] ?? []);
    });
  }
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
