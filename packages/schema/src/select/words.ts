import type { BlockedKind, OperationState } from '../wire/states.ts';

/** Every English word the selectors write, so that one table can be replaced by another language's. */
export const WORDS = Object.freeze({
  states: Object.freeze({
    pending: 'pending',
    running: 'running',
    waiting: 'waiting',
    blocked: 'needs you',
    paused: 'paused',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
    denied: 'denied',
    interrupted: 'interrupted',
  } satisfies Record<OperationState, string>),
  /** "42 of 100". */
  of: '{current} of {total}',
  /** "42 of 100 files", "8 MiB". */
  withUnit: '{amount} {unit}',
  /** "Building project 42%". */
  summary: '{title} {rest}',
  /** Name of an operation that has none. */
  untitled: 'Operation',
  /** "1/3 complete". */
  stepsComplete: '{completed}/{total} complete',
  /** A card with nothing readable in it. */
  cardUpdated: 'Progress updated',
});

/** The same for the words of an estimate, apart, because most pages show none. */
export const PACE_WORDS = /* @__PURE__ */ Object.freeze({
  /** "8.2 MiB/s", "3 files/min". */
  perSecond: '{amount}/s',
  perMinute: '{amount}/min',
  perHour: '{amount}/h',
  /** "about 25 sec left". */
  left: 'about {time} left',
});

/** The same for notices, apart for the same reason. */
export const NOTICE_WORDS = /* @__PURE__ */ Object.freeze({
  /** Between the parts of a line: "Fix the build · 12.4K tok". */
  separator: ' · ',
  /** "12.4K tok". */
  tokens: '{amount} tok',
  /** "failed: out of tokens". */
  because: '{what}: {why}',
  /** "Deploy needs permission". */
  needs: /* @__PURE__ */ Object.freeze({
    permission: '{title} needs permission',
    question: '{title} has a question',
    auth: '{title} needs a sign-in',
    other: '{title} needs you',
  } satisfies Record<BlockedKind, string>),
});

/** Puts values into a pattern of WORDS. A value is never read as a pattern. */
export function fill(pattern: string, values: Readonly<Record<string, string | number>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}
