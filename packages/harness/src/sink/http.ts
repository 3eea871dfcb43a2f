import type { Outcome } from '@sitrep/schema';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { isTransient, pauseAfter } from '../backoff.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import { causeOf, gatewayUrl, isAddressable, jsonRequest, saidBy, sessionUrl, shownUrl } from '../http.ts';
import type { JsonAnswer } from '../http.ts';
import { mintId } from '../reporter/ids.ts';
import type { FlushOptions, HttpSink, HttpSinkOptions, HttpSinkStats } from './http-types.ts';
import { SinkLease } from './lease.ts';
import { keyOf, OpenWork } from './open-work.ts';
import type { LostEvent } from './open-work.ts';
import { Pause } from './pause.ts';
import { EventQueue } from './queue.ts';
import { readResults } from './results.ts';

export type { FlushOptions, HttpSink, HttpSinkOptions, HttpSinkStats } from './http-types.ts';

/**
 * Posts events to a gateway in batches: order kept, one request in flight, network faults, timeouts and the statuses
 * 408, 425, 429 and 5xx tried again without end until `close`, other statuses never. Its timers hold no process open:
 * `await sink.flush()` before the work's process ends. Throws a TypeError for a `url` that is no http or https address.
 */
export function createHttpSink(options: HttpSinkOptions): HttpSink {
  gatewayUrl('createHttpSink', options);
  return new GatewaySink(options);
}

/** Characters of JSON in one request at most, so that a batch of large events does not meet a body limit. */
const MAX_BODY = 256 * 1024;
/** Milliseconds that the end of a sink takes at most to give back its lease. */
const RELEASE_MS = 2_000;

/** What is interrupted by its own word has become just that. */
const mayGoOn = (event: ProgressEvent): boolean => (event.type === 'operation' || event.type === 'run') && event.state !== 'interrupted';

/** What one request came to: done with it, or try again (after at least `waitMs`, where the gateway said so). */
type Attempt = { readonly done: true } | { readonly done: false; readonly waitMs?: number };

class GatewaySink implements HttpSink {
  readonly #options: HttpSinkOptions;
  readonly #clock: Clock;
  readonly #queue: EventQueue;
  readonly #outcomes: Record<Outcome, number> = { applied: 0, late: 0, stale: 0, duplicate: 0, unknown: 0, invalid: 0 };
  readonly #flushing = new Set<() => void>();
  readonly #name: string;
  readonly #work = new OpenWork();
  readonly #lease: SinkLease | undefined;
  /** Sessions whose open work is to be said once more. */
  readonly #forgotten = new Set<string>();
  #maxBatch: number;
  #inFlight: readonly ProgressEvent[] = [];
  /** The same as they were sent. */
  #sent: readonly ProgressEvent[] = [];
  #abort: AbortController | undefined;
  #pumping = false;
  #key = '';
  #closed = false;
  #ended = false;
  readonly #pause: Pause;
  #acknowledged = 0;
  #dropped = 0;
  #requests = 0;
  #retries = 0;

