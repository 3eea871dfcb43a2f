import { isFinal } from '@sitrep/schema';
import type { OperationEvent, RunEvent, Snapshot } from '@sitrep/schema/wire';

/** What of a gateway is needed here. */
interface Interruptible {
  readonly options: { readonly batchLimit: number; readonly clock: { now(): number } };
  sessions(options: { readonly open: boolean; readonly limit: number }): Promise<readonly { readonly session: string }[]>;
  snapshot(session: string): Promise<Snapshot>;
  publish(session: string, events: readonly unknown[]): Promise<unknown>;
}

/** Ends every run and operation that has not ended, in all sessions the store lists as open. See GatewayCore.interruptOpen. */
export async function interruptOpen(gateway: Interruptible, reason: string): Promise<void> {
  const { batchLimit, clock } = gateway.options;
  const done = new Set<string>();
  for (;;) {
    const open = (await gateway.sessions({ open: true, limit: 1_000 })).filter(({ session }) => !done.has(session));
    if (open.length === 0) return;
    for (const { session } of open) {
      done.add(session);
      const at = clock.now();
      const { runs, operations } = await gateway.snapshot(session);
      const runEnds = runs
        .filter(({ state }) => !isFinal(state))
        .map(({ run }): RunEvent => ({ type: 'run', session, run, state: 'interrupted', at, endedAt: at, reason }));
      // Operations first: the end of their run would give them its own reason.
      const ends = operations
        .filter(({ state }) => !isFinal(state))
        .map(({ id, run, attempt }): OperationEvent => {
          return {
            type: 'operation',
            session,
            id,
            ...(run === undefined ? {} : { run }),
            attempt,
            state: 'interrupted',
            at,
            endedAt: at,
            reason,
          };
        });
      const events = [...ends, ...runEnds];
      for (let n = 0; n < events.length; n += batchLimit) await gateway.publish(session, events.slice(n, n + batchLimit));
    }
  }
}
