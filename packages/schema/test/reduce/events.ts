import type { Operation, OperationEvent } from '@sitrep/schema';
import { reduceOperation, SessionIndex } from '@sitrep/schema/reduce';
import type { Outcome } from '@sitrep/schema/reduce';

export const SESSION = 'chat-1';

/** An operation event of the test session, at 1,000 unless it says otherwise. */
export function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: SESSION, id: 'call-1', at: 1000, ...fields };
}

/** Reduces events of one operation; answers the record and what became of each. */
export function run(...events: readonly OperationEvent[]): { state: Operation; outcomes: readonly Outcome[] } {
  let state: Operation | undefined;
  const outcomes: Outcome[] = [];
  for (const event of events) {
    const reduced = reduceOperation(state, event);
    state = reduced.state;
    outcomes.push(reduced.outcome);
  }
  return { state: state as Operation, outcomes };
}

/** An index of the test session with these events applied. */
export function indexOf(
  events: readonly Parameters<SessionIndex['apply']>[0][],
  limits: ConstructorParameters<typeof SessionIndex>[1] = {},
): SessionIndex {
  const index = new SessionIndex(SESSION, limits);
  for (const event of events) index.apply(event);
  return index;
}
