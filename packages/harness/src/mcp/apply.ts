import { isFinal } from '@sitrep/schema';
import type { OperationEvent } from '@sitrep/schema/wire';
import type { LivePatch, Patch, Reporter } from '../reporter/types.ts';

/** What a server may say of a call that the host has named: never what identifies it, nor what the host keeps beside it. */
const TOLD = ['title', 'activeTitle', 'message', 'current', 'total', 'fraction', 'unit', 'usage', 'cancellable'] as const;

/** What an event changes, for the reporter it is applied to. */
export function patchOf(event: OperationEvent): Patch {
  const patch: Record<string, unknown> = {};
  for (const key of TOLD) if (event[key] !== undefined) patch[key] = event[key];
  // What a live state waits for belongs to that state; an end brings its own reason.
  if (event.reason !== undefined && event.state !== undefined && !isFinal(event.state)) patch['reason'] = event.reason;
  return patch as Patch;
}

/** Applies an event of work that goes on. */
export function applyLive(reporter: Reporter, event: OperationEvent): void {
  const patch = patchOf(event);
  switch (event.state) {
    case 'waiting':
      reporter.wait(event.waitingOn ?? {}, patch);
      return;
    case 'blocked':
      reporter.block(event.blockedOn ?? 'other', patch);
      return;
    case 'running':
    case 'paused': {
      const live: LivePatch = { ...patch, state: event.state };
      reporter.update(live);
      return;
    }
    default:
      // `pending` is no step back for a call that was sent: it is how a word nobody knows is read.
      if (Object.keys(patch).length > 0) reporter.update(reporter.state === 'pending' ? { ...patch, state: 'pending' } : patch);
  }
}

/** Ends a reporter as a final event says. */
export function applyEnd(reporter: Reporter, event: OperationEvent): void {
  const patch = patchOf(event);
  const reason = event.reason ?? undefined;
  switch (event.state) {
    case 'completed':
      reporter.complete(reason === undefined ? patch : { ...patch, reason });
      return;
    case 'failed':
      reporter.fail(event.error ?? undefined, reason === undefined ? patch : { ...patch, reason });
      return;
    case 'cancelled':
      reporter.cancel(reason, patch);
      return;
    case 'denied':
      reporter.deny(reason, patch);
      return;
    case 'interrupted':
      reporter.interrupt(reason, patch);
      return;
    default:
  }
}
