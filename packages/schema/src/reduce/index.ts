/** Moving records by events: pure for one record, and one index that a store owns for a session. */
export { reduceOperation } from './operation.ts';
export { Coalescer } from './coalescer.ts';
export { cardBody, NO_CARD, reduceCard } from './card.ts';
export { reduceRun } from './run.ts';
export { reduceSession } from './session.ts';
export { operationKey, runKey } from './key.ts';
export { eventOf } from './event-of.ts';
export { sameJson } from './equal.ts';
export { SessionIndex } from './session-index.ts';
export type { Applied } from './applied.ts';
export type { IndexLimits } from './session-index.ts';
export type { Outcome, Reduced } from './outcome.ts';
export type { SessionRecord } from './session.ts';
export type { Tombstone } from './tombstones.ts';
