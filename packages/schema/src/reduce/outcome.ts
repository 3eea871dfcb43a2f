/**
 * What became of one event:
 * - `applied`: the record moved (or took what was new);
 * - `late`: its attempt had already ended, or its operation was cleared;
 * - `stale`: an older attempt, sequence or revision than the one shown;
 * - `duplicate`: the same attempt and sequence, revision, or content again;
 * - `unknown`: it names something that was never announced, or a type this version does not know;
 * - `invalid`: it failed the check.
 */
export type Outcome = 'applied' | 'late' | 'stale' | 'duplicate' | 'unknown' | 'invalid';

/** A record after one event. `state` is the same reference as before unless the outcome is `applied`. */
export interface Reduced<T> {
  readonly state: T;
  readonly outcome: Outcome;
}
