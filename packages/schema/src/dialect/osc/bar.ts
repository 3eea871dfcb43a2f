import { isFinal } from '../../wire/states.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { Id } from '../../wire/scalars.ts';
import { hundredthsDone } from '../amounts-out.ts';
import type { SessionView } from '../dialect.ts';
import { mergedOperation } from '../merged-operation.ts';
import type { WholeOperation } from '../merged-operation.ts';

/** The one bar of a terminal. */
export interface OscBar {
  /** 0 hidden, 1 normal, 2 error, 3 endless, 4 held: waiting on a person, or paused. */
  readonly state: 0 | 1 | 2 | 3 | 4;
  /** Whole percent; undefined where no amount speaks for everything that is going on. */
  readonly percent?: number;
}

const HIDDEN: OscBar = { state: 0 };

/**
 * What the bar shows of a session, after `event` if one is given. A terminal has one bar and a session many operations,
 * so a percentage stands only where exactly one operation is going on at the top: it speaks for all there is. A run that
 * is going on keeps the bar, endless, between two of its tools. Background work has no part in it.
 */
export function barOf(before: SessionView | undefined, event?: ProgressEvent): OscBar {
  const operations = liveAfter(before, event);
  const ids = new Set<Id>(operations.map(({ id }) => id));
  const tops = operations.filter(({ parent, id }) => parent === undefined || parent === null || parent === id || !ids.has(parent));
  const [only] = tops;
  const percent = tops.length === 1 && only !== undefined ? hundredthsDone(only) : undefined;
  const amount = percent === undefined ? {} : { percent };
  if (operations.some(({ state }) => state === 'blocked')) return { state: 4, ...amount };
  if (operations.length > 0 && operations.every(({ state }) => state === 'paused')) return { state: 4, ...amount };
  if (operations.length > 0) return percent === undefined ? { state: 3 } : { state: 1, percent };
  if (hasLiveRun(before, event)) return { state: 3 };
  return endOf(before, event);
}

function liveAfter(before: SessionView | undefined, event: ProgressEvent | undefined): WholeOperation[] {
  const moved = event?.type === 'operation' ? mergedOperation(event, before) : undefined;
  const over = event?.type === 'run' && isFinal(event.state) ? event.run : undefined;
  const live: WholeOperation[] = [];
  for (const record of before?.operations.values() ?? []) {
    if (isFinal(record.state) || record.ambient === true) continue;
    if (over !== undefined && record.run === over) continue;
    if (event !== undefined && 'id' in event && record.id === event.id && record.run === event.run) continue;
    live.push({ ...record, type: 'operation', session: '', at: 0 } as WholeOperation);
  }
  if (moved !== undefined && !isFinal(moved.state) && moved.ambient !== true) live.push(moved);
  return live;
}

function hasLiveRun(before: SessionView | undefined, event: ProgressEvent | undefined): boolean {
  const moved = event?.type === 'run' ? event : undefined;
  if (moved !== undefined && !isFinal(moved.state)) return true;
  for (const run of before?.runs.values() ?? []) if (!isFinal(run.state) && run.run !== moved?.run) return true;
  return false;
}

/** Nothing goes on any more: what failed last is shown as an error until something else is, all else is hidden. */
function endOf(before: SessionView | undefined, event: ProgressEvent | undefined): OscBar {
  if (event?.type === 'run') return event.state === 'failed' ? { state: 2 } : HIDDEN;
  if (event?.type !== 'operation') return HIDDEN;
  const whole: OperationEvent = mergedOperation(event, before);
  if (whole.ambient === true || (whole.state !== 'failed' && whole.state !== 'denied')) return HIDDEN;
  const percent = hundredthsDone(whole);
  return { state: 2, ...(percent === undefined ? {} : { percent }) };
}
