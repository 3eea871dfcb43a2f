import type { JsonSchema } from './json-schema.ts';

function bounds(schema: JsonSchema): string {
  const parts: string[] = [];
  const min = schema.minLength ?? schema.minimum;
  const max = schema.maxLength ?? schema.maximum;
  if (min !== undefined && min !== Number.MIN_SAFE_INTEGER) parts.push(`min: ${min}`);
  if (schema.exclusiveMinimum !== undefined) parts.push(`above: ${schema.exclusiveMinimum}`);
  if (max !== undefined && max !== Number.MAX_SAFE_INTEGER) parts.push(`max: ${max}`);
  return parts.map((part) => `, ${part}`).join('');
}

/** The options of a union, those of unions within it among them: the collector looks one level deep. */
function options(anyOf: readonly JsonSchema[]): JsonSchema[] {
  return anyOf.flatMap((option) => (option.anyOf === undefined ? [option] : options(option.anyOf)));
}

function inner(schema: JsonSchema, named: (schema: JsonSchema) => string): string {
  if (schema.const !== undefined) return `{ is: 'const', value: '${schema.const}' }`;
  if (schema.enum !== undefined) return `{ is: 'enum', words: [${schema.enum.map((word) => `'${word}'`).join(', ')}] }`;
  if (schema.anyOf !== undefined)
    return `{ is: 'any', of: [${options(schema.anyOf)
      .map((option) => inner(option, named))
      .join(', ')}] }`;
  switch (schema.type) {
    case 'string':
      return `{ is: 'text'${bounds(schema)} }`;
    case 'number':
    case 'integer':
      return `{ is: '${schema.type}'${bounds(schema)} }`;
    case 'boolean':
    case 'null':
      return `{ is: '${schema.type}' }`;
    case 'array':
      return `{ is: 'array', item: ${inner(schema.items as JsonSchema, named)}${schema.maxItems === undefined ? '' : `, max: ${schema.maxItems}`} }`;
    case 'object':
      return named(schema);
    default:
      return `{ is: 'anything' }`;
  }
}

/** The rule of an object or record as source text. `named` gives the constant that holds the rule of an inner one. */
export function emitRule(schema: JsonSchema, named: (schema: JsonSchema) => string): string {
  if (schema.properties === undefined) return `{ is: 'record', value: ${inner(schema.additionalProperties || {}, named)} }`;
  const fields = Object.entries(schema.properties).map(([key, field]) => `    ${key}: ${inner(field, named)},\n`);
  const required = (schema.required ?? []).map((key) => `'${key}'`).join(', ');
  const closed = schema.additionalProperties === false ? '  closed: true,\n' : '';
  return `{\n  is: 'object',\n  fields: {\n${fields.join('')}  },\n  required: [${required}],\n${closed}}`;
}
