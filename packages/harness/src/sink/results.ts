import type { Outcome } from '@sitrep/schema';

const OUTCOMES = ['applied', 'late', 'stale', 'duplicate', 'unknown', 'invalid'] as const;

/** What a gateway says became of one event. */
export interface Result {
  readonly outcome: Outcome;
  /** Beside what was not applied, under a lease: the attempt has ended, and whether that was there. */
  readonly reason: unknown;
  /** The first thing that was wrong, as text. */
  readonly message: string | undefined;
  readonly path: string | undefined;
}

/** Reads an answer to a batch: a result for each event, undefined where it says none; undefined for an answer of another shape. */
export function readResults(answer: unknown, events: number): readonly (Result | undefined)[] | undefined {
  const results: unknown = (answer as { results?: unknown } | null | undefined)?.results;
  return Array.isArray(results) ? results.slice(0, events).map(readResult) : undefined;
}

function readResult(value: unknown): Result | undefined {
  const result = value as
    | {
        readonly outcome?: unknown;
        readonly reason?: unknown;
        readonly issues?: readonly { readonly path?: unknown; readonly message?: unknown }[];
      }
    | null
    | undefined;
  const outcome = OUTCOMES.find((word) => word === result?.outcome);
  if (outcome === undefined) return undefined;
  const issue = result?.issues?.[0];
  return { outcome, reason: result?.reason, message: textOf(issue?.message), path: textOf(issue?.path) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
