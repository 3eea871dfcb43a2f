import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as check from '@sitrep/schema/check';

/** One case of `fixtures/check`: what goes in, and what comes out. For text functions `value` is the text that comes out. */
interface Fixture {
  name: string;
  function: string;
  input: unknown;
  ok: boolean;
  issues?: { path: string; code: string }[];
  value?: unknown;
}

const FOLDER = new URL('../../fixtures/check/', import.meta.url);
const FUNCTIONS = check as unknown as Record<string, (input: unknown) => unknown>;

function run({ function: name, input }: Fixture): { ok: boolean; issues?: readonly check.Issue[]; value?: unknown } {
  const answer = FUNCTIONS[name]?.(input);
  return typeof answer === 'string' ? { ok: true, value: answer } : (answer as check.Checked<unknown>);
}

for (const file of readdirSync(FOLDER)) {
  const fixture = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Fixture;
  test(`${fixture.name} (${file})`, () => {
    const before = JSON.stringify(fixture.input);
    const answer = run(fixture);
    assert.equal(answer.ok, fixture.ok, JSON.stringify(answer.issues));
    if (fixture.issues)
      assert.deepEqual(
        answer.issues?.map(({ path, code }) => ({ path, code })),
        fixture.issues,
      );
    if ('value' in fixture) assert.deepEqual(answer.value, fixture.value);
    assert.equal(JSON.stringify(fixture.input), before, 'the input was changed');
  });
}
