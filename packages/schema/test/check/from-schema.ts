import fc from 'fast-check';
import type { JsonSchema } from '../../scripts/json-schema.ts';

/** Text with all planes in it: letters, astral characters, lone surrogates, controls, joiners, escapes. */
const unit = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\r',
    '\t',
    '\u001b[1m',
    '\u001b]',
    '\u0007',
    '\u200b',
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\ud83d',
    '\udc00',
    '🚀',
    '👩',
    '🏴',
    '\u{e0067}',
    '\u{e007f}',
    '\u{e0100}',
    'ن',
    '葛',
  ),
);
export const text = fc.array(unit, { maxLength: 12, size: 'max' }).map((parts) => parts.join(''));

function sized(min: number, max: number): fc.Arbitrary<string> {
  const fit = (value: string): string => [...value].slice(0, max).join('') || 'x'.repeat(min);
  const edges = fc.constantFrom('a', '🚀').map((letter) => letter.repeat(Math.min(max, 9000)));
  return fc.oneof({ weight: 8, arbitrary: text.map(fit) }, { weight: 1, arbitrary: edges });
}

function record(schema: JsonSchema): fc.Arbitrary<unknown> {
  const value = schema.additionalProperties ? fromSchema(schema.additionalProperties) : fc.jsonValue();
  return fc.dictionary(
    fc.string({ maxLength: 8 }).map((key) => key.replace(/[\n\r\u2028\u2029]/g, '')),
    value,
    { maxKeys: 3 },
  );
}

function object(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, fromSchema(field)]));
  return fc.record(fields, { requiredKeys: schema.required ?? [] });
}

/** Values that fit a schema of the subset the wire is written in. */
export function fromSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(fromSchema));
  switch (schema.type) {
    case 'string':
      return sized(schema.minLength ?? 0, schema.maxLength ?? 20);
    case 'number': {
      const min = schema.minimum ?? schema.exclusiveMinimum;
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        ...(min === undefined ? {} : { min, minExcluded: schema.exclusiveMinimum !== undefined }),
        ...(schema.maximum === undefined ? {} : { max: schema.maximum }),
      });
    }
    case 'integer':
      return fc.maxSafeInteger().map((value) => (value < (schema.minimum ?? -Infinity) ? (schema.minimum as number) : value));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.oneof(
        { weight: 8, arbitrary: fc.array(fromSchema(schema.items as JsonSchema), { maxLength: 3 }) },
        {
          weight: 1,
          arbitrary: fromSchema(schema.items as JsonSchema).map((item) => Array.from({ length: schema.maxItems ?? 3 }, () => item)),
        },
      );
    case 'object':
      return schema.properties === undefined ? record(schema) : object(schema);
    default:
      return fc.jsonValue();
  }
}

type Path = readonly (string | number)[];

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => paths(member, [...path, key]))];
}

function changed(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  if (path.length === 0) return change(value);
  const [key, ...rest] = path as [string, ...string[]];
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const member = changed(copy[key], rest, change);
  if (member === undefined && !Array.isArray(copy)) delete copy[key];
  else Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
  return copy;
}

const CHANGES: readonly ((found: unknown, other: unknown) => unknown)[] = [
  (_found, other) => other,
  () => undefined,
  (found) =>
    typeof found === 'string' ? `${found}a` : typeof found === 'number' ? -found : Array.isArray(found) ? [...found, ...found] : [found],
  (found) => (typeof found === 'number' ? found + 0.5 : typeof found === 'string' ? found.slice(1) : null),
  (found, other) =>
    typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found, extra: other } : JSON.stringify(other),
];

/** A valid value with one to three members replaced, dropped, lengthened, shifted or added. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.nat(), fc.nat({ max: CHANGES.length - 1 }), fc.jsonValue({ maxDepth: 2 }));
  return fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    let result = value;
    for (const [where, which, other] of changes) {
      const all = paths(result);
      result = changed(result, all[where % all.length] as Path, (found) => CHANGES[which]?.(found, other)) ?? null;
    }
    return result;
  });
}
