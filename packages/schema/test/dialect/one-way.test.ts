import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import { PROBES } from '../../scripts/loss-probes.ts';
import { expand } from './run-fixture.ts';
import type { Fixture } from './run-fixture.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const PAGE = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8');
const EACH = Object.entries(dialects) as [string, Dialect<unknown>][];

/** Whether anything our events can say is written. */
function writes(dialect: Dialect<unknown>): boolean {
  return Object.values(PROBES)
    .flat()
    .some(({ events }) => {
      const encoder = createEncoder(dialect, 'chat-1');
      return events.some((event) => encoder.encode(event).length > 0);
    });
}

/** Whether any frame of its fixtures is read. */
function reads(name: string, dialect: Dialect<unknown>): boolean {
  return readdirSync(new URL(`${name}/`, FIXTURES)).some((file) => {
    const { input, encoded = [], context } = JSON.parse(readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8')) as Fixture;
    const decoder = createDecoder(dialect, { session: 'chat-1', id: 'x', ...(context as object | undefined) });
    return [...input.map(expand), ...encoded].some((frame) => decoder.decode(frame, 1000).ok);
  });
}

describe('which way a dialect goes', () => {
  for (const [name, dialect] of EACH) {
    it(`is said truly by ${name}, and by its row on the page`, () => {
      assert.deepEqual([reads(name, dialect), writes(dialect)], [dialect.only !== 'out', dialect.only !== 'in']);
      const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '';
      const [into, out] = row.split('|').slice(3, 5);
      assert.deepEqual([into?.trim() === '✓', out?.trim() === '✓'], [dialect.only !== 'out', dialect.only !== 'in'], row);
    });
  }
});
