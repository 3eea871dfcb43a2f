import { randomBytes } from 'node:crypto';
import type { CardPutResult, CardWrite, CardWriter, Sink } from '@sitrep/harness';
import { checkCardPut } from '@sitrep/schema/check';
import type { Snapshot, StreamEvent } from '@sitrep/schema/wire';
import type { SessionSummary } from '../store/store.ts';
import { isUnavailable } from '../store/unavailable.ts';
import { writeCard } from './card-write.ts';
import { dialectByName } from './dialects.ts';
import { endOf } from './closing.ts';
import type { CloseOptions, DrainOptions } from './closing.ts';
import { drainReaders } from './drain.ts';
import type { Cursor } from './cursor.ts';
import { FlushQuantum } from './flush-quantum.ts';
import { GatewayError } from './gateway-error.ts';
import { Hub } from './hub.ts';
import { idempotency, once, CARD_WRITTEN, PUBLISHED, RESET, unlessReused } from './idempotency.ts';
import type { AnswerForm, Idempotency } from './idempotency.ts';
import type { Subscriber } from './hub.ts';
import { endHeld } from './end-held.ts';
import { interruptOpen } from './interrupt.ts';
import { checkLease, PRODUCER_ENDED, PRODUCER_LOST } from './lease.ts';
import type { LeaseClaim, LeaseRenewed } from './lease.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Lease } from '../store/lease-store.ts';
import { listenerSubscriber } from './listener-subscriber.ts';
import type { LiveSession } from './live-session.ts';
import { onRefresh } from './on-refresh.ts';
import { RefreshBoard } from './refresh-board.ts';
import type { Listening, Refresh, RefreshListener, RefreshRequest } from './refresh-board.ts';
import { RefreshRelay } from './refresh-relay.ts';
import { resolveOptions } from './options.ts';
import type { GatewayOptions, ResolvedOptions } from './options.ts';
import { prepareEntry, UNANNOUNCED } from './prepare.ts';
import type { EntryContext, EventResult, Prepared } from './prepare.ts';
import type { OnceOptions, Published, PublishOptions, Reset } from './publish.ts';
import { Push } from '../push/push.ts';
import { Reader } from './reader.ts';
import { checkRunName, checkSessionName } from './session-name.ts';
import { newEpoch, Sessions } from './sessions.ts';
import { createSink } from './sink.ts';
import { Stats } from './stats.ts';
import { storeFault } from './store-fault.ts';
import { StoreWatch } from './store-watch.ts';
import { Translations } from './translation.ts';
import { Writer } from './writer.ts';

/** Marks an answer that was given before. */
interface Replayed {
  /** True when the write had been carried out before and this is the answer it got then. */
  readonly replayed?: boolean | undefined;
}

/** What became of a card write. */
type CardWritten = CardPutResult & Replayed;
/** How the names of producers in this process begin. */
const IN_PROCESS = 'in-process:';

/**
 * Keeps sessions: checks, orders and stores what is written, acknowledges it once it is durable, and then tells whoever
 * reads. It knows no HTTP; `createGateway` puts routes on it.
 */
export class GatewayCore implements CardWriter {
  /** All options with their defaults. */
  readonly options: ResolvedOptions;
  /** What happened so far. */
  readonly stats = new Stats();
  /** Web Push, where the gateway was given keys for it. */
  readonly push: Push | undefined;
  /** Sessions that are read in a foreign shape. */
  readonly translations: Translations;
  readonly #hub: Hub;
  readonly #sessions: Sessions;
  readonly #writer: Writer;
  readonly #reader: Reader;
  readonly #quantum: FlushQuantum;
  readonly #refreshes: RefreshBoard;
  readonly #relay: RefreshRelay | undefined;
  readonly #leases: LeaseKeeper;
  /** Producers of the sinks that were given out. */
  readonly #own = new Set<string>();
  readonly #watch: StoreWatch | undefined;
  #closed: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #draining = false;

