/** Types, checks, reducers and selectors. Nothing here loads TypeBox; the schemas themselves are in `./wire`. */
export { LIMITS } from './wire/limits.ts';
export type { Outcome, Reduced } from './reduce/outcome.ts';
export type { Operation, OperationEvent } from './wire/operation.ts';
export type { CardRecord } from './wire/card.ts';
export type { Run } from './wire/run.ts';
export type { Usage } from './wire/parts.ts';
