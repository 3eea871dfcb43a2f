/// <reference lib="esnext.disposable" preserve="true" />
import type { Outcome } from '@sitrep/schema';
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Clock } from '../clock.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { FetchLike, HeaderSource } from '../http.ts';
import type { Sink } from './sink.ts';

/** Options of an HTTP sink. Times in milliseconds. */
export interface HttpSinkOptions {
  /** Address of the gateway, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** The only session this sink may write; events of another are dropped. Default: any. */
  readonly session?: string | undefined;
  /** Headers to add, such as `authorization`. */
  readonly headers?: HeaderSource | undefined;
  /** Default: the platform's. */
  readonly fetch?: FetchLike | undefined;
  /** How long the first event waits for company. Default: 50. */
  readonly batchMs?: number | undefined;
  /** Events in one request at most. Default: 200. */
  readonly maxBatch?: number | undefined;
  /** Events that wait at most, those in flight apart. Default: 1,000. */
  readonly maxQueue?: number | undefined;
  /** After how long a request without an answer counts as failed. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** First pause after a failure; doubles up to `maxBackoffMs`, less a random part of up to a half. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** Default: 30,000. */
  readonly maxBackoffMs?: number | undefined;
  /** How long `flush` and `close` try before they give up waiting. Default: 10,000. */
  readonly flushMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Numbers in 0…1 for the backoff. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * How long what this sink left open may stand at the gateway without a word of this program, milliseconds, 1,000 to 120,000;
   * then it is `interrupted`. The sink lets the gateway know by itself, for as long as the program runs. 0 promises nothing:
   * for programs that are stopped between two reports. Default: 15,000.
   */
  readonly leaseMs?: number | undefined;
  /** Name of this sink's lease, another one for each life of the program. Default: a new unique text. */
  readonly producer?: string | undefined;
  /** Told what became of each event at the gateway, in the order they were sent. */
  readonly onOutcome?: ((event: ProgressEvent, outcome: Outcome) => void) | undefined;
  /** Told of failed requests, refused and dropped events. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** What happened so far. */
export interface HttpSinkStats {
  /** Events waiting or in flight. */
  readonly pending: number;
  /** Events the gateway answered for, and what became of them there. */
  readonly acknowledged: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Events merged into a newer one before they were sent. */
  readonly coalesced: number;
  /** Events given up: queue full, refused request, other session, sink closed. */
  readonly dropped: number;
  /** Requests made, and how many of them failed and were tried again. */
  readonly requests: number;
  readonly retries: number;
}

/** Options of one flush. */
export interface FlushOptions {
  /** How long to try, milliseconds. Default: the sink's `flushMs`. */
  readonly timeoutMs?: number | undefined;
}

/** A sink that posts to a gateway. `await using sink = createHttpSink(…)` closes it, and so flushes, when its block ends. */
export interface HttpSink extends Sink, AsyncDisposable {
  /**
   * Sends what waits without delay; a pause after a failure is cut short once. Resolves when the gateway has answered
   * for everything, or when the time is up: what is unsent then stays queued and a diagnostic `flush_timeout` tells.
   */
  flush(options?: FlushOptions): Promise<void>;
  /** Flushes, gives its lease back, then lets go of what is still unsent. Never rejects. */
  close(options?: FlushOptions): Promise<void>;
  readonly stats: HttpSinkStats;
}
