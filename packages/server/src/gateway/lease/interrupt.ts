import { isFinal } from '@sitrep/schema';
import { operationKey, runKey } from '@sitrep/schema/reduce';
import type { Snapshot } from '@sitrep/schema/wire';
import { interruptedOperation, interruptedRun } from './end-held.ts';

/** What of a gateway is needed here. */
interface Interruptible {
  readonly options: { readonly batchLimit: number; readonly clock: { now(): number } };
  sessions(options: { readonly open: boolean; readonly limit: number }): Promise<readonly { readonly session: string }[]>;
  snapshot(session: string): Promise<Snapshot>;
  publish(session: string, events: readonly unknown[]): Promise<unknown>;
}

/**
 * Ends every run and operation that has not ended, in all sessions the store lists as open. See GatewayCore.interruptOpen.
 *
 * @param heldBy keys of what is left as it is, of one session: its producer may live
 */
export async function interruptOpen(
  gateway: Interruptible,
  reason: string,
  heldBy: (session: string) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const { batchLimit, clock } = gateway.options;
  const done = new Set<string>();
  for (;;) {
    const open = (await gateway.sessions({ open: true, limit: 1_000 })).filter(({ session }) => !done.has(session));
    if (open.length === 0) return;
    for (const { session } of open) {
      done.add(session);
      const at = clock.now();
      const held = await heldBy(session);
      const { runs, operations } = await gateway.snapshot(session);
      const isHeld = ({ id, run }: Snapshot['operations'][number]): boolean => held.has(operationKey(id, run));
      // A run in which somebody is at work is not over.
      const busy = new Set(operations.filter((operation) => !isFinal(operation.state) && isHeld(operation)).map(({ run }) => run));
      const runEnds = runs
        .filter(({ run, state }) => !isFinal(state) && !held.has(runKey(run)) && !busy.has(run))
        .map(({ run }) => interruptedRun(session, run, reason, at));
      // Operations first: the end of their run would give them its own reason.
      const ends = operations
        .filter((operation) => !isFinal(operation.state) && !isHeld(operation))
        .map((operation) => interruptedOperation(session, operation, reason, at));
      const events = [...ends, ...runEnds];
      for (let n = 0; n < events.length; n += batchLimit) await gateway.publish(session, events.slice(n, n + batchLimit));
    }
  }
}
