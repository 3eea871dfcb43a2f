import { isFinal } from '@sitrep/schema';
import type { Operation } from '@sitrep/schema';
import type { SessionIndex } from '@sitrep/schema/reduce';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { PRODUCER_LOST } from '../lease/lease.ts';

/** What of a record says how it ended. */
interface Ended {
  readonly state: Operation['state'];
  readonly reason?: string | undefined;
}

/**
 * Whether the attempt an event speaks of has ended: `producer_lost` when that was here, because its producer was not heard
 * of. It may go on as another attempt then.
 */
export function endOfAttempt(index: SessionIndex, event: ProgressEvent): 'producer_lost' | 'ended' | undefined {
  const record = event.type === 'operation' ? index.find(event.id, event.run) : undefined;
  const run = event.type === 'operation' || event.type === 'run' ? index.runs.get(event.run ?? '') : undefined;
  if (event.type === 'run') return wordFor(run, isLost(run));
  if (record?.attempt !== (event.type === 'operation' ? (event.attempt ?? 1) : 0)) return undefined;
  return wordFor(record, isLost(record) || (record.reason === 'run_ended' && isLost(run)));
}

/** True for what would begin, as a first attempt, in a run that was ended here because its producer was not heard of. */
export function beginsInLostRun(index: SessionIndex, event: ProgressEvent): boolean {
  if (event.type !== 'operation' || event.run === undefined || (event.attempt ?? 1) !== 1) return false;
  return isLost(index.runs.get(event.run)) && index.find(event.id, event.run) === undefined;
}

function wordFor(record: Ended | undefined, lost: boolean): 'producer_lost' | 'ended' | undefined {
  if (record === undefined || !isFinal(record.state)) return undefined;
  return lost ? PRODUCER_LOST : 'ended';
}

function isLost(record: Ended | undefined): boolean {
  return record?.state === 'interrupted' && record.reason === PRODUCER_LOST;
}
