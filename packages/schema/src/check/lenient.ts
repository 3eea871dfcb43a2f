import { LIMITS } from '../wire/limits.ts';
import { BLOCKED_KINDS, OPERATION_STATES, RUN_STATES, STEP_STATES } from '../wire/states.ts';
import { isObject } from './guards.ts';
import { mapSame } from './map-same.ts';
import { cleanLine } from './text/clean-line.ts';
import { truncate } from './text/truncate.ts';

/**
 * What a reader forgives, because the writer may be newer: words of lists that may grow. Nothing is read as success or
 * as an end that was not announced. Every function takes any value and gives the same reference when it mended nothing.
 */

/** The protocol named in `native` when the word is one of our own, of a later version. */
const OWN_PROTOCOL = 'sitrep';

function isUnknownWord(value: unknown, words: readonly string[]): value is string {
  return typeof value === 'string' && !words.includes(value);
}

/** The word as it may be kept: one clean line within the limit. */
function rawWord(word: string): string {
  return truncate(cleanLine(word.slice(0, 4 * LIMITS.word)), LIMITS.word);
}

/** An unknown state reads as `pending`, its word kept in `native.state` unless the peer's own word already stands there. */
function mendOperation(value: unknown): unknown {
  if (!isObject(value)) return value;
  let result = value;
  const { state, native, blockedOn } = value;
  if (isUnknownWord(state, OPERATION_STATES)) {
    const kept = isObject(native) ? native : {};
    result = { ...result, state: 'pending', native: { protocol: OWN_PROTOCOL, state: rawWord(state), ...kept } };
  }
  if (isObject(blockedOn) && isUnknownWord(blockedOn['kind'], BLOCKED_KINDS))
    result = { ...result, blockedOn: { ...blockedOn, kind: 'other' } };
  return result;
}

/** An unknown state of a run reads as `running`, the only one that ends nothing; its word becomes the reason if there is none. */
function mendRun(value: unknown): unknown {
  if (!isObject(value) || !isUnknownWord(value['state'], RUN_STATES)) return value;
  return { ...value, state: 'running', reason: value['reason'] ?? rawWord(value['state']) };
}

/** An unknown status reads as `pending`; of several steps in progress the first one is. */
function mendCard(card: unknown): unknown {
  if (!isObject(card) || !Array.isArray(card['plan']) || card['plan'].length > LIMITS.planSteps) return card;
  let current = false;
  const plan = mapSame<unknown>(card['plan'], (step) => {
    if (!isObject(step)) return step;
    const again = step['status'] === 'in_progress' && current;
    current ||= step['status'] === 'in_progress';
    return again || isUnknownWord(step['status'], STEP_STATES) ? { ...step, status: 'pending' } : step;
  });
  return plan === card['plan'] ? card : { ...card, plan };
}

function mendMember(value: Record<string, unknown>, key: string, mend: (member: unknown) => unknown): Record<string, unknown> {
  const mended = mend(value[key]);
  return mended === value[key] ? value : { ...value, [key]: mended };
}

function mendSnapshot(value: Record<string, unknown>): Record<string, unknown> {
  const each = (mend: (item: unknown) => unknown, max: number) => (items: unknown) =>
    Array.isArray(items) && items.length <= max ? mapSame<unknown>(items, mend) : items;
  let result = mendMember(value, 'card', mendCard);
  result = mendMember(result, 'operations', each(mendOperation, LIMITS.operations));
  return mendMember(result, 'runs', each(mendRun, LIMITS.runs));
}

/** The event with words of a later version read as the nearest we know; the same reference when there were none. */
export function mendEvent(value: unknown): unknown {
  if (!isObject(value)) return value;
  switch (value['type']) {
    case 'operation':
      return mendOperation(value);
    case 'run':
      return mendRun(value);
    case 'card':
      return mendMember(value, 'card', mendCard);
    case 'snapshot':
    case 'changes':
      return mendSnapshot(value);
    default:
      return value;
  }
}
