import type { Rule } from './rule.ts';
import { codePointLength } from './text/code-points.ts';

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function range(noun: string, { min, above, max }: { min?: number; above?: number; max?: number }): string {
  const bounds: string[] = [];
  if (above !== undefined) bounds.push(`greater than ${above}`);
  if (min !== undefined) bounds.push(`of at least ${min}`);
  if (max !== undefined) bounds.push(`at most ${max}`);
  return [noun, bounds.join(' and ')].join(' ').trimEnd();
}

function textRule({ min = 0, max }: { min?: number; max?: number }): string {
  if (max === undefined) return min === 0 ? 'text' : 'text that is not empty';
  return `text of ${min === 0 ? 'at most' : `${min} to`} ${max} characters`;
}

/** What was said before. Rules are the generated constants: there are only so many. */
const said = new Map<Rule, string>();

/** The rule as the end of "must be …". */
export function describeRule(rule: Rule): string {
  let sentence = said.get(rule);
  if (sentence === undefined) said.set(rule, (sentence = describe(rule)));
  return sentence;
}

function describe(rule: Rule): string {
  switch (rule.is) {
    case 'const':
      return `"${rule.value}"`;
    case 'enum':
      return `one of ${rule.words.join(', ')}`;
    case 'text':
      return textRule(rule);
    case 'number':
      return range('a finite number', rule);
    case 'integer':
      return range('a whole number', rule);
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'any':
      return rule.of.map(describeRule).join(' or ');
    case 'array':
      return rule.max === undefined ? 'an array' : `an array of at most ${plural(rule.max, 'item')}`;
    case 'object':
    case 'record':
      return 'an object';
    case 'anything':
      return 'anything';
  }
}

/** What was found, as kind and size. Never its content. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${plural(value.length, 'item')}`;
  switch (typeof value) {
    case 'string':
      return `text of ${plural(codePointLength(value), 'character')}`;
    case 'number':
      return describeNumber(value);
    case 'boolean':
      return 'a boolean';
    case 'object':
      return 'an object';
    default:
      return `of type ${typeof value}`;
  }
}

function describeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'not a finite number';
  if (!Number.isInteger(value)) return 'a number with a fraction';
  return Number.isSafeInteger(value) ? 'a whole number' : 'a whole number too large to be exact';
}
