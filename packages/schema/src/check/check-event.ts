import type { CardEvent } from '../wire/card.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { SessionEvent } from '../wire/session.ts';
import { isCardEvent } from '../generated/card.ts';
import { isOperationClearEvent } from '../generated/operation-clear.ts';
import { isOperationEvent } from '../generated/operation.ts';
import { isRunEvent } from '../generated/run.ts';
import { isSessionEvent } from '../generated/session.ts';
import { finishCard } from './card-body.ts';
import { cleanFields, withField } from './clean-fields.ts';
import { isObject } from './guards.ts';
import type { Checked, Issue } from './issue.ts';
import { refused, unreadable } from './issue-list.ts';
import { cleanUsage, finishOperation } from './operation-text.ts';
import { unknownType } from './unknown-type.ts';
import { explain } from './explain.ts';

const TYPES = ['operation', 'operation.clear', 'card', 'run', 'session'] as const;

function finished<T>(value: T, issues: readonly Issue[]): Checked<T> {
  return issues.length === 0 ? { ok: true, value } : refused(issues);
}

function checkOperation(value: unknown): Checked<OperationEvent> | undefined {
  const look = { odd: false };
  if (!isOperationEvent(value, look)) return undefined;
  if (!look.odd) return { ok: true, value };
  const issues: Issue[] = [];
  const event = finishOperation(value, '', issues);
  return finished(event, issues);
}

function checkCard(value: unknown): Checked<CardEvent> | undefined {
  if (!isCardEvent(value)) return undefined;
  const { card } = value;
  if (card === null) return { ok: true, value };
  const issues: Issue[] = [];
  const event = withField(value, value, 'card', finishCard(card, '/card', issues));
  return finished(event, issues);
}

function checkSession(value: unknown): Checked<SessionEvent> | undefined {
  if (!isSessionEvent(value)) return undefined;
  const event = cleanFields(value, ['title']);
  return { ok: true, value: value.usage ? withField(event, value, 'usage', cleanUsage(value.usage)) : event };
}

/**
 * The same without a guard against values that throw when read; undefined where the shape is wrong, which `explain` puts in words.
 * `types` are those there could be.
 */
export function dispatchEvent(value: unknown, types: readonly string[] = TYPES): Checked<ProgressEvent> | undefined {
  switch (isObject(value) ? value['type'] : undefined) {
    case 'operation':
      return checkOperation(value);
    case 'operation.clear':
      return isOperationClearEvent(value) ? { ok: true, value } : undefined;
    case 'card':
      return checkCard(value);
    case 'run':
      return isRunEvent(value) ? { ok: true, value: cleanFields(value, ['reason']) } : undefined;
    case 'session':
      return checkSession(value);
    default:
      return unknownType(value, types);
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
    return dispatchEvent(value) ?? explain(value);
  } catch {
    return unreadable();
  }
}
