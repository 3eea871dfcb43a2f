import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonSchema } from '../../scripts/json-schema.ts';
import { ENTRIES, UNIONS } from '../../scripts/registry.ts';
import { fromSchema, mutated } from './from-schema.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../json/${name}.json`, import.meta.url), 'utf8')) as JsonSchema;
/** As it would arrive: what is no JSON, such as an explicit `undefined` or -0, is none of this test's business. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

type Test = (value: unknown) => boolean;
const predicates = new Map<string, Test>();
for (const { name, file, json } of ENTRIES) {
  if (json === undefined) continue;
  const generated = (await import(`../../src/generated/${file}.ts`)) as Record<string, Test>;
  predicates.set(json, generated[`is${name}`]!);
}
for (const { json, of } of UNIONS) predicates.set(json, (value) => of.some((name) => predicates.get(name)!(value)));

/** There is no list of exceptions: for anything that can be written as JSON, both say the same. */
for (const [json, is] of predicates) {
  describe(`the generated check and ajv on json/${json}.json`, () => {
    const schema = read(json);
    const accepts = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true }).compile(schema);
    const valid = schema.oneOf ? fc.oneof(...Object.values(schema.$defs ?? {}).map(fromSchema)) : fromSchema(schema);
    const agree = (given: unknown): void => {
      const value = sent(given);
      assert.equal(is(value), accepts(value), JSON.stringify(value));
    };

    it('accept the same valid values', () => {
      fc.assert(
        fc.property(valid, (value) => {
          agree(value);
          assert.ok(accepts(sent(value)));
        }),
        { numRuns: 100 },
      );
    });
    it('agree on values that were tampered with', () => fc.assert(fc.property(mutated(valid), agree), { numRuns: 300 }));
    it('agree on any JSON', () => fc.assert(fc.property(fc.jsonValue(), agree), { numRuns: 100 }));
    it('agree at the edges', () => {
      for (const value of [null, 0, '', [], {}, { type: 'operation' }, JSON.parse('{"__proto__":{}}'), 2 ** 53, 1e300]) agree(value);
    });
  });
}
