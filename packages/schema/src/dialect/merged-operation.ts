import { isFinal } from '../wire/states.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { SessionView } from './dialect.ts';

/** An operation as a peer with whole frames must be told of it: every field that is known, cleared ones left out. */
export type WholeOperation = OperationEvent & { readonly state: NonNullable<OperationEvent['state']> };

/**
 * The event over the record it moves, for peers whose frames replace: what the event leaves out is what stood there, what
 * it clears is gone. A higher attempt keeps only what names the work. Without a record the event is all there is.
 */
export function mergedOperation(event: OperationEvent, before?: SessionView): WholeOperation {
  const record = before?.find(event.id, event.run);
  const isSameAttempt = record !== undefined && record.attempt === (event.attempt ?? 1);
  const base: Fields = isSameAttempt ? record : naming(record);
  const said: Fields = event;
  const merged: Record<string, unknown> = { state: 'pending' };
  for (const key of Object.keys(base)) {
    const value = said[key] === undefined && !isOutdated(key, event) ? base[key] : said[key];
    if (key !== 'updatedAt' && value !== undefined && value !== null) merged[key] = value;
  }
  for (const key of Object.keys(said)) {
    const value = said[key];
    // An own member of that name would become the prototype.
    if (value !== undefined && value !== null && key !== '__proto__') merged[key] = value;
  }
  return merged as WholeOperation;
}

type Fields = Readonly<Record<string, unknown>>;

/** A state takes the explanation of the one before with it. */
function isOutdated(key: string, { state }: OperationEvent): boolean {
  if (state === undefined) return false;
  return (key === 'blockedOn' && state !== 'blocked') || (key === 'waitingOn' && state !== 'waiting');
}

function naming(record: ReturnType<SessionView['find']>): Fields {
  if (record === undefined) return {};
  const { title, activeTitle, kind, tool, parent, ambient, cancellable } = record;
  return { title, activeTitle, kind, tool, parent, ambient, cancellable };
}

/** What becomes of the operations a run leaves open when it ends: one event each, as the reducer settles them. */
export function leftOpen(
  run: { readonly session: string; readonly run: string; readonly at: number },
  before?: SessionView,
): OperationEvent[] {
  if (before === undefined) return [];
  const events: OperationEvent[] = [];
  for (const operation of before.operations.values()) {
    if (operation.run !== run.run || isFinal(operation.state)) continue;
    events.push({
      type: 'operation',
      session: run.session,
      id: operation.id,
      run: run.run,
      attempt: operation.attempt,
      at: run.at,
      state: 'interrupted',
      reason: 'run_ended',
    });
  }
  return events;
}
