import type { JsonSchema } from './json-schema.ts';
import { toJsonSchema } from './json-schema.ts';
import type { Entry } from './registry.ts';
import { UNIONS } from './registry.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function document(name: string, schema: JsonSchema): string {
  return `${JSON.stringify({ $schema: DIALECT, $id: `urn:sitrep:${name}`, ...schema }, null, 2)}\n`;
}

/** Text of every `json/<name>.json`. The unions carry their members, so that each file stands alone. */
export function emitJson(entries: readonly Entry[]): Map<string, string> {
  const schemas = new Map<string, JsonSchema>();
  for (const entry of entries) if (entry.json !== undefined) schemas.set(entry.json, toJsonSchema(entry.schema, entry.name));
  const files = new Map([...schemas].map(([name, schema]) => [name, document(name, schema)]));
  for (const { json, title, description, of } of UNIONS) {
    const $defs = Object.fromEntries(of.map((name) => [name, schemas.get(name) as JsonSchema]));
    files.set(json, document(json, { title, description, oneOf: of.map((name) => ({ $ref: `#/$defs/${name}` })), $defs }));
  }
  return files;
}
