import type { Outcome } from '@sitrep/schema';

/** Upper bounds of the groups commits are counted in, seconds; longer ones are in none. */
export const COMMIT_BOUNDS: readonly number[] = Object.freeze([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]);

/** What happened in a gateway since it began: plain numbers, so that counting costs next to nothing. */
export class Stats {
  readonly outcomes: Record<Outcome, number> = { applied: 0, late: 0, stale: 0, duplicate: 0, unknown: 0, invalid: 0 };
  readonly cards = { written: 0, conflict: 0, invalid: 0 };
  /** Commits by the group their time falls in. */
  readonly commits: number[] = COMMIT_BOUNDS.map(() => 0);
  commitCount = 0;
  commitSeconds = 0;
  commitFailures = 0;
  /** Writes that were made again because another gateway had written first. */
  conflicts = 0;
  /** Readers that were too slow: what they came to. */
  readonly slow = { coalesced: 0, resynced: 0, cut: 0 };
  /** Leases that have ended, by how. */
  readonly leases = { lost: 0, released: 0 };
  /** Operations and runs that ended with a lease. */
  interrupted = 0;
  /** Requests over HTTP by status. */
  readonly statuses = new Map<number, number>();
  /** Refusals over HTTP by code. */
  readonly refusals = new Map<string, number>();

  /** Told how many seconds each commit took. */
  onCommit: ((seconds: number) => void) | undefined;

  /** Notes a commit that took so many milliseconds. */
  committed(ms: number): void {
    const seconds = ms / 1_000;
    this.commitCount += 1;
    this.commitSeconds += seconds;
    const group = COMMIT_BOUNDS.findIndex((bound) => seconds <= bound);
    if (group >= 0) this.commits[group] = (this.commits[group] ?? 0) + 1;
    this.onCommit?.(seconds);
  }
}

/** Adds one to the count of a key. */
export function countUp<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
