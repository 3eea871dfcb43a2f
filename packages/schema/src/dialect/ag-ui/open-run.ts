/** Which of a session's runs is the one the protocol knows of: it has one at a time, and nothing may stand outside it. */
import type { Run, RunEvent } from '../../wire/run.ts';
import type { SessionView } from '../dialect.ts';
import { HANDED_OVER } from './frames.ts';

/** True while frames of this run may be sent. */
export function isOpen(run: Run): boolean {
  return run.state === 'running' && run.reason !== HANDED_OVER;
}

/** The run that is open at the peer. */
export function openRun(before: SessionView | undefined): Run | undefined {
  if (before === undefined) return undefined;
  const outer = lastOuter(before.runs.values());
  return outer !== undefined && isOpen(outer) ? outer : undefined;
}

/** True when runs are known and none is open: then nothing may be sent outside a run. */
export function isBetween(before: SessionView | undefined): boolean {
  return before !== undefined && before.runs.size > 0 && openRun(before) === undefined;
}

/** True when a run event is the protocol's own: the start of a run while none is open, or the end of the open one. */
export function writesRun(event: RunEvent, before: SessionView | undefined): boolean {
  if (before === undefined) return true;
  const open = openRun(before);
  if (event.state !== 'running' || event.reason === HANDED_OVER) return open?.run === event.run;
  if (open !== undefined) return false;
  // Judged as it will be from then on.
  const held = before.runs.get(event.run);
  const started: Run = {
    ...held,
    run: event.run,
    state: 'running',
    updatedAt: event.at,
    startedAt: event.startedAt ?? held?.startedAt ?? event.at,
  };
  return lastOuter(new Map([...before.runs, [event.run, started]]).values())?.run === event.run;
}

/** The newest run that is no run inside another: one that began while an outer one was under way never was the protocol's. */
function lastOuter(runs: Iterable<Run>): Run | undefined {
  let outer: Run | undefined;
  for (const run of runs) if (outer === undefined || !isInside(run, outer)) outer = run;
  return outer;
}

function isInside(run: Run, outer: Run): boolean {
  if (isOpen(outer)) return true;
  const began = run.startedAt ?? run.updatedAt;
  const ended = outer.endedAt ?? outer.updatedAt;
  return began < ended || (began === ended && run.parent === outer.run);
}
