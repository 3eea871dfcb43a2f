import { collectCardBytes } from './card-body.ts';
import { collectIssues } from './collect-issues.ts';
import type { Issue } from './issue.ts';
import { MAX_ISSUES, unreadable } from './issue-list.ts';
import type { Rule } from './rule.ts';

/** Why a predicate refused a value. `card` is the pointer of a card body in it, whose texts are measured in bytes. */
export function shapeIssues(rule: Rule, value: unknown, card?: { readonly path: string; readonly body: unknown }): readonly Issue[] {
  const issues: Issue[] = [];
  collectIssues(rule, value, '', issues);
  const bytes: Issue[] = [];
  if (card) collectCardBytes(card.body, card.path, bytes);
  const measured = new Set(bytes.map((issue) => issue.path));
  const all = [...issues.filter((issue) => issue.code !== 'too_long' || !measured.has(issue.path)), ...bytes].slice(0, MAX_ISSUES);
  // A refusal is never without a reason, even for a value that changes while it is read.
  return all.length > 0 ? all : unreadable().issues;
}
