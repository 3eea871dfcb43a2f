import { toJsonSchema } from './json-schema.ts';
import type { Entry } from './registry.ts';
import { TOOLS } from './registry.ts';

/** A JSON value as a TypeScript literal. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => `${inner}${key}: ${literal(member, inner)},\n`);
  return `{\n${members.join('')}${indent}}`;
}

/** Text of `tool-schemas.ts`: the inputs of the three tools as a model is shown them. */
export function emitToolSchemas(entries: readonly Entry[]): string {
  const constants = TOOLS.map(({ constant, name, tool }) => {
    const { title: _title, ...schema } = toJsonSchema(entries.find((entry) => entry.name === name)?.schema as object, name);
    return `/** JSON Schema of the input of the \`${tool}\` tool. */\nexport const ${constant} = ${literal(schema, '')} as const;\n`;
  });
  return `// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.\n\n${constants.join('\n')}`;
}
