import { isFinal } from '@sitrep/schema';
import type { SessionIndex } from '@sitrep/schema/reduce';
import { barOf } from '@sitrep/schema/dialect/osc-progress';
import { readStatus, writeStatus } from '@sitrep/schema/dialect/osc-status';
import { displayTitle } from '@sitrep/schema/select';
import type { Operation, ProgressEvent, Run } from '@sitrep/schema/wire';

/**
 * The root record of a terminal: what the program as a whole is doing. Blocked if anything is, at work while anything
 * goes on, then what became of what ended last. `former` is the sequence written last: an end stands while nothing else
 * does.
 */
export function rootStatus(index: SessionIndex, event: ProgressEvent, app: string | undefined, former: string): string {
  const title = index.title;
  const blocked = [...index.operations.values()].find(({ state }) => state === 'blocked');
  const { state, percent: progress } = barOf(index);
  if (blocked !== undefined) return writeStatus({ ...waiting(blocked), id: '', app, title, progress });
  if (state !== 0) {
    const isHeld = state === 4;
    return writeStatus({ state: isHeld ? 'idle' : 'working', id: '', app, title, progress: isHeld ? undefined : progress });
  }
  const ended = endOf(index, event);
  if (ended === undefined) return isOver(former) ? former : writeStatus({ state: 'idle', id: '', app, title });
  return writeStatus({ ...ended, id: '', app, title });
}

/** True for a record that still holds when nothing goes on: what was at work or blocked is neither any more. */
function isOver(former: string): boolean {
  const read = readStatus(former);
  return read?.kind === 'report' && read.report.state !== 'working' && read.report.state !== 'blocked';
}

function waiting(operation: Operation): { state: string; kind?: string; msg: string } {
  const { blockedOn, message } = operation;
  const kind = blockedOn?.kind;
  const msg = blockedOn?.prompt ?? message ?? displayTitle(operation);
  return { state: 'blocked', ...(kind === undefined || kind === 'other' ? undefined : { kind }), msg };
}

function endOf(index: SessionIndex, event: ProgressEvent): { state: string; msg: string | undefined } | undefined {
  if (event.type === 'run') return outcome(index.runs.get(event.run));
  if (event.type !== 'operation') return undefined;
  const operation = index.find(event.id, event.run);
  return operation?.ambient === true ? undefined : outcome(operation);
}

function outcome(record: Operation | Run | undefined): { state: string; msg: string | undefined } | undefined {
  if (record === undefined || !isFinal(record.state)) return undefined;
  const error = 'error' in record ? record.error?.message : undefined;
  switch (record.state) {
    case 'completed':
      return { state: 'done', msg: undefined };
    case 'failed':
      return { state: 'error', msg: error ?? record.reason };
    default:
      return { state: 'idle', msg: record.state };
  }
}
