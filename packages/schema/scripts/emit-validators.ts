import type { JsonSchema } from './json-schema.ts';
import { bare, toJsonSchema } from './json-schema.ts';
import { emitRule } from './emit-rule.ts';
import type { Entry } from './registry.ts';

/**
 * Compiles schemas to plain code: for each a predicate (`isCard`) for the common case, and a rule (`cardRule`) from
 * which `collectIssues` explains a refusal. The predicate walks the own keys once and dispatches by `switch`, so
 * neither an inherited member nor a key order matters. Engines compare a key with one case after the other: the cases
 * stand by how often they are met.
 */

/**
 * Asked per key inside `for … in`, which engines fold away for plain objects; that makes it the fastest walk over own
 * keys there is. The constant stands in each file, because an imported one is not folded.
 */
const OWN = 'const own = Object.prototype.hasOwnProperty;';

/** A validator that other code can call: in which file, under which name. */
interface Known {
  readonly name: string;
  readonly file: string;
  /** True when it can note on its way whether there is text to clean. */
  readonly looks: boolean;
}

/** One generated file under way. */
class Module {
  readonly #file: string;
  readonly #known: Map<string, Known>;
  readonly #guards = new Set<string>();
  readonly #imports = new Map<string, Set<string>>();
  readonly #wire = new Set<string>();
  readonly #code: string[] = [];
  #ownKeys = false;

  constructor(file: string, known: Map<string, Known>) {
    this.#file = file;
    this.#known = known;
  }

  add(entry: Entry): void {
    const schema = bare(toJsonSchema(entry.schema, entry.name));
    this.#emit(entry.name, schema, entry);
    this.#wire.add(entry.name);
  }

