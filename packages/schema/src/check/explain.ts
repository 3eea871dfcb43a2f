import { cardEventRule } from '../generated/card.ts';
import { changesRule } from '../generated/changes.ts';
import { endRule, heartbeatRule, resyncRule } from '../generated/control.ts';
import { operationClearEventRule } from '../generated/operation-clear.ts';
import { operationEventRule } from '../generated/operation.ts';
import { runEventRule } from '../generated/run.ts';
import { sessionEventRule } from '../generated/session.ts';
import { snapshotRule } from '../generated/snapshot.ts';
import type { EventType } from '../wire/states.ts';
import type { Refused } from './issue.ts';
import { refused } from './issue-list.ts';
import type { ObjectRule } from './rule.ts';
import { shapeIssues } from './shape.ts';

const RULES = {
  operation: operationEventRule,
  'operation.clear': operationClearEventRule,
  card: cardEventRule,
  run: runEventRule,
  session: sessionEventRule,
  snapshot: snapshotRule,
  changes: changesRule,
  heartbeat: heartbeatRule,
  resync: resyncRule,
  end: endRule,
} satisfies Record<EventType, ObjectRule>;

/**
 * The answer for a value whose shape is wrong: all that is, by the rules of its type, and where there is a card in it, by the bytes of
 * its texts, too.
 */
export function explain(value: unknown, type?: EventType): Refused {
  const claimed = value as { readonly type: EventType; readonly card?: unknown } | null | undefined;
  const rule: ObjectRule = RULES[type ?? claimed!.type];
  return refused(shapeIssues(rule, value, rule.fields['card'] && { path: '/card', body: claimed?.card }));
}
