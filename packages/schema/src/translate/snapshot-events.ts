import { eventOf } from '../reduce/event-of.ts';
import type { Changes } from '../wire/changes.ts';
import type { OperationClearEvent } from '../wire/operation-clear.ts';
import type { CardEvent } from '../wire/card.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Run, RunEvent } from '../wire/run.ts';
import type { SessionEvent } from '../wire/session.ts';
import type { Snapshot } from '../wire/snapshot.ts';

/**
 * A snapshot as the events that would lead to it, for a peer that only knows a stream: what the session is called, its runs
 * begun, its operations as they stand, its card, and last the runs that have ended, so that nothing arrives after the end
 * of its run.
 */
export function snapshotEvents(snapshot: Snapshot): ProgressEvent[] {
  const { session, at, title, usage, runs, operations } = snapshot;
  const about: SessionEvent = {
    type: 'session',
    session,
    at,
    ...(title === undefined ? undefined : { title }),
    ...(usage === undefined ? undefined : { usage }),
  };
  const named = title !== undefined || usage !== undefined;
  return [
    ...(named ? [about] : []),
    ...runs.map((run) => begun(session, run)),
    ...operations.map((operation) => eventOf(session, operation)),
    ...cardEvents(snapshot),
    ...runs.filter(({ state }) => state !== 'running').map((run) => runEvent(session, run)),
  ];
}

/** Changes as the events that would lead to them, for a peer that only knows a stream. */
export function changesEvents(changes: Changes): ProgressEvent[] {
  const { session, epoch, seq, at, removed, operations, runs = [], card = null, revision = 0, title, usage } = changes;
  const cleared = removed.map((named): OperationClearEvent => ({ type: 'operation.clear', session, ...named, at }));
  const { cardUpdatedAt, cardRun } = changes;
  const dated = {
    ...(cardUpdatedAt === undefined ? undefined : { cardUpdatedAt }),
    ...(cardRun === undefined ? undefined : { cardRun }),
    ...(title == null ? undefined : { title }),
    ...(usage == null ? undefined : { usage }),
  };
  return [...cleared, ...snapshotEvents({ type: 'snapshot', session, epoch, seq, at, operations, runs, card, revision, ...dated })];
}

function runEvent(session: string, { updatedAt, ...run }: Run): RunEvent {
  return { type: 'run', session, ...run, at: updatedAt };
}

function begun(session: string, { run, parent, startedAt, updatedAt }: Run): RunEvent {
  return {
    type: 'run',
    session,
    run,
    state: 'running',
    at: startedAt ?? updatedAt,
    ...(parent === undefined ? undefined : { parent }),
    ...(startedAt === undefined ? undefined : { startedAt }),
  };
}

function cardEvents({ session, card, revision, cardUpdatedAt, cardRun, at }: Snapshot): CardEvent[] {
  if (revision < 1) return [];
  return [{ type: 'card', session, revision, at: cardUpdatedAt ?? at, ...(cardRun === undefined ? undefined : { run: cardRun }), card }];
}
