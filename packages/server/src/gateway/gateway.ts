import type { CardPutResult, CardWrite, CardWriter, Sink } from '@sitrep/harness';
import type { Snapshot, StreamEvent } from '@sitrep/schema/wire';
import type { Push } from '../push/push.ts';
import type { SessionSummary } from '../store/store.ts';
import { isUnavailable } from '../store/unavailable.ts';
import { passed } from './clock.ts';
import { endOf } from './closing.ts';
import type { CloseOptions, DrainOptions } from './closing.ts';
import { GatewayError } from './gateway-error.ts';
import { interruptOpen } from './lease/interrupt.ts';
import type { LeaseClaim, LeaseRenewed } from './lease/lease.ts';
import { Producers } from './lease/producers.ts';
import { PacedList } from './read/paced-list.ts';
import { resolveOptions } from './options.ts';
import type { GatewayOptions, ResolvedOptions } from './options.ts';
import { Pipeline } from './pipeline.ts';
import type { Cursor } from './read/cursor.ts';
import { drainReaders } from './read/drain.ts';
import type { Subscriber } from './read/hub.ts';
import { listen } from './read/listener-subscriber.ts';
import { Translations } from './read/translation.ts';
import { onRefresh } from './refresh/on-refresh.ts';
import type { Listening, Refresh, RefreshListener, RefreshRequest } from './refresh/refresh-board.ts';
import { Refreshes } from './refresh/refreshes.ts';
import { listed } from './session/listed-session.ts';
import type { ListedSession } from './session/listed-session.ts';
import { checkSessionName } from './session/session-name.ts';
import { Stats } from './stats.ts';
import { storeFault } from './store-fault.ts';
import type { OnceOptions, Published, PublishOptions, Replayed, Reset } from './write/publish.ts';
import { Writes } from './write/writes.ts';
import type { CardWritten } from './write/writes.ts';

/**
 * Keeps sessions: checks, orders and stores what is written, acknowledges it once it is durable, and then tells whoever
 * reads. It knows no HTTP; `createGateway` puts routes on it.
 */
export class GatewayCore implements CardWriter {
  /** All options with their defaults. */
  readonly options: ResolvedOptions;
  /** What happened so far. */
  readonly stats = new Stats();
  /** Sessions that are read in a foreign shape. */
  readonly translations: Translations;
  readonly #pipeline: Pipeline;
  /** Every session, for those who may see some. */
  readonly #all = new PacedList(() => this.#list(Number.MAX_SAFE_INTEGER, undefined));
  readonly #writes: Writes;
  readonly #producers: Producers;
  readonly #refreshes: Refreshes;
  #closed: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #draining = false;

