import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { losses } from '../../scripts/losses.ts';

it('What each dialect keeps, changes and loses is exactly what the table says', () => {
  assert.deepEqual(losses(), JSON.parse(readFileSync(new URL('../../fixtures/losses.json', import.meta.url), 'utf8')));
});
