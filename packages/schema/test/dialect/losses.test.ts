import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import { losses } from '../../scripts/losses.ts';

it('Each dialect that writes has a section on the page, also one that writes whole events alone', () => {
  const page = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name);
  const written = Object.entries(dialects).flatMap(([name, { only }]) => (only === 'in' ? [] : [name]));
  assert.deepEqual(sections.sort(), written.sort());
});

it('What each dialect keeps, changes and loses is exactly what the table says', () => {
  assert.deepEqual(losses(), JSON.parse(readFileSync(new URL('../../fixtures/losses.json', import.meta.url), 'utf8')));
});
