import { isFinal } from '../../wire/states.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
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

/** What of an operation the bar depends on. */
type Shown = Pick<Operation | WholeOperation, 'id' | 'state' | 'parent' | 'current' | 'total' | 'fraction'>;

const HIDDEN: OscBar = { state: 0 };

/**
 * What the bar shows of a session, after `event` if one is given. A terminal has one bar and a session many operations,
 * so a percentage stands only where exactly one operation is going on at the top: it speaks for all there is. A run that
 * is going on keeps the bar, endless, between two of its tools. Background work has no part in it.
 */
export function barOf(before: SessionView | undefined, event?: ProgressEvent): OscBar {
  const live = liveAfter(before, event);
  if (live.length === 0) return hasLiveRun(before, event) ? { state: 3 } : endOf(before, event);
  const only = onlyTop(live);
  const percent = only === undefined ? undefined : hundredthsDone(only as OperationEvent);
  const isHeld = live.some(({ state }) => state === 'blocked') || live.every(({ state }) => state === 'paused');
  if (percent === undefined) return { state: isHeld ? 4 : 3 };
  return { state: isHeld ? 4 : 1, percent };
}

/** The one operation that is part of no other that goes on; undefined when there are several. */
function onlyTop(live: readonly Shown[]): Shown | undefined {
  const ids = new Set<Id>();
  for (const { id } of live) ids.add(id);
  let only: Shown | undefined;
  for (const each of live) {
    const { id, parent } = each;
    if (parent !== undefined && parent !== null && parent !== id && ids.has(parent)) continue;
    if (only !== undefined) return undefined;
    only = each;
  }
  return only;
}

function liveAfter(before: SessionView | undefined, event: ProgressEvent | undefined): readonly Shown[] {
  const live: Shown[] = [];
  const over = event?.type === 'run' && isFinal(event.state) ? event.run : undefined;
  const moved = event !== undefined && 'id' in event ? before?.find(event.id, event.run) : undefined;
  for (const record of before?.operations.values() ?? []) {
    if (record === moved || record.ambient === true || isFinal(record.state)) continue;
    if (over === undefined || record.run !== over) live.push(record);
  }
  if (event?.type !== 'operation') return live;
  const after = mergedOperation(event, before);
  if (!isFinal(after.state) && after.ambient !== true) live.push(after);
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