  text(): string {
    const { guards, lines } = {
      guards: [...this.#guards].sort(),
      lines: ['// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.'],
    };
    if (guards.length > 0) lines.push(`import { ${guards.join(', ')} } from '../check/guards.ts';`);
    lines.push(
      `import type { ObjectRule, Rule } from '../check/rule.ts';`.replace(this.#code.join('').includes(': Rule =') ? '' : /, Rule/, ''),
    );
    if (this.#guards.has('lookAt')) lines.push(`import type { Look } from '../check/guards.ts';`);
    if (this.#wire.size > 0) lines.push(`import type { ${[...this.#wire].join(', ')} } from '../wire/${this.#file}.ts';`);
    for (const [file, names] of [...this.#imports].sort()) lines.push(`import { ${[...names].sort().join(', ')} } from './${file}.ts';`);
    if (this.#ownKeys) lines.push('', OWN);
    return `${lines.join('\n')}\n\n${this.#code.join('\n')}`;
  }

  /** Writes predicate and rule of an object or record that has no name yet. */
  #emit(name: string, schema: JsonSchema, entry?: Entry): void {
    const type = entry?.name;
    const texts = entry?.texts ?? [];
    const predicate = schema.properties === undefined ? this.#record(schema, name) : this.#object(schema, name, entry?.usual ?? [], texts);
    const rule = emitRule(schema, (inner) => this.#ruleOf(inner, name));
    const kind = schema.properties === undefined ? 'Rule' : 'ObjectRule';
    const test =
      type === undefined
        ? `function is${name}(value: unknown): boolean`
        : `export function is${name}(value: unknown${texts.length > 0 ? ', look?: Look' : ''}): value is ${type}`;
    const constant = `${type === undefined ? '' : 'export '}const ${ruleName(name)}: ${kind} = ${rule};`;
    this.#code.push(
      `${type === undefined ? '' : `/** True for the shape of \`${type}\`, byte limits and text rules aside. */\n`}${test} {\n${predicate}}\n`,
    );
    this.#code.push(`${type === undefined ? '' : `/** What \`is${name}\` asks, as data for the issue collector. */\n`}${constant}\n`);
    this.#known.set(JSON.stringify(schema), { name, file: this.#file, looks: texts.length > 0 });
  }

  #record(schema: JsonSchema, name: string): string {
    this.#guards.add('isObject');
    const value = schema.additionalProperties;
    if (!value || Object.keys(value).length === 0) return '  return isObject(value);\n';
    this.#guards.add('everyValue');
    return `  return isObject(value) && everyValue(value, (x) => ${this.#test(value, name)});\n`;
  }

  #object(schema: JsonSchema, name: string, usual: readonly string[], texts: readonly string[]): string {
    this.#guards.add('isObject');
    this.#ownKeys = true;
    const required = new Set(schema.required ?? []);
    const groups = new Map<string, string[]>();
    const properties = schema.properties ?? {};
    for (const key of new Set([...required, ...usual, ...Object.keys(properties)])) {
      const field = properties[key];
      if (field === undefined) throw new Error(`${name}: there is no field "${key}"`);
      const test = this.#test(field, `${name}${key[0]?.toUpperCase()}${key.slice(1)}`, texts.includes(key));
      const noted = texts.includes(key) ? this.#note(test, field) : '';
      const body = `        if (${negated(test)}) return false;\n${noted}${required.has(key) ? '        found++;\n' : ''}        break;\n`;
      groups.set(body, [...(groups.get(body) ?? []), key]);
    }
    let cases = '';
    for (const [body, keys] of groups) cases += `${keys.map((key) => `      case '${key}':\n`).join('')}${body}`;
    if (schema.additionalProperties === false) cases += '      default:\n        return false;\n';
    const counts = required.size > 0;
    return `  if (!isObject(value)) return false;
${counts ? '  let found = 0;\n' : ''}  for (const key in value) {
    if (!own.call(value, key)) continue;
    const x = value[key];
    if (x === undefined) continue;
    switch (key) {
${cases}    }
  }
  return ${counts ? `found === ${required.size}` : 'true'};
`;
  }

  /** What notes that a field has text to clean, unless its own predicate does so already. */
  #note(test: string, field: JsonSchema): string {
    if (test.includes(', look)')) return '';
    const mayBeNull = field.anyOf?.some((option) => option.type === 'null') ? ' && x !== null' : '';
    return `        if (look !== undefined${mayBeNull}) ${this.#guard('lookAt', 'x, look')};\n`;
  }

  /** An expression that is true when `x` fits; `look` to have the texts in it looked at. */
  #test(schema: JsonSchema, name: string, look = false): string {
    if (schema.const !== undefined) return `x === '${schema.const}'`;
    if (schema.enum !== undefined) return schema.enum.map((word) => `x === '${word}'`).join(' || ');
    if (schema.anyOf !== undefined) {
      const options = [...schema.anyOf].sort((a, b) => Number(b.type === 'null') - Number(a.type === 'null'));
      return options.map((option) => (option.type === 'null' ? 'x === null' : this.#test(option, name, look))).join(' || ');
    }
    switch (schema.type) {
      case 'string':
        if (schema.maxLength === undefined && schema.minLength === undefined) return `typeof x === 'string'`;
        return this.#guard('isText', `x, ${schema.minLength ?? 0}, ${schema.maxLength ?? 'Infinity'}`);
      case 'number': {
        const range = this.#guard('isNumber', `x, ${schema.minimum ?? '-Infinity'}, ${schema.maximum ?? 'Infinity'}`);
        return schema.exclusiveMinimum === undefined ? range : `${range} && x > ${schema.exclusiveMinimum}`;
      }
      case 'integer':
        if (schema.maximum !== Number.MAX_SAFE_INTEGER) throw new Error(`${name}: an integer must be bounded by what is safe`);
        return this.#guard('isInteger', `x, ${schema.minimum === Number.MIN_SAFE_INTEGER ? '-Infinity' : (schema.minimum ?? '-Infinity')}`);
      case 'boolean':
        return `typeof x === 'boolean'`;
      case 'array': {
        this.#guards.add('everyItem');
        const items = `everyItem(x, ${this.#predicateOf(schema.items as JsonSchema, `${name}Item`)})`;
        return `Array.isArray(x)${schema.maxItems === undefined ? '' : ` && x.length <= ${schema.maxItems}`} && ${items}`;
      }
      case 'object':
        return `${this.#predicateOf(schema, name)}(x${look && this.#lookUp(schema, name).looks ? ', look' : ''})`;
      default:
        throw new Error(`${name}: the generator does not know ${JSON.stringify(schema)}`);
    }
  }

  #guard(guard: string, args: string): string {
    this.#guards.add(guard);
    return `${guard}(${args})`;
  }

  #lookUp(schema: JsonSchema, name: string): Known {
    const key = JSON.stringify(schema);
    if (!this.#known.has(key)) this.#emit(name, schema);
    return this.#known.get(key) as Known;
  }

  #import(known: Known, symbol: string): string {
    if (known.file !== this.#file) this.#imports.set(known.file, (this.#imports.get(known.file) ?? new Set()).add(symbol));
    return symbol;
  }

  #predicateOf(schema: JsonSchema, name: string): string {
    const known = this.#lookUp(schema, name);
    return this.#import(known, `is${known.name}`);
  }

  #ruleOf(schema: JsonSchema, name: string): string {
    const known = this.#lookUp(schema, name);
    return this.#import(known, ruleName(known.name));
  }
}

function ruleName(name: string): string {
  return `${name[0]?.toLowerCase()}${name.slice(1)}Rule`;
}

/** The negation as a person would write it. */
function negated(test: string): string {
  const parts = test.split(' || ');
  const single = (part: string): string =>
    part.includes(' && ') ? `!(${part})` : part.includes(' === ') ? part.replace(' === ', ' !== ') : `!${part}`;
  return parts.map(single).join(' && ');
}

/** Text of every generated validator file, by file name without extension. */
export function emitValidators(entries: readonly Entry[]): Map<string, string> {
  const known = new Map<string, Known>();
  const modules = new Map<string, Module>();
  for (const entry of entries) {
    const module = modules.get(entry.file) ?? new Module(entry.file, known);
    modules.set(entry.file, module);
    module.add(entry);
  }
  return new Map([...modules].map(([file, module]) => [file, module.text()]));
}
