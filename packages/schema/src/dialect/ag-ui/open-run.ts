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
  for (const run of before?.runs.values() ?? []) if (isOpen(run) && !isInside(run, run.startedAt ?? run.updatedAt, before)) return run;
  return undefined;
}

/** True when runs are known and none is open: then nothing may be sent outside a run. */
export function isBetween(before: SessionView | undefined): boolean {
  return before !== undefined && before.runs.size > 0 && openRun(before) === undefined;
}

/** True when a run event is the protocol's own: the start of a run while none is open, or the end of the open one. */
export function writesRun(event: RunEvent, before: SessionView | undefined): boolean {
  if (before === undefined) return true;
  const open = openRun(before);
  return event.state === 'running' && event.reason !== HANDED_OVER ? open === undefined : open?.run === event.run;
}

/** A run that began while an earlier one was under way never was the protocol's: it stands inside. */
function isInside(run: Run, startedAt: number, before: SessionView | undefined): boolean {
  for (const other of before?.runs.values() ?? []) {
    if (other.run === run.run) return false;
    if (isOpen(other) || (other.endedAt ?? other.updatedAt) > startedAt) return true;
  }
  return false;
}
