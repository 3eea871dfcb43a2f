import { createHttpSink } from '@sitrep/harness/sink';
import type { ProgressEvent } from '@sitrep/schema/wire';

/** Milliseconds one call waits for the gateway; less once it is known to be away. */
const WAIT_MS = 1_000;
const AWAY_WAIT_MS = 200;
/** Milliseconds after which a request without an answer counts as failed. */
const REQUEST_MS = 5_000;

/** What became of the events of one call, as far as it is known when the call has to be answered. */
export type Delivered =
  /** The gateway stored them. */
  | { readonly outcome: 'stored' }
  /** The operation has ended already: the gateway dropped them. */
  | { readonly outcome: 'late' }
  /** The gateway or this side refused them; they are gone. */
  | { readonly outcome: 'refused'; readonly message: string }
  /** No answer yet: they are kept, with all that waits before them, and sent when the gateway answers. */
  | { readonly outcome: 'kept'; readonly waiting: number };

/** Where a connection sends its events. */
export interface Delivery {
  /** Sends events in the order of the calls. Never rejects and never waits for long. */
  send(events: readonly ProgressEvent[]): Promise<Delivered>;
  /** Gives what waits one more try of so many milliseconds, then lets go of it. */
  close(timeoutMs: number): Promise<void>;
}

/** Delivers to a gateway over HTTP. One call at a time, so that the counts of the sink say what became of it. */
export function createDelivery(url: string, warn: (message: string) => void): Delivery {
  let said = '';
  let fault = '';
  let gaveUp = (): void => {};
  const sink = createHttpSink({
    url,
    batchMs: 0,
    timeoutMs: REQUEST_MS,
    onDiagnostic({ code, message }) {
      if (code === 'flush_timeout') return;
      fault = message;
      gaveUp();
      if (said !== code) warn(`${url}: ${message}`);
      said = code;
    },
  });
  let turn: Promise<unknown> = Promise.resolve();

  const deliver = async (events: readonly ProgressEvent[]): Promise<Delivered> => {
    const { outcomes: before, dropped, pending } = sink.stats;
    fault = '';
    const failed = new Promise<void>((resolve) => (gaveUp = resolve));
    for (const event of events) sink.send(event);
    await Promise.race([sink.flush({ timeoutMs: pending > 0 ? AWAY_WAIT_MS : WAIT_MS }), failed]);
    const { outcomes, dropped: droppedNow, pending: waiting } = sink.stats;
    if (waiting > 0) return { outcome: 'kept', waiting };
    said = '';
    if (droppedNow > dropped || outcomes.invalid > before.invalid) return { outcome: 'refused', message: fault };
    // Of what was kept for long, only the newest is asked about.
    return pending === 0 && outcomes.late > before.late ? { outcome: 'late' } : { outcome: 'stored' };
  };

  return {
    send(events) {
      const mine = turn.then(() => deliver(events));
      turn = mine;
      return mine;
    },
    async close(timeoutMs) {
      await turn;
      await sink.flush({ timeoutMs });
    },
  };
}
