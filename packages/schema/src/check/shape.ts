import { collectCardBytes } from './card-body.ts';
import { collectIssues } from './collect-issues.ts';
import type { Issue } from './issue.ts';
import { addIssue, MAX_ISSUES } from './issue-list.ts';
import type { Rule } from './rule.ts';

/** Why a predicate refused a value. `card` is the pointer of a card body in it, whose texts are measured in bytes. */
export function shapeIssues(rule: Rule, value: unknown, card?: { readonly path: string; readonly body: unknown }): Issue[] {
  const issues: Issue[] = [];
  collectIssues(rule, value, '', issues);
  if (card === undefined) return orSomething(issues);
  const bytes: Issue[] = [];
  collectCardBytes(card.body, card.path, bytes);
  if (bytes.length === 0) return orSomething(issues);
  const measured = new Set(bytes.map((issue) => issue.path));
  return orSomething([...issues.filter((issue) => issue.code !== 'too_long' || !measured.has(issue.path)), ...bytes].slice(0, MAX_ISSUES));
}

/** A refusal is never without a reason, even for a value that changes while it is read. */
function orSomething(issues: Issue[]): Issue[] {
  if (issues.length === 0) addIssue(issues, '', 'type', 'could not be read twice alike: give a plain JSON value.');
  return issues;
}
