import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SCENARIOS } from './record.ts';
import type { Recorded } from './record.ts';
import { page } from './table.ts';

const FOLDER = new URL('came-through/', import.meta.url);
const files = readdirSync(FOLDER).sort();

describe('the recorded table', () => {
  it('has a row for every peer and scenario, or says why there is none', () => {
    for (const file of files) {
      const { rows } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Recorded;
      assert.deepEqual(Object.keys(rows), Object.keys(SCENARIOS), file);
    }
  });
  it('is what the page of peers shows', () => {
    assert.equal(readFileSync(new URL('../../docs/peers.md', import.meta.url), 'utf8'), page());
  });
});
