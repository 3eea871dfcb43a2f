import { setImmediate as immediate } from 'node:timers/promises';
import { createHttpSink } from '@sitrep/harness/sink';
import type { HttpSinkOptions } from '@sitrep/harness/sink';
import { isFinal } from '@sitrep/schema';
import type { Id, Outcome } from '@sitrep/schema';
import type { ProgressEvent } from '@sitrep/schema/wire';

/** Milliseconds one call waits for a word of the gateway; less once it is known to be away. */
const WAIT_MS = 1_000;
const AWAY_WAIT_MS = 200;
/** Milliseconds after which a request without an answer counts as failed. */
const REQUEST_MS = 5_000;

/** Calls that go together at most: fewer events than the sink holds. */
const MAX_TOGETHER = 200;

/** What became of the events of one call, as far as it is known when the call has to be answered. */
export type Delivered =
  /** The gateway stored them. */
  | { readonly outcome: 'stored' }
  /** The operation has ended already: the gateway dropped them. */
  | { readonly outcome: 'late' }
  /** The gateway or this side refused them, or nobody said that they were stored; they are gone. */
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

interface Call {
  readonly events: readonly ProgressEvent[];
  readonly since: number;
  readonly answer: (delivered: Delivered) => void;
}

/**
 * Delivers to a gateway over HTTP. Calls that come while others are on their way go together once those are through, so
 * that none waits for more than one before it, however many there are.
 */
export function createDelivery(url: string, headers: HttpSinkOptions['headers'], warn: (message: string) => void): Delivery {
  let said = '';
  let fault = '';
  let gaveUp = (): void => {};
  /** When the gateway last said something. One that answers what came before is not away, however much that was. */
  let heardAt = -Infinity;
  /** The newest word of the gateway on each operation of the calls under way. */
  const heard = new Map<Id, Outcome>();
  const sink = createHttpSink({
    url,
    headers,
    batchMs: 0,
    timeoutMs: REQUEST_MS,
    onOutcome(event, outcome) {
      heardAt = performance.now();
      if (event.type === 'operation') heard.set(event.id, outcome);
    },
    onDiagnostic({ code, message }) {
      if (code === 'flush_timeout') return;
      fault = message;
      gaveUp();
      if (said !== code) warn(message.includes(' gateway at ') ? message : `${url}: ${message}`);
      said = code;
    },
  });
  const waiting: Call[] = [];
  let turn: Promise<void> | undefined;

  const deliver = async (calls: readonly Call[]): Promise<void> => {
    const away = sink.stats.pending > 0;
    heard.clear();
    fault = '';
    const failed = new Promise<void>((resolve) => (gaveUp = resolve));
    for (const { events } of calls) for (const event of events) sink.send(event);
    const waited = performance.now() - Math.max(heardAt, Math.min(...calls.map(({ since }) => since)));
    await Promise.race([sink.flush({ timeoutMs: Math.max(0, (away ? AWAY_WAIT_MS : WAIT_MS) - waited) }), failed]);
    // What is told of a request is told a little before the request is done with.
    await immediate();
    const { pending } = sink.stats;
    let isStored = false;
    for (const { events, answer } of calls) {
      const outcomes = events.flatMap((event) => (event.type === 'operation' ? [heard.get(event.id)] : []));
      const delivered = judge(outcomes, pending, fault);
      if (delivered.outcome === 'stored' && outcomes.length > 0) isStored = true;
      answer(delivered);
    }
    // What goes wrong is told again once it had been well in between.
    if (isStored) said = '';
  };

  const work = async (): Promise<void> => {
    // What one program calls at once goes at once.
    await Promise.resolve();
    while (waiting.length > 0) await deliver(waiting.splice(0, together(waiting)));
    turn = undefined;
  };

  return {
    send(events) {
      return new Promise((answer) => {
        waiting.push({ events, since: performance.now(), answer });
        turn ??= work();
      });
    },
    async close(timeoutMs) {
      await turn;
      await sink.flush({ timeoutMs });
    },
  };
}

/** What became of a call, by what the gateway said of its operations. */
function judge(outcomes: readonly (Outcome | undefined)[], pending: number, fault: string): Delivered {
  if (outcomes.includes('invalid')) return { outcome: 'refused', message: fault };
  if (outcomes.includes('unknown')) return { outcome: 'refused', message: 'The gateway does not know events of this kind.' };
  if (outcomes.includes('late')) return { outcome: 'late' };
  if (!outcomes.includes(undefined)) return { outcome: 'stored' };
  if (pending > 0) return { outcome: 'kept', waiting: pending };
  return { outcome: 'refused', message: fault || 'The answer does not say what became of it; is this the gateway?' };
}

/** How many of the calls may go together: what follows the end of an operation does not, or it could not be told which was late. */
function together(calls: readonly Call[]): number {
  const ended = new Set<Id>();
  for (const [count, { events }] of calls.slice(0, MAX_TOGETHER).entries()) {
    for (const event of events) if (event.type === 'operation' && ended.has(event.id)) return count;
    for (const event of events) if (event.type === 'operation' && event.state !== undefined && isFinal(event.state)) ended.add(event.id);
  }
  return Math.min(calls.length, MAX_TOGETHER);
}
