import type { CardEvent } from '../wire/card.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { SessionEvent } from '../wire/session.ts';
import { cardEventRule, isCardEvent } from '../generated/card.ts';
import { isOperationClearEvent, operationClearEventRule } from '../generated/operation-clear.ts';
import { isOperationEvent, operationEventRule } from '../generated/operation.ts';
import { isRunEvent, runEventRule } from '../generated/run.ts';
import { isSessionEvent, sessionEventRule } from '../generated/session.ts';
import { finishCard } from './card-body.ts';
import { cleanFields, withField } from './clean-fields.ts';
import { describeValue } from './describe.ts';
import { isObject } from './guards.ts';
import type { Checked, Issue } from './issue.ts';
import { addIssue, refused, unreadable } from './issue-list.ts';
import { cleanUsage, finishOperation } from './operation-text.ts';
import { shapeIssues } from './shape.ts';

const TYPES = ['operation', 'operation.clear', 'card', 'run', 'session'] as const;

function finished<T>(value: T, issues: readonly Issue[]): Checked<T> {
  return issues.length === 0 ? { ok: true, value } : refused(issues);
}

function checkOperation(value: unknown): Checked<OperationEvent> {
  const look = { odd: false };
  if (!isOperationEvent(value, look)) return refused(shapeIssues(operationEventRule, value));
  if (!look.odd) return { ok: true, value };
  const issues: Issue[] = [];
  const event = finishOperation(value, '', issues);
  return finished(event, issues);
}

function checkCard(value: unknown): Checked<CardEvent> {
  if (!isCardEvent(value))
    return refused(shapeIssues(cardEventRule, value, { path: '/card', body: isObject(value) ? value['card'] : undefined }));
  const { card } = value;
  if (card === null) return { ok: true, value };
  const issues: Issue[] = [];
  const event = withField(value, value, 'card', finishCard(card, '/card', issues));
  return finished(event, issues);
}

function checkSession(value: unknown): Checked<SessionEvent> {
  if (!isSessionEvent(value)) return refused(shapeIssues(sessionEventRule, value));
  const event = cleanFields(value, ['title']);
  return { ok: true, value: value.usage ? withField(event, value, 'usage', cleanUsage(value.usage)) : event };
}

/** Issues of a value that is not an object with a known `type`. */
export function collectType(value: unknown, types: readonly string[]): Issue[] {
  const issues: Issue[] = [];
  const known = `must be one of ${types.join(', ')}`;
  if (!isObject(value)) addIssue(issues, '', 'type', `must be an object, but is ${describeValue(value)}.`);
  else if (!Object.hasOwn(value, 'type') || value['type'] === undefined) addIssue(issues, '/type', 'required', `is missing; it ${known}.`);
  else if (typeof value['type'] !== 'string') addIssue(issues, '/type', 'type', `${known}, but is ${describeValue(value['type'])}.`);
  else addIssue(issues, '/type', 'unknown_type', `${known}, but is another value.`);
  return issues;
}

/** The same without a guard against values that throw when read. */
export function dispatchEvent(value: unknown): Checked<ProgressEvent> {
  switch (isObject(value) ? value['type'] : undefined) {
    case 'operation':
      return checkOperation(value);
    case 'operation.clear':
      return isOperationClearEvent(value) ? { ok: true, value } : refused(shapeIssues(operationClearEventRule, value));
    case 'card':
      return checkCard(value);
    case 'run':
      return isRunEvent(value) ? { ok: true, value: cleanFields(value, ['reason']) } : refused(shapeIssues(runEventRule, value));
    case 'session':
      return checkSession(value);
    default:
      return refused(collectType(value, TYPES));
  }
}

/**
 * Checks an event that a producer sends: `operation`, `operation.clear`, `card`, `run` or `session`.
 *
 * In this order: the shape (unknown keys are kept, unknown words of a closed list are issues), byte limits on the raw
 * text, cleaning of every text people read, then what holds across fields. The value comes back by the same reference
 * when nothing was cleaned, otherwise as a shallow copy; the input is never changed. Never throws: a value that cannot
 * be read is an issue too.
 */
export function checkEvent(value: unknown): Checked<ProgressEvent> {
  try {
    return dispatchEvent(value);
  } catch {
    return unreadable();
  }
}
