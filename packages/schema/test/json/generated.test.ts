import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROGRESS_CARD_SCHEMA, PROGRESS_SCHEMA, REPORT_PROGRESS_SCHEMA } from '@sitrep/schema/tool-schemas';
import { drift, generate } from '../../scripts/generate.ts';
import type { JsonSchema } from '../../scripts/json-schema.ts';

const files = generate();
const documents = [...files]
  .filter(([path]) => path.startsWith('json/'))
  .map(([path, text]) => [path, JSON.parse(text) as JsonSchema] as const);

function each(schema: JsonSchema, visit: (schema: JsonSchema, where: string) => void, where = ''): void {
  visit(schema, where);
  for (const [key, field] of Object.entries(schema.properties ?? {})) each(field, visit, `${where}/${key}`);
  for (const [key, field] of Object.entries(schema.$defs ?? {})) each(field, visit, `${where}/$defs/${key}`);
  for (const option of schema.anyOf ?? []) each(option, visit, where);
  if (schema.items) each(schema.items, visit, `${where}/*`);
}

describe('generated files', () => {
  it('are what the wire gives', () => assert.deepEqual(drift(files), []));
  it('come out the same every time', () => assert.deepEqual([...generate()], [...files]));
  it('load nothing of TypeBox and evaluate nothing', () => {
    for (const [path, text] of files) if (path.endsWith('.ts')) assert.doesNotMatch(text, /typebox|new Function|eval\(/, path);
  });
});

describe('the emitted JSON Schema', () => {
  it('says which dialect it is in and what it is called', () => {
    for (const [path, schema] of documents) {
      assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema', path);
      assert.equal(schema.$id, `urn:sitrep:${path.slice('json/'.length, -'.json'.length)}`);
      assert.ok(schema.description, path);
    }
  });

  it('describes every field but a fixed type', () => {
    for (const [path, schema] of documents) {
      each(schema, ({ properties = {} }, where) => {
        for (const [key, field] of Object.entries(properties)) {
          const described = field.description ?? field.anyOf?.find((option) => option.description)?.description;
          assert.ok(described ?? field.const, `${path}${where}/${key}`);
        }
      });
    }
  });

  it('closes what is written and leaves open what is read', () => {
    for (const [path, schema] of documents) {
      const input = /input|put/.test(path);
      each(schema, (inner, where) => {
        if (inner.properties) assert.equal(inner.additionalProperties, input ? false : undefined, `${path}${where}`);
      });
    }
  });

  it('refers to nothing outside of itself', () => {
    for (const [path, schema] of documents)
      for (const { $ref = '' } of schema.oneOf ?? []) assert.ok($ref.slice('#/$defs/'.length) in (schema.$defs ?? {}), path);
  });
});

describe('the tool schemas', () => {
  it('are the emitted schemas without their names', () => {
    for (const [name, constant] of Object.entries({
      'report-progress-input': REPORT_PROGRESS_SCHEMA,
      'progress-input': PROGRESS_SCHEMA,
      'progress-card-input': PROGRESS_CARD_SCHEMA,
    })) {
      const { $schema: _schema, $id: _id, title: _title, ...rest } = JSON.parse(files.get(`json/${name}.json`) as string) as JsonSchema;
      assert.deepEqual(constant, rest);
    }
  });
});