  constructor(options: GatewayOptions) {
    this.options = resolveOptions(options);
    const { store, clock, log } = this.options;
    this.translations = new Translations(this.options.operationLimit);
    this.#pipeline = new Pipeline(this.options, this.stats);
    const parts = { writer: this.#pipeline.writer, stats: this.stats, options: this.options };
    this.#producers = new Producers({ ...parts, store });
    this.#writes = new Writes({ ...parts, begin: (session, claim) => this.#producers.begin(session, claim) });
    const records = store.shared && store.records;
    const revision = async (session: string): Promise<number> => (await this.snapshot(session)).revision;
    this.#refreshes = new Refreshes({ clock, log, records, revision });
  }

  /** Web Push, where the gateway was given keys for it. */
  get push(): Push | undefined {
    return this.#pipeline.push;
  }

  /** Number of open streams. */
  get clients(): number {
    return this.#pipeline.hub.count;
  }

  /** Sessions in memory. */
  get loadedSessions(): number {
    return this.#pipeline.sessions.size;
  }

  /** Events accepted and not yet stored. */
  get pendingEvents(): number {
    return this.#pipeline.writer.pending;
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
    return this.#pipeline.watch?.polls ?? 0;
  }

  /**
   * Stores events of one session and answers for each of them; bad ones are refused one by one and leave no trace. The
   * events are the gateway's from now on: whoever gave them must not change them.
   *
   * @throws GatewayError for a name that is none, too many entries, an unknown dialect, a full queue or a failed store
   */
  async publish(session: string, entries: readonly unknown[], options: PublishOptions = {}): Promise<Published & Replayed> {
    this.#assertOpen();
    return this.#writes.publish(session, entries, options);
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
    return this.#writes.putCard(session, body, run, options);
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
    return this.#writes.reset(session, options);
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
    return this.#producers.renew(session, claim);
  }

  /**
   * Says that a producer goes: what it left open in this session ends as `interrupted`, with the reason `producer_ended`.
   * Answers how many operations and runs that were.
   *
   * @throws GatewayError for a name that is none, or a failed store
   */
  async releaseLease(session: string, producer: string): Promise<number> {
    this.#assertOpen();
    return this.#producers.release(session, producer);
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
    return this.#refreshes.ask(session, revision);
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
    return this.#refreshes.listen(session, listener, revision);
  }

  /**
   * A sink that writes here in process, for a reporter. Each event goes to the session it names. What it leaves open is held
   * until it is closed, or until this process has ended: another life of the gateway then ends it.
   */
  sink(): Sink {
    return this.#producers.sink(this);
  }

  /** A session as it stands; one that nothing was written of is empty, at position 0. */
  async snapshot(session: string): Promise<Snapshot> {
    this.#assertOpen();
    checkSessionName(session);
    return this.#pipeline.reader.snapshot(session);
  }

  /** Sessions as they are now, most recently written first, those that `where` is true of. Default limit: 100, at most 1,000. */
  async sessions(
    options: {
      readonly limit?: number | undefined;
      readonly open?: boolean | undefined;
      readonly where?: ((session: string) => boolean) | undefined;
    } = {},
  ): Promise<readonly ListedSession[]> {
    this.#assertOpen();
    await this.#pipeline.writer.settled();
    const { open, where } = options;
    const limit = Math.min(options.limit ?? 100, 1_000);
    const all = where && open === undefined ? await this.#all.get() : await this.#list(where ? Number.MAX_SAFE_INTEGER : limit, open);
    const shown = where ? all.filter(({ session }) => where(session)).slice(0, limit) : all;
    const now = this.options.clock.now();
    return shown.map((summary) => listed(summary, now));
  }

  /**
   * Reads a session in process: first a snapshot (or, with a cursor that can be resumed, what was missed), then
   * everything that is stored. What the listener throws is logged and swallowed. Returns unsubscribe.
   */
  subscribe(session: string, listener: (event: StreamEvent) => void, options: { readonly cursor?: string | undefined } = {}): () => void {
    return listen(this, session, options.cursor, listener, this.options.log);
  }

  /** Adds a reader; see Reader.subscribe. */
  async attach(session: string, cursor: string | undefined, subscriber: Subscriber): Promise<void> {
    this.#assertOpen();
    if (this.#draining && subscriber.remote) {
      const retryAfter = 1 + Math.floor(Math.random() * 5);
      throw new GatewayError('closed', 'The gateway takes no new streams, because it is about to stop.', { retryAfter });
    }
    checkSessionName(session);
    await this.#pipeline.reader.subscribe(session, cursor, subscriber);
  }

  /** Removes a reader. */
  detach(session: string, subscriber: Subscriber): void {
    this.#pipeline.hub.remove(session, subscriber);
  }

  /**
   * Gives a reader that fell behind the newest of what changed after the position it stands at; with `mark`, or without a position,
   * the state as it is, and with `mark` it is told that it fell behind.
   */
  async catchUp(session: string, subscriber: Subscriber, mark: boolean, after?: Cursor): Promise<void> {
    if (this.#closed) return;
    if (mark || !after) await this.#pipeline.reader.restart(session, subscriber, mark ? 'slow' : undefined);
    else await this.#pipeline.reader.catchUp(session, subscriber, after);
  }

  /**
   * Marks what has not ended as `interrupted`, in all sessions, but for what is held under the lease of a producer that may
   * live: that is ended when its lease runs out. For a program that knows that all producers without a lease ended with its
   * last life, at its start: nothing else can know that, least of all one of several gateways on one store. What its own sinks held in that life is ended as well.
   *
   * @param reason a stable word for the records. Default: `restarted`
   */
  async interruptOpen(reason = 'restarted'): Promise<void> {
    await interruptOpen(this, reason, (session) => this.#producers.heldByLiving(session));
  }

  /** Ends the streams over HTTP and nothing else. */
  endStreams(options: CloseOptions = {}): void {
    this.#pipeline.hub.endRemote(endOf(options));
    this.#refreshes.letGo();
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
    if (delayMs > 0) await passed(clock, delayMs);
    this.#draining = true;
    this.#refreshes.letGo();
    const readers = this.#pipeline.hub.remote();
    const remove = (subscriber: Subscriber): void => this.#pipeline.hub.remove(readers.get(subscriber) ?? '', subscriber);
    await drainReaders([...readers.keys()], { clock, windowMs, random, remove });
  }

  /** Stores what is still queued, ends all streams and closes the store. Everything afterwards is refused. */
  close(options: CloseOptions = {}): Promise<void> {
    this.#closed ??= this.#close(options);
    return this.#closed;
  }

  async #close(options: CloseOptions): Promise<void> {
    await this.#producers.stop();
    this.#refreshes.close();
    await this.#pipeline.close(endOf(options));
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
}
