import type { Operation, OperationEvent } from '../wire/operation.ts';

/**
 * A whole record as one event: what a reader that knows nothing of the operation needs, and what a dialect needs whose
 * peer takes whole frames.
 */
export function eventOf(session: string, { updatedAt, ...record }: Operation): OperationEvent {
  return { type: 'operation', session, ...record, at: updatedAt };
}
