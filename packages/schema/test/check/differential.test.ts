import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { toJsonSchema } from '../../scripts/json-schema.ts';
import { ENTRIES } from '../../scripts/registry.ts';
import { collectIssues } from '../../src/check/collect-issues.ts';
import type { Issue } from '../../src/check/issue.ts';
import type { Rule } from '../../src/check/rule.ts';
import { fromSchema, mutated } from './from-schema.ts';

/** The generated code and TypeBox's own interpreter must accept the same values; the collector must agree with both. */
for (const { name, file, schema } of ENTRIES) {
  const generated = (await import(`../../src/generated/${file}.ts`)) as Record<string, unknown>;
  const is = generated[`is${name}`] as (value: unknown) => boolean;
  const rule = generated[`${name[0]?.toLowerCase()}${name.slice(1)}Rule`] as Rule;

  const agree = (value: unknown): void => {
    const expected = Check(schema, value);
    assert.equal(is(value), expected);
    const issues: Issue[] = [];
    collectIssues(rule, value, '', issues);
    assert.equal(issues.length === 0, expected, JSON.stringify(issues));
    assert.ok(issues.length <= 16);
  };

  describe(`the generated check of ${name}`, () => {
    const valid = fromSchema(toJsonSchema(schema, name));
    it('accepts what fits the schema', () =>
      fc.assert(
        fc.property(valid, (value) => assert.ok(is(value))),
        { numRuns: 100 },
      ));
    it('agrees with TypeBox on valid values that were tampered with', () =>
      fc.assert(fc.property(mutated(valid), agree), { numRuns: 250 }));
    it('agrees with TypeBox on any JSON', () => fc.assert(fc.property(fc.jsonValue(), agree), { numRuns: 100 }));
    it('agrees with TypeBox on what is no JSON', () => {
      for (const value of [undefined, NaN, Infinity, -Infinity, () => 1, Symbol('x'), 1n, [], {}, Object.create(null)]) agree(value);
    });
  });
}
