import type { End } from '@sitrep/schema/wire';
import { Push } from '../push/push.ts';
import type { Position } from '../store/store.ts';
import type { ResolvedOptions } from './options.ts';
import { FlushQuantum } from './read/flush-quantum.ts';
import { Hub } from './read/hub.ts';
import { Reader } from './read/reader.ts';
import { StoreWatch } from './read/store-watch.ts';
import { Sessions } from './session/sessions.ts';
import type { Stats } from './stats.ts';
import { Writer } from './write/writer.ts';

/** The way from a write to everybody who reads, put together: writer, store, what gathers, hub; and the reader that begins streams beside it. */
export class Pipeline {
  readonly hub: Hub;
  readonly sessions: Sessions;
  readonly writer: Writer;
  readonly reader: Reader;
  /** Web Push, where the gateway was given keys for it. */
  readonly push: Push | undefined;
  /** Of a store that others write to. */
  readonly watch: StoreWatch | undefined;
  readonly #options: ResolvedOptions;
  readonly #quantum: FlushQuantum;

  constructor(options: ResolvedOptions, stats: Stats) {
    const { store, clock, log } = options;
    this.#options = options;
    this.hub = new Hub(clock, options.heartbeatMs, options);
    this.sessions = new Sessions(store, { idle: options.idleSessions, operations: options.operationLimit }, (session) =>
      this.hub.has(session),
    );
    if (options.push && store.records) {
      this.push = new Push(options.push, { records: store.records, clock, log, session: (name) => this.reader.snapshot(name) });
    }
    this.#quantum = new FlushQuantum({
      clock,
      ms: options.flushMs,
      settled: () => this.writer.settled(),
      changes: (session, after) => this.sessions.get(session)?.changesSince(after, clock.now()),
      publish: (batch, merged) => this.hub.publish(batch, merged),
    });
    const position = (session: string): Position | undefined => this.#quantum.gathered(session) ?? this.hub.position(session);
    this.writer = new Writer({
      push: this.push,
      store,
      sessions: this.sessions,
      clock,
      log,
      stats,
      pendingLimit: options.pendingLimit,
      publish: (batch) => this.#quantum.take(batch),
      dropped: (session) => this.#restartAll(session),
      position,
      restart: (live, reason) => {
        this.#quantum.drop(live.session);
        this.reader.restartAll(live, reason);
      },
    });
    this.reader = new Reader({
      store,
      sessions: this.sessions,
      writer: this.writer,
      hub: this.hub,
      clock,
      replayLimit: options.replayLimit,
      flush: (session) => this.#quantum.flush(session),
    });
    store.onLost?.(() => this.#beginAnew());
    const { shared } = store;
    this.watch = shared && new StoreWatch({ shared, hub: this.hub, clock, position, check: (session) => this.writer.check(session) });
  }

  /** Stores what is still queued and ends all streams, with a last event where one is given. */
  async close(end: End | undefined): Promise<void> {
    await this.writer.drained();
    this.watch?.close();
    await this.push?.close();
    this.#quantum.flushAll();
    this.hub.close(end);
  }

  /** The store has lost what it held: every session begins a new history, and its readers with it. */
  #beginAnew(): void {
    const begin = async (): Promise<void> => {
      await this.writer.settled();
      this.sessions.clear();
      for (const session of this.hub.sessions()) this.#restartAll(session);
    };
    begin().catch((error: unknown) => this.#options.log(`Readers could not be given a new beginning: ${(error as Error).message}`));
  }

  #restartAll(session: string): void {
    this.#quantum.drop(session);
    if (this.watch) {
      // Somebody else may have begun it anew already.
      this.writer.check(session).catch(() => undefined);
      return;
    }
    for (const subscriber of this.hub.of(session)) {
      this.reader
        .restart(session, subscriber, 'epoch')
        .catch((error: unknown) => this.#options.log(`A stream could not begin anew: ${(error as Error).message}`));
    }
  }
}
