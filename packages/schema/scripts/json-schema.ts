/** The subset of JSON Schema the wire is written in. Anything else is a fault of the generator's input, not a case. */
export interface JsonSchema {
  $schema?: string;
  $id?: string;
  title?: string;
  description?: string;
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  const?: string;
  enum?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: JsonSchema;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: false | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

const KNOWN = new Set(
  'title description type const enum minLength maxLength minimum maximum exclusiveMinimum items maxItems properties required additionalProperties patternProperties anyOf'.split(
    ' ',
  ),
);
const EVERY_KEY = '^.*$';

function tidy(node: Record<string, unknown>, where: string): JsonSchema {
  for (const key of Object.keys(node)) if (!KNOWN.has(key)) throw new Error(`${where}: the generator does not know the keyword "${key}"`);
  const { title, description, ...rest } = node as JsonSchema & { patternProperties?: Record<string, object> };
  const result: JsonSchema & { patternProperties?: unknown } = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...rest,
  };
  if (rest.enum !== undefined) Object.assign(result, { type: 'string', enum: rest.enum });
  if (rest.patternProperties !== undefined) {
    const [pattern, ...others] = Object.keys(rest.patternProperties);
    if (pattern !== EVERY_KEY || others.length > 0) throw new Error(`${where}: only records of all keys are known`);
    result.additionalProperties = tidy(rest.patternProperties[EVERY_KEY] as Record<string, unknown>, `${where}/*`);
    delete result.patternProperties;
  }
  if (rest.items !== undefined) result.items = tidy(rest.items as Record<string, unknown>, `${where}/items`);
  if (rest.anyOf !== undefined)
    result.anyOf = rest.anyOf.map((option, index) => tidy(option as Record<string, unknown>, `${where}/anyOf/${index}`));
  if (rest.properties !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([key, value]) => [key, tidy(value as Record<string, unknown>, `${where}/${key}`)]),
    );
  }
  return result;
}

/** A TypeBox schema as plain JSON Schema: hidden members gone, records written as `additionalProperties`, enums typed. */
export function toJsonSchema(schema: object, name: string): JsonSchema {
  return tidy(JSON.parse(JSON.stringify(schema)) as Record<string, unknown>, name);
}

/** The same without titles and descriptions: two schemas that accept the same are then written the same. */
export function bare(schema: JsonSchema): JsonSchema {
  const { title: _title, description: _description, ...rest } = schema;
  const result: JsonSchema = { ...rest };
  if (rest.items !== undefined) result.items = bare(rest.items);
  if (rest.anyOf !== undefined) result.anyOf = rest.anyOf.map(bare);
  if (rest.additionalProperties) result.additionalProperties = bare(rest.additionalProperties);
  if (rest.properties !== undefined)
    result.properties = Object.fromEntries(Object.entries(rest.properties).map(([key, value]) => [key, bare(value)]));
  return result;
}