  constructor(options: GatewayOptions) {
    this.options = resolveOptions(options);
    const { store, clock, log, heartbeatMs, replayLimit, flushMs } = this.options;
    this.translations = new Translations(this.options.operationLimit);
    this.#refreshes = new RefreshBoard(clock);
    this.#hub = new Hub(clock, heartbeatMs, this.options);
    this.#sessions = new Sessions(store, { idle: this.options.idleSessions, operations: this.options.operationLimit }, (session) =>
      this.#hub.has(session),
    );
    const { records } = store;
    if (this.options.push && records) {
      this.push = new Push(this.options.push, { records, clock, log, session: (name) => this.#reader.snapshot(name) });
    }
    this.#quantum = new FlushQuantum({
      clock,
      ms: flushMs,
      settled: () => this.#writer.settled(),
      changes: (session, after) => this.#sessions.get(session)?.changesSince(after, clock.now()),
      publish: (batch, merged) => this.#hub.publish(batch, merged),
    });
    this.#writer = new Writer({
      push: this.push,
      store,
      sessions: this.#sessions,
      clock,
      log,
      stats: this.stats,
      pendingLimit: this.options.pendingLimit,
      publish: (batch) => this.#quantum.take(batch),
      dropped: (session) => this.#restartAll(session),
      position: (session) => this.#quantum.gathered(session) ?? this.#hub.position(session),
      restart: (live, reason) => {
        this.#quantum.drop(live.session);
        this.#reader.restartAll(live, reason);
      },
    });
    this.#reader = new Reader({
      store,
      sessions: this.#sessions,
      writer: this.#writer,
      hub: this.#hub,
      clock,
      replayLimit,
      flush: (session) => this.#quantum.flush(session),
    });
    this.#leases = new LeaseKeeper({ store: store.leases, clock, log, end: (lease) => this.#endLease(lease, PRODUCER_LOST) });
    store.onLost?.(() => this.#beginAnew());
    const { shared } = store;
    const revision = async (session: string): Promise<number> => (await this.snapshot(session)).revision;
    this.#relay = shared && records && new RefreshRelay({ board: this.#refreshes, records, clock, log, revision });
    this.#watch = shared && new StoreWatch({ shared, hub: this.#hub, clock, check: (session) => this.#writer.check(session) });
  }

  /** Number of open streams. */
  get clients(): number {
    return this.#hub.count;
  }

  /** Sessions in memory. */
  get loadedSessions(): number {
    return this.#sessions.size;
  }

  /** Events accepted and not yet stored. */
  get pendingEvents(): number {
    return this.#writer.pending;
  }

  /** True while it takes new readers, is not about to stop, and can reach its store. */
  get ready(): boolean {
    return !this.stopping && this.options.store.shared?.up !== false;
  }

  /** True once it is about to stop. */
  get stopping(): boolean {
    return this.#drained !== undefined || this.#closed !== undefined;
  }

  /** How often it looked at where a session stands in a shared store, because somebody reads it here. */
  get polls(): number {
    return this.#watch?.polls ?? 0;
  }

  /**
   * Stores events of one session and answers for each of them; bad ones are refused one by one and leave no trace. The
   * events are the gateway's from now on: whoever gave them must not change them.
   *
   * @throws GatewayError for a name that is none, too many entries, an unknown dialect, a full queue or a failed store
   */
  async publish(session: string, entries: readonly unknown[], options: PublishOptions = {}): Promise<Published & Replayed> {
    this.#assertOpen();
    checkSessionName(session);
    if (options.run !== undefined) checkRunName(options.run);
    const { batchLimit, eventLimit, clock } = this.options;
    if (entries.length > batchLimit) {
      throw new GatewayError(
        'too_many_events',
        `A request may hold at most ${batchLimit} events; this one holds ${entries.length}. Send them in parts.`,
      );
    }
    const dialect = options.dialect === undefined ? undefined : dialectByName(options.dialect);
    const { id, run, parent } = options;
    const named = idempotency(
      options.idempotencyKey,
      'events',
      [options.dialect, id, run, parent],
      options.text ?? JSON.stringify(entries),
    );
    const context = { session, run, at: clock.now(), id, parent, dialect, eventLimit };
    // Our own events are checked before they queue; what a foreign frame means may depend on what stands when its turn comes.
    const own = dialect ? undefined : entries.map((entry) => prepareEntry(entry, context));
    const claim = options.lease && checkLease(options.lease);
    const { answer, replayed } = await this.#write(session, entries.length, named, PUBLISHED, (live) => {
      const lease = claim && this.#leases.begin(session, claim);
      const results = entries.map((entry, n) => applyEntry(live, own?.[n] ?? prepareForeign(live, entry, context), lease));
      return { results, cursor: `${live.epoch}:${live.seq}` };
    });
    if (replayed) return { ...answer, replayed };
    for (const { outcome } of answer.results) this.stats.outcomes[outcome] += 1;
    return answer;
  }

  /** Writes, once for each key. */
  async #write<T>(
    session: string,
    size: number,
    named: Idempotency | undefined,
    form: AnswerForm<T>,
    apply: (live: LiveSession) => T,
  ): Promise<{ readonly answer: T; readonly replayed: boolean }> {
    if (!named) return { answer: await this.#writer.write(session, size, apply), replayed: false };
    const { clock } = this.options;
    const result = await this.#writer.write(
      session,
      size,
      (live, stored) => once(live, named, stored, clock.now(), form, () => apply(live)),
      named.key,
    );
    return unlessReused(result);
  }

  /**
   * Replaces or clears the session's card.
   *
   * @param body `{plan?, markdown?, expectedRevision?}`, checked here; no other key is taken
   * @param run the run that writes, if one does
   * @param options.idempotencyKey names this write, as it does a publish
   * @throws GatewayError for a name that is none, a key that was of another write, a full queue or a failed store
   */
  async putCard(session: string, body: unknown, run?: string, options: OnceOptions = {}): Promise<CardWritten> {
    this.#assertOpen();
    checkSessionName(session);
    if (run !== undefined) checkRunName(run);
    const checked = checkCardPut(body);
    const { cards } = this.stats;
    if (!checked.ok) {
      cards.invalid += 1;
      return { ok: false, code: 'invalid', issues: checked.issues };
    }
    const named = idempotency(options.idempotencyKey, 'card', [run], JSON.stringify(checked.value));
    const { answer, replayed } = await this.#write(session, 1, named, CARD_WRITTEN, (live) =>
      writeCard(live, checked.value, run, this.options.clock.now()),
    );
    if (replayed) return { ...answer, replayed };
    if (answer.ok) cards.written += 1;
    else if (answer.code === 'conflict') cards.conflict += 1;
    return answer;
  }

  /**
   * Begins a session anew, in one commit: card, operations, runs, title, usage and history go, readers get a new beginning,
   * and the card's revision goes on. What still comes of the operations and runs there were is `late`. Nothing happens to
   * a session that nothing was stored of.
   *
   * @throws GatewayError for a name that is none, a key that was of another write, a full queue or a failed store
   */
  async reset(session: string, options: OnceOptions = {}): Promise<Reset & Replayed> {
    this.#assertOpen();
    checkSessionName(session);
    const named = idempotency(options.idempotencyKey, 'reset', [], '');
    const { answer, replayed } = await this.#write(session, 1, named, RESET, (live) => {
      live.reset(newEpoch(), this.options.clock.now());
      return { cursor: `${live.epoch}:${live.seq}`, revision: live.index.card.revision };
    });
    return replayed ? { ...answer, replayed } : answer;
  }

  /** `putCard` for a harness: never rejects. */
  async put(session: string, { run, ...body }: CardWrite): Promise<CardPutResult> {
    try {
      return await this.putCard(session, body, run);
    } catch (error) {
      return { ok: false, code: 'unavailable', message: (error as Error).message };
    }
  }

  /**
   * Says that a producer is still there: what it has open in this session stays so for the time of its lease. Nothing is
   * written of a producer that has nothing open.
   *
   * @throws GatewayError for a claim or a name that is none, or a failed store
   */
  async renewLease(session: string, claim: LeaseClaim): Promise<LeaseRenewed> {
    this.#assertOpen();
    checkSessionName(session);
    const { producer, ttl } = checkLease(claim);
    try {
      return { producer, ttl, held: await this.#leases.renew(this.#leases.begin(session, { producer, ttl })) };
    } catch (cause) {
      if (isUnavailable(cause)) throw storeFault(cause);
      throw new GatewayError('store_failed', 'The store failed; the lease was not renewed. Send it again later.', { cause });
    }
  }

  /**
   * Says that a producer goes: what it left open in this session ends as `interrupted`, with the reason `producer_ended`.
   * Answers how many operations and runs that were.
   *
   * @throws GatewayError for a name that is none, or a failed store
   */
  async releaseLease(session: string, producer: string): Promise<number> {
    this.#assertOpen();
    checkSessionName(session);
    checkLease({ producer });
    const leases = await this.options.store.leases?.of(session);
    const lease = leases?.leases.find((each) => each.producer === producer);
    return lease ? this.#endLease(lease, PRODUCER_ENDED) : 0;
  }

  /** Ends what is held under a lease, in one commit; nothing of a producer that was heard of meanwhile. */
  async #endLease(lease: Lease, reason: string): Promise<number> {
    const { session, producer } = lease;
    const { store, clock } = this.options;
    const holds = (await store.leases?.of(session))?.holds ?? new Map<string, string>();
    const size = [...holds.values()].filter((holder) => holder === producer).length;
    const isLost = reason === PRODUCER_LOST;
    const ended = await this.#writer.write(session, Math.max(1, size), (live) => {
      if (isLost && (live.held.lease(producer)?.expiresAt ?? 0) > this.#leases.now()) return undefined;
      return endHeld(live, { producer, holds, reason, at: clock.now() });
    });
    if (ended === undefined) return 0;
    await store.leases?.drop(lease);
    this.stats.leases[isLost ? 'lost' : 'released'] += 1;
    this.stats.interrupted += ended;
    if (isLost && ended > 0) {
      const message = `A producer of a session was not heard of for ${lease.ttl / 1_000} s; what it had open is interrupted.`;
      this.options.log(message, { event: 'producer_lost', level: 'info', producer, ended });
    }
    return ended;
  }

  /**
   * Asks the producer of a session to write its card anew. While an earlier request waits to be done, for two minutes at
   * most, this is the same one; after it was done five seconds have to pass.
   *
   * @throws GatewayError `no_producer` when nobody listens for requests, `too_many_requests` when it was written just now
   */
  async refresh(session: string): Promise<Refresh> {
    const { revision } = await this.snapshot(session);
    this.#assertOpen();
    try {
      return this.#refreshes.ask(session, revision);
    } catch (error) {
      if (!this.#relay || (error as GatewayError).code !== 'no_producer') throw error;
      return await this.#relay.ask(session, revision, error as GatewayError);
    }
  }

  /** Listens, as the producer of a session in this process, for requests to write its card anew. Returns a function that stops it. */
  onRefresh(session: string, listener: (request: RefreshRequest) => void): () => void {
    return onRefresh((own) => this.listenForRefresh(session, own), listener, this.options.log);
  }

  /** Adds a listener for the requests of a session; see RefreshBoard. */
  async listenForRefresh(session: string, listener: RefreshListener): Promise<Listening> {
    const { revision } = await this.snapshot(session);
    this.#assertOpen();
    if (this.#draining) throw new GatewayError('closed', 'The gateway takes no new streams, because it is about to stop.');
    // A store that is away hears of it later.
    await this.#relay?.say(session).catch(() => undefined);
    return this.#refreshes.listen(session, listener, revision);
  }

  /**
   * A sink that writes here in process, for a reporter. Each event goes to the session it names. What it leaves open is held
   * until it is closed, or until this process has ended: another life of the gateway then ends it.
   */
  sink(): Sink {
    const producer = `${IN_PROCESS}${randomBytes(9).toString('base64url')}`;
    this.#own.add(producer);
    return createSink(
      {
        publish: (session, events) => this.publish(session, events, { lease: { producer } }),
        renew: async (session) => (await this.renewLease(session, { producer })).held,
        release: async (session) => void (await this.releaseLease(session, producer)),
        closed: () => this.#own.delete(producer),
      },
      this.options,
    );
  }

  /** A session as it stands; one that nothing was written of is empty, at position 0. */
  async snapshot(session: string): Promise<Snapshot> {
    this.#assertOpen();
    checkSessionName(session);
    return this.#reader.snapshot(session);
  }

  /** Sessions, most recently written first, those that `where` is true of. Default limit: 100, at most 1,000. */
  async sessions(
    options: {
      readonly limit?: number | undefined;
      readonly open?: boolean | undefined;
      readonly where?: ((session: string) => boolean) | undefined;
    } = {},
  ): Promise<readonly SessionSummary[]> {
    this.#assertOpen();
    await this.#writer.settled();
    const { open, where } = options;
    const limit = Math.min(options.limit ?? 100, 1_000);
    if (!where) return this.#list(limit, open);
    const all = await this.#list(Number.MAX_SAFE_INTEGER, open);
    return all.filter(({ session }) => where(session)).slice(0, limit);
  }

  /**
   * Reads a session in process: first a snapshot (or, with a cursor that can be resumed, what was missed), then
   * everything that is stored. What the listener throws is logged and swallowed. Returns unsubscribe.
   */
  subscribe(session: string, listener: (event: StreamEvent) => void, options: { readonly cursor?: string | undefined } = {}): () => void {
    const { log } = this.options;
    const subscriber = listenerSubscriber(listener, log);
    let gone = false;
    this.attach(session, options.cursor, subscriber).then(
      () => gone && this.detach(session, subscriber),
      (error: unknown) => log(`A subscription to a session failed: ${(error as Error).message}`),
    );
    return () => {
      gone = true;
      subscriber.stop();
      this.detach(session, subscriber);
    };
  }

  /** Adds a reader; see Reader.subscribe. */
  async attach(session: string, cursor: string | undefined, subscriber: Subscriber): Promise<void> {
    this.#assertOpen();
    if (this.#draining && subscriber.remote) {
      const retryAfter = 1 + Math.floor(Math.random() * 5);
      throw new GatewayError('closed', 'The gateway takes no new streams, because it is about to stop.', { retryAfter });
    }
    checkSessionName(session);
    await this.#reader.subscribe(session, cursor, subscriber);
  }

  /** Removes a reader. */
  detach(session: string, subscriber: Subscriber): void {
    this.#hub.remove(session, subscriber);
  }

  /**
   * Gives a reader that fell behind the newest of what changed after the position it stands at; with `mark`, or without a position,
   * the state as it is, and with `mark` it is told that it fell behind.
   */
  async catchUp(session: string, subscriber: Subscriber, mark: boolean, after?: Cursor): Promise<void> {
    if (this.#closed) return;
    if (mark || !after) await this.#reader.restart(session, subscriber, mark ? 'slow' : undefined);
    else await this.#reader.catchUp(session, subscriber, after);
  }

  /**
   * Marks what has not ended as `interrupted`, in all sessions, but for what is held under the lease of a producer that may
   * live: that is ended when its lease runs out. For a program that knows that all producers without a lease ended with its
   * last life, at its start: nothing else can know that, least of all one of several gateways on one store. What its own sinks held in that life is ended as well.
   *
   * @param reason a stable word for the records. Default: `restarted`
   */
  async interruptOpen(reason = 'restarted'): Promise<void> {
    await interruptOpen(this, reason, async (session) => {
      const holds = (await this.options.store.leases?.of(session))?.holds ?? [];
      const lives = (producer: string): boolean => !producer.startsWith(IN_PROCESS) || this.#own.has(producer);
      return new Set([...holds].filter(([, producer]) => lives(producer)).map(([key]) => key));
    });
  }

  /** Ends the streams over HTTP and nothing else. */
  endStreams(options: CloseOptions = {}): void {
    this.#hub.endRemote(endOf(options));
    this.#refreshes.close();
  }

  /**
   * Prepares to stop: says that it is not ready, then takes no new streams over HTTP and lets the open ones go, spread over
   * a while, each told when to come back. Writing and reading go on until `close`. Once begun it is not undone.
   */
  drain(options: DrainOptions = {}): Promise<void> {
    this.#drained ??= this.#drain(options);
    return this.#drained;
  }

  async #drain({ delayMs = 0, windowMs = 10_000, random = Math.random }: DrainOptions): Promise<void> {
    const { clock } = this.options;
    if (delayMs > 0) {
      await new Promise<void>((resolve) => {
        const stop = clock.every(delayMs, () => {
          stop();
          resolve();
        });
      });
    }
    this.#draining = true;
    this.#refreshes.close();
    const readers = this.#hub.remote();
    const remove = (subscriber: Subscriber): void => this.#hub.remove(readers.get(subscriber) ?? '', subscriber);
    await drainReaders([...readers.keys()], { clock, windowMs, random, remove });
  }

  /** Stores what is still queued, ends all streams and closes the store. Everything afterwards is refused. */
  close(options: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#close(options);
    return this.#closed;
  }

  async #close(options: CloseOptions): Promise<void> {
    await this.#leases.stop();
    this.#refreshes.close();
    this.#relay?.close();
    await this.#writer.drained();
    this.#watch?.close();
    await this.push?.close();
    this.#quantum.flushAll();
    this.#hub.close(endOf(options));
    await this.options.store.close();
  }

  async #list(limit: number, open: boolean | undefined): Promise<readonly SessionSummary[]> {
    try {
      return await this.options.store.list({ limit, open });
    } catch (error) {
      throw isUnavailable(error) ? storeFault(error) : error;
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new GatewayError('closed', 'The gateway is shutting down. Send this again when it is back.');
  }

  /** The store has lost what it held: every session begins a new history, and its readers with it. */
  #beginAnew(): void {
    const begin = async (): Promise<void> => {
      await this.#writer.settled();
      this.#sessions.clear();
      for (const session of this.#hub.sessions()) this.#restartAll(session);
    };
    begin().catch((error: unknown) => this.options.log(`Readers could not be given a new beginning: ${(error as Error).message}`));
  }

  #restartAll(session: string): void {
    this.#quantum.drop(session);
    if (this.#watch) {
      // Somebody else may have begun it anew already.
      this.#writer.check(session).catch(() => undefined);
      return;
    }
    for (const subscriber of this.#hub.of(session)) {
      this.#reader
        .restart(session, subscriber, 'epoch')
        .catch((error: unknown) => this.options.log(`A stream could not begin anew: ${(error as Error).message}`));
    }
  }
}

