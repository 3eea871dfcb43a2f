import { isFinal } from '@sitrep/schema';
import { runKey } from '@sitrep/schema/reduce';
import type { OperationEvent, ProgressEvent, RunEvent } from '@sitrep/schema/wire';
import type { LiveSession } from '../session/live-session.ts';

/** What is ended, and why. */
export interface Ending {
  readonly producer: string;
  /** Producers by key, as the store has them. */
  readonly holds: ReadonlyMap<string, string>;
  /** A stable word for the records. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Ends as `interrupted` what one producer has open. A run that others still have something open in is not over: it goes to
 * one of them. Answers how much was ended.
 */
export function endHeld(live: LiveSession, { producer, holds, reason, at }: Ending): number {
  const { held, session } = live;
  const holder = (key: string): string | undefined => held.holder(key) ?? holds.get(key);
  const mine = [...holds.keys()].filter((key) => holder(key) === producer);
  let ended = 0;
  const end = (event: ProgressEvent): void => {
    if (live.apply({ event, data: JSON.stringify(event) }) === 'applied') ended += 1;
  };
  const { operations, runs } = live.index;
  for (const key of mine) {
    const record = operations.get(key);
    if (record && !isFinal(record.state)) end(interruptedOperation(session, record, reason, at));
    held.release(key, true);
  }
  for (const { run, state } of runs.values()) {
    const key = runKey(run);
    if (isFinal(state) || holder(key) !== producer) continue;
    const other = [...live.index.operations]
      .filter(([, record]) => record.run === run && !isFinal(record.state))
      .map(([operation]) => holder(operation))
      .find((name) => name !== undefined && name !== producer);
    if (other === undefined) end(interruptedRun(session, run, reason, at));
    else held.pass(key, other);
  }
  held.forget(producer);
  return ended;
}

/** What ends an operation nobody knows the end of. */
export function interruptedOperation(
  session: string,
  { id, run, attempt }: { readonly id: string | number; readonly run?: string | undefined; readonly attempt: number },
  reason: string,
  at: number,
): OperationEvent {
  const name = { type: 'operation', session, id, ...(run === undefined ? {} : { run }), attempt } as const;
  return { ...name, state: 'interrupted', at, endedAt: at, reason };
}

/** What ends a run nobody knows the end of. */
export function interruptedRun(session: string, run: string, reason: string, at: number): RunEvent {
  return { type: 'run', session, run, state: 'interrupted', at, endedAt: at, reason };
}