  constructor(options: HttpSinkOptions) {
    this.#options = options;
    this.#name = `gateway at ${shownUrl(options.url)}`;
    this.#clock = options.clock ?? systemClock;
    this.#pause = new Pause(this.#clock);
    this.#queue = new EventQueue(options.maxQueue ?? 1000);
    this.#maxBatch = Math.max(1, options.maxBatch ?? 200);
    const { url, headers, fetch, timeoutMs = 10_000, leaseMs = 15_000, producer = mintId(), random = Math.random } = options;
    if (leaseMs !== 0 && !(leaseMs >= 1_000 && leaseMs <= 120_000))
      throw new RangeError('leaseMs must be 1,000 to 120,000, or 0 for none.');
    const forgotten = (session: string): void => {
      this.#forgotten.add(session);
      if (!this.#pumping && !this.#closed) void this.#pump();
    };
    const open = (): readonly string[] => this.#work.sessions;
    if (leaseMs > 0)
      this.#lease = new SinkLease({
        url,
        producer,
        ttlMs: leaseMs,
        headers,
        fetch,
        timeoutMs,
        clock: this.#clock,
        random,
        open,
        forgotten,
      });
  }

  get stats(): HttpSinkStats {
    return {
      pending: this.#queue.size + this.#inFlight.length,
      acknowledged: this.#acknowledged,
      outcomes: { ...this.#outcomes },
      coalesced: this.#queue.coalesced,
      dropped: this.#dropped + this.#queue.dropped,
      requests: this.#requests,
      retries: this.#retries,
    };
  }

  send(event: ProgressEvent): void {
    const { session } = this.#options;
    if (this.#closed) return this.#drop(1, 'closed', 'The sink is closed; an event was dropped.');
    if (session !== undefined && event.session !== session) {
      return this.#drop(1, 'session', `An event of another session than "${session}" was dropped.`);
    }
    if (!isAddressable(event.session))
      return this.#drop(1, 'session', 'An event was dropped: no address can hold the name of its session.');
    if (this.#queue.push(event)) this.#tell('dropped', 'The queue is full; the event that says least was dropped.');
    if (!this.#pumping) void this.#pump();
  }

  async flush(options: FlushOptions = {}): Promise<void> {
    if (this.stats.pending === 0) return;
    const limit = options.timeoutMs ?? this.#options.flushMs ?? 10_000;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        this.#flushing.delete(done);
        resolve();
      };
      const cancel = this.#clock.after(
        limit,
        () => {
          this.#tell(
            'flush_timeout',
            `The ${this.#name} did not answer for everything within ${limit} ms; ${this.stats.pending} events stay queued.`,
          );
          done();
        },
        true,
      );
      this.#flushing.add(done);
      this.#pause.wake();
    });
  }

  async close(options: FlushOptions = {}): Promise<void> {
    this.#closed = true;
    await this.flush(options);
    await this.#lease?.release(Math.min(RELEASE_MS, this.#options.flushMs ?? RELEASE_MS));
    this.#work.clear();
    this.#ended = true;
    this.#abort?.abort();
    this.#pause.wake();
    const lost = this.#queue.clear() + this.#inFlight.length;
    if (lost > 0) this.#drop(this.#inFlight.length, 'dropped', `The sink was closed with ${lost} events unsent.`);
    this.#inFlight = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends until nothing waits. One runs at a time; nothing in it rejects. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    // What was reported last must not be lost because the program has nothing else to do: the first try holds it.
    await this.#pause.wait(this.#flushing.size > 0 ? 0 : (this.#options.batchMs ?? 50), true);
    let failures = 0;
    let body = '';
    while (!this.#ended && (this.stats.pending > 0 || this.#forgotten.size > 0)) {
      if (this.#inFlight.length === 0) {
        this.#sayAgain();
        body = this.#fill();
        // Tried again, the batch is the same one: one that arrived is not carried out twice.
        this.#key = mintId();
        failures = 0;
        if (this.#inFlight.length === 0) continue;
      }
      const attempt = await this.#post(body);
      if (this.#ended) break;
      if (attempt.done) {
        this.#inFlight = [];
        continue;
      }
      this.#retries += 1;
      // While somebody waits for a flush, the pause holds the process open.
      await this.#pause.wait(Math.max(attempt.waitMs ?? 0, pauseAfter(failures, this.#options)), this.#flushing.size > 0);
      failures += 1;
    }
    this.#pumping = false;
    for (const done of this.#flushing) done();
  }

  /** Puts before everything else what a gateway has forgotten: then it says what became of it. */
  #sayAgain(): void {
    for (const session of this.#forgotten) this.#queue.putBack(this.#work.all(session, this.#clock.now()));
    this.#forgotten.clear();
  }

  /** Takes the next batch out of the queue and answers its JSON. */
  #fill(): string {
    const events = this.#queue.take(this.#maxBatch);
    const kept: ProgressEvent[] = [];
    const sent: ProgressEvent[] = [];
    const parts: string[] = [];
    let size = 0;
    for (const [index, event] of events.entries()) {
      const asSent = this.#work.asSent(event);
      const json = this.#stringify(asSent);
      if (json === undefined) continue;
      if (parts.length > 0 && size + json.length > MAX_BODY) {
        this.#queue.putBack(events.slice(index));
        break;
      }
      kept.push(event);
      sent.push(asSent);
      parts.push(json);
      size += json.length + 1;
    }
    this.#inFlight = kept;
    this.#sent = sent;
    return `[${parts.join(',')}]`;
  }

  #stringify(event: ProgressEvent): string | undefined {
    try {
      return JSON.stringify(event);
    } catch {
      this.#drop(1, 'json', 'An event could not be written as JSON and was dropped.');
      return undefined;
    }
  }

  async #post(body: string): Promise<Attempt> {
    const { url, headers, fetch, timeoutMs = 10_000 } = this.#options;
    const abort = (this.#abort = new AbortController());
    this.#requests += 1;
    try {
      const answer = await jsonRequest({
        method: 'POST',
        url: sessionUrl(url, this.#inFlight[0]?.session ?? '', 'events'),
        body,
        headers,
        extra: { ...this.#lease?.headers, 'idempotency-key': this.#key },
        fetch,
        clock: this.#clock,
        timeoutMs,
        keepAlive: this.#flushing.size > 0,
        signal: abort.signal,
      });
      return this.#judge(answer);
    } catch (error) {
      if (!this.#ended)
        this.#tell('network', `The ${this.#name} could not be reached (${causeOf(error)}); the events are kept and tried again.`);
      return { done: false };
    } finally {
      this.#abort = undefined;
    }
  }

  #judge({ status, body, retryAfter }: JsonAnswer): Attempt {
    if (status >= 200 && status < 300) {
      this.#acknowledge(body, status);
      return { done: true };
    }
    // Whoever makes tokens may be away for a while as well as the gateway.
    const renewable = status === 401 && typeof this.#options.headers === 'function';
    if (isTransient(status) || renewable) {
      this.#tell('http_status', `The ${this.#name} answered ${status}${saidBy(body)}; the events are kept and tried again.`, status);
      const seconds = Number(retryAfter ?? Number.NaN);
      return seconds >= 0 ? { done: false, waitMs: Math.min(seconds * 1000, this.#options.maxBackoffMs ?? 30_000) } : { done: false };
    }
    const count = this.#inFlight.length;
    if (status === 413 && count > 1) {
      this.#maxBatch = Math.max(1, Math.floor(count / 2));
      this.#queue.putBack(this.#inFlight);
      this.#tell('http_status', `The ${this.#name} found ${count} events too large; they go in smaller batches.`, status);
      return { done: true };
    }
    this.#drop(
      count,
      'http_status',
      `The ${this.#name} refused ${count === 1 ? 'an event' : `${count} events`} with status ${status}${saidBy(body)}; ${count === 1 ? 'it was' : 'they were'} dropped.`,
      status,
    );
    if (this.#work.isAsking) this.#goOn([], new Set());
    return { done: true };
  }

  /** Counts what the gateway says became of each event. An answer of another shape still acknowledges: the status said so. */
  #acknowledge(answer: unknown, status: number): void {
    this.#acknowledged += this.#inFlight.length;
    const results = readResults(answer, this.#inFlight.length);
    if (results === undefined) {
      return this.#tell(
        'no_outcomes',
        `The answer with status ${status} does not say what became of the events; is this the gateway?`,
        status,
      );
    }
    const lost: LostEvent[] = [];
    const answered = new Set<string>();
    for (const [index, result] of results.entries()) {
      if (result === undefined) continue;
      const { outcome, reason } = result;
      const event = this.#inFlight[index] as ProgressEvent;
      answered.add(keyOf(event));
      if (reason === 'producer_lost' && this.#lease !== undefined && mayGoOn(event)) {
        lost.push({ event, sent: this.#sent[index] as ProgressEvent });
        continue;
      }
      this.#outcomes[outcome] += 1;
      if (this.#lease !== undefined) this.#work.heard(event, reason === 'ended' ? 'late' : outcome);
      if (outcome === 'applied') this.#lease?.heard(event.session);
      this.#heard(event, outcome);
      if (outcome !== 'invalid') continue;
      const message = `The gateway refused event ${index} of a batch: ${result.message ?? 'no reason given'}`;
      tell(this.#options.onDiagnostic, { code: 'invalid', message, path: result.path });
    }
    if (lost.length > 0 || this.#work.isAsking) this.#goOn(lost, answered);
  }

  /** The gateway took this program for lost and ended what was open: it goes on as another attempt. */
  #goOn(lost: readonly LostEvent[], answered: ReadonlySet<string>): void {
    const again = this.#work.goOn(lost, answered, this.#queue.size === 0);
    if (again.length === 0) return;
    this.#queue.putBack(again);
    this.#tell(
      'resumed',
      `The ${this.#name} had not heard of this program and had ended what it had open; that goes on as another attempt.`,
    );
  }

  /** A listener that fails must not cost the events behind this one. */
  #heard(event: ProgressEvent, outcome: Outcome): void {
    try {
      this.#options.onOutcome?.(event, outcome);
    } catch {
      this.#tell('listener_failed', 'The listener for outcomes failed; the event is with the gateway all the same.');
    }
  }

  #drop(count: number, code: string, message: string, status?: number): void {
    this.#dropped += count;
    this.#tell(code, message, status);
  }

  #tell(code: string, message: string, status?: number): void {
    tell(this.#options.onDiagnostic, status === undefined ? { code, message } : { code, message, status });
  }
}