/** A foreign frame is read with what the session is when its turn comes, and with what was written to it in that dialect before. */
function prepareForeign(live: LiveSession, entry: unknown, context: EntryContext): Prepared {
  const name = context.dialect?.name ?? '';
  const prepared = prepareEntry(entry, {
    ...context,
    revision: live.index.card.revision,
    memory: live.memories.get(name),
    held: live.index,
  });
  if (prepared.memory !== undefined) live.memories.set(name, prepared.memory);
  return prepared;
}

/** An entry may hold several events: the first that was applied speaks for it, else the first. */
function applyEntry(live: LiveSession, entry: Prepared, lease: Lease | undefined): EventResult {
  if (!entry.ok) return entry.result;
  const results = entry.events.map((prepared): EventResult => {
    if (entry.knownOnly && !live.knows(prepared.event)) return UNANNOUNCED;
    // A run that was taken for lost goes on under another name, and so does what begins in it.
    if (lease !== undefined && live.inLostRun(prepared.event)) return { outcome: 'late', reason: PRODUCER_LOST };
    const outcome = live.apply(prepared, lease);
    const reason = outcome === 'applied' || lease === undefined ? undefined : live.endOf(prepared.event);
    return { outcome, ...(entry.mended ? { issues: entry.mended } : {}), ...(reason ? { reason } : {}) };
  });
  return results.find(({ outcome }) => outcome === 'applied') ?? (results[0] as EventResult);
}
