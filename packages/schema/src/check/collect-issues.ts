import { describeRule, describeValue } from './describe.ts';
import { isInteger, isNumber, isObject, isText } from './guards.ts';
import type { Issue, IssueCode } from './issue.ts';
import { addIssue, MAX_ISSUES } from './issue-list.ts';
import { isPlainKey, member } from './pointer.ts';
import type { ObjectRule, Rule } from './rule.ts';

/**
 * The slow half of every check: walks a value that the generated predicate refused and says all that is wrong with it.
 * It stops when the list is full, looks at sizes before contents, and goes no deeper than the schema does.
 */

const own = Object.prototype.hasOwnProperty;

type NumberRule = Extract<Rule, { is: 'number' | 'integer' }>;

function failsText(value: unknown, min: number, max: number): IssueCode | undefined {
  if (typeof value !== 'string') return 'type';
  return value.length < min ? 'too_short' : isText(value, min, max) ? undefined : 'too_long';
}

function failsNumber(value: unknown, rule: NumberRule): IssueCode | undefined {
  const whole = rule.is === 'integer' ? isInteger(value, -Infinity) : isNumber(value, -Infinity, Infinity);
  if (!whole) return 'type';
  const { min = -Infinity, above = -Infinity, max = Infinity } = rule;
  const number = value as number;
  return number < min || number <= above || number > max ? 'range' : undefined;
}

/** The code of what is wrong with the value itself, members aside. */
function fails(rule: Rule, value: unknown): IssueCode | undefined {
  switch (rule.is) {
    case 'const':
      return value === rule.value ? undefined : 'enum';
    case 'enum':
      return typeof value !== 'string' ? 'type' : rule.words.includes(value) ? undefined : 'enum';
    case 'text':
      return failsText(value, rule.min ?? 0, rule.max ?? Infinity);
    case 'number':
    case 'integer':
      return failsNumber(value, rule);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'type';
    case 'null':
      return value === null ? undefined : 'type';
    case 'array':
      return !Array.isArray(value) ? 'type' : value.length > (rule.max ?? Infinity) ? 'too_many' : undefined;
    case 'object':
    case 'record':
      return isObject(value) ? undefined : 'type';
    case 'any':
    case 'anything':
      return undefined;
  }
}

const isContainer = (rule: Rule): boolean => rule.is === 'object' || rule.is === 'array' || rule.is === 'record';

/** True when there is certainly nothing to report; most members are leaves that fit, and cost no path then. */
function passes(rule: Rule, value: unknown): boolean {
  switch (rule.is) {
    case 'text':
      return isText(value, rule.min ?? 0, rule.max ?? Infinity);
    case 'any':
      for (let index = 0; index < rule.of.length; index++) if (passes(rule.of[index] as Rule, value)) return true;
      return false;
    case 'array':
    case 'object':
    case 'record':
      return false;
    default:
      return fails(rule, value) === undefined;
  }
}

function collectUnion(rule: Extract<Rule, { is: 'any' }>, value: unknown, path: string, issues: Issue[]): void {
  let nearest: Rule | undefined;
  for (const option of rule.of) {
    const code = fails(option, value);
    if (code === undefined) return isContainer(option) ? collectIssues(option, value, path, issues) : undefined;
    if (code !== 'type') nearest = option;
  }
  if (nearest !== undefined) return collectIssues(nearest, value, path, issues);
  addIssue(issues, path, 'type', `must be ${describeRule(rule)}, but is ${describeValue(value)}.`);
}

function addUnknown(rule: ObjectRule, key: string, path: string, issues: Issue[]): void {
  const allowed = `the known ones are ${Object.keys(rule.fields).join(', ')}.`;
  if (isPlainKey(key)) addIssue(issues, member(path, key), 'unknown_key', `is not a known field; ${allowed}`);
  else addIssue(issues, path, 'unknown_key', `has an unknown field with a name of ${key.length} characters; ${allowed}`);
}

function collectMembers(rule: ObjectRule, value: Record<string, unknown>, path: string, issues: Issue[]): void {
  for (let index = 0; index < rule.required.length; index++) {
    const key = rule.required[index] as string;
    if (value[key] !== undefined && own.call(value, key)) continue;
    addIssue(issues, member(path, key), 'required', `is missing; it must be ${describeRule(rule.fields[key] as Rule)}.`);
  }
  for (const key in value) {
    if (!own.call(value, key)) continue;
    const found = value[key];
    if (found === undefined) continue;
    // What a name such as `constructor` finds on the prototype is no rule: it has no kind.
    const field = rule.fields[key];
    if (typeof field?.is !== 'string') {
      if (rule.closed) addUnknown(rule, key, path, issues);
    } else if (!passes(field, found)) collectIssues(field, found, `${path}/${key}`, issues);
    if (issues.length >= MAX_ISSUES) return;
  }
}

/** Adds to `issues` what the rule finds wrong with the value. `path` is the JSON Pointer of the value. */
export function collectIssues(rule: Rule, value: unknown, path: string, issues: Issue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  if (rule.is === 'any') return collectUnion(rule, value, path, issues);
  const code = fails(rule, value);
  if (code !== undefined) {
    const found = code === 'range' ? 'out of that range' : code === 'enum' ? 'another value' : describeValue(value);
    return addIssue(issues, path, code, `must be ${describeRule(rule)}, but is ${found}.`);
  }
  if (rule.is === 'object') return collectMembers(rule, value as Record<string, unknown>, path, issues);
  if (rule.is === 'array') {
    const items = value as readonly unknown[];
    for (let index = 0; index < items.length && issues.length < MAX_ISSUES; index++)
      collectIssues(rule.item, items[index], `${path}/${index}`, issues);
  }
  if (rule.is === 'record') {
    for (const key of Object.keys(value as object)) {
      const found = (value as Record<string, unknown>)[key];
      if (found !== undefined) collectIssues(rule.value, found, member(path, key), issues);
      if (issues.length >= MAX_ISSUES) return;
    }
  }
}
