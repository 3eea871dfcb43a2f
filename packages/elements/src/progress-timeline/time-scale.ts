import type { Operation, Run } from '@sitrep/schema';
import type { TimeGrain } from '@sitrep/schema/select';
import { hasEnded } from '../display/shown-state.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Distances between ticks that a reader can count in, milliseconds. */
const STEPS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365, 3650].map((n) => n * DAY),
];
/** Parts of the whole in which the axis grows while something goes on: not with every tick of the clock. */
const PARTS = 8;
/** Latest time a `Date` can hold. */
const LATEST = 8.64e15;

/** From when to when something is shown, epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const isTime = (at: number | undefined): at is number => at !== undefined && Math.abs(at) <= LATEST;

/** From when to when an operation ran, as far as that is known. `point` where only one moment of it is. */
export function spanOf(operation: Operation, now: number, earliest: number): Span & { readonly point: boolean } {
  const { startedAt, endedAt, updatedAt } = operation;
  const last = isTime(updatedAt) ? updatedAt : now;
  const to = hasEnded(operation) ? (isTime(endedAt) ? endedAt : last) : now;
  if (!isTime(startedAt)) {
    const at = Math.max(earliest, Math.min(hasEnded(operation) ? to : last, now));
    return { from: at, to: at, point: true };
  }
  // Clocks differ: what is said to begin before its run, or to end before it began, is held to what can be.
  const from = Math.max(startedAt, earliest);
  return { from, to: Math.max(from, to), point: false };
}

/** When the first of the runs began; without any, no operation is held to it. */
export function earliestOf(runs: readonly Run[], operations: readonly Operation[]): number {
  if (runs.length === 0 || operations.some(({ run }) => run === undefined)) return -LATEST;
  const starts = runs.map(({ startedAt }) => startedAt).filter(isTime);
  return starts.length === runs.length ? Math.min(...starts) : -LATEST;
}

/** What the axis spans. While something goes on there is room before the end, and it grows by steps. */
export function axisOf(operations: readonly Operation[], now: number, earliest: number): Span {
  let from = Infinity;
  let to = -Infinity;
  let live = false;
  for (const operation of operations) {
    const span = spanOf(operation, now, earliest);
    if (span.from < from) from = span.from;
    if (span.to > to) to = span.to;
    live ||= !hasEnded(operation) && !span.point;
  }
  if (!(from <= to)) return { from: now, to: now + SECOND };
  const length = Math.max(to - from, 1);
  if (!live) return { from, to: from + length };
  const step = stepOf(length / PARTS);
  return { from, to: from + Math.ceil((length * 1.02) / step) * step };
}

/** The smallest step that is not below this, milliseconds. */
export const stepOf = (least: number): number => STEPS.find((step) => step >= least) ?? Math.ceil(least / DAY) * DAY;

/** Times worth a line, at most so many, and how finely they have to be told. From minutes on they stand at full ones of the reader's zone. */
export function ticksOf({ from, to }: Span, most: number): { readonly at: readonly number[]; readonly grain: TimeGrain } {
  const step = stepOf((to - from) / Math.max(1, most));
  const offset = step >= MINUTE ? new Date(from).getTimezoneOffset() * MINUTE : 0;
  const at: number[] = [];
  for (let time = Math.ceil((from - offset) / step) * step + offset; time <= to && at.length < 500; time += step) at.push(time);
  return { at, grain: step < SECOND ? 'millisecond' : step < MINUTE ? 'second' : step < DAY ? 'minute' : 'day' };
}
