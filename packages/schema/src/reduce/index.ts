export type { Outcome, Reduced } from './outcome.ts';
