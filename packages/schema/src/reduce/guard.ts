import { OPERATION_STATES, RUN_STATES } from '../wire/states.ts';
import type { ProgressEvent } from '../wire/event.ts';

/**
 * The little that the index relies on for identity and order, so that a value nobody checked is answered `invalid`
 * instead of spoiling a record. It does not take the place of the check.
 */
export function isOrderable(value: unknown): value is ProgressEvent {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Readonly<Record<string, unknown>>;
  if (!Number.isFinite(event['at'])) return false;
  switch (event['type']) {
    case 'operation':
      return isOperation(event);
    case 'operation.clear':
      return isIdentity(event);
    case 'card':
      return Number.isSafeInteger(event['revision']) && isRunName(event['run']) && isCardBody(event['card']);
    case 'run':
      return typeof event['run'] === 'string' && RUNS.has(event['state']);
    default:
      return typeof event['type'] === 'string';
  }
}

type Members = Readonly<Record<string, unknown>>;

const OPERATIONS: ReadonlySet<unknown> = new Set(OPERATION_STATES);
const RUNS: ReadonlySet<unknown> = new Set(RUN_STATES);

function isOperation(event: Members): boolean {
  return (
    isIdentity(event) &&
    isCount(event['attempt']) &&
    isCount(event['seq']) &&
    (event['state'] === undefined || OPERATIONS.has(event['state']))
  );
}

function isIdentity(event: Members): boolean {
  const id = event['id'];
  return (typeof id === 'string' || Number.isSafeInteger(id)) && isRunName(event['run']);
}

function isRunName(run: unknown): boolean {
  return run === undefined || typeof run === 'string';
}

function isCount(value: unknown): boolean {
  return value === undefined || Number.isSafeInteger(value);
}

function isCardBody(card: unknown): boolean {
  if (typeof card !== 'object' || card === undefined || Array.isArray(card)) return false;
  if (card === null) return true;
  const { plan, markdown } = card as Members;
  return (plan === undefined || Array.isArray(plan)) && (markdown === undefined || typeof markdown === 'string');
}
