import type { Changes, ProgressEvent } from '@sitrep/schema';
import { checkStreamEvent } from '@sitrep/schema/check';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { ConnectionState } from '@sitrep/schema/select';
import type { Clock } from '../clock.ts';
import { goodbye } from '../source/frame-text.ts';
import { guardSink } from '../source/guard.ts';
import { uniqueName } from '../unique-name.ts';
import type { Diagnostic, SourceSink } from '../source/source.ts';
import type { Position } from '../store/position.ts';
import { Ordering, parseCursor } from '../store/position.ts';
import { EventLog } from './event-log.ts';

export interface KeeperOptions {
  readonly session: string | undefined;
  readonly clock: Clock;
  readonly maxEvents: number;
  readonly maxLength: number;
}

/** What a frame asks of whoever brought it: look for what is missing before it, or stop, because it was the last. */
export type Demand = 'repair' | 'end' | undefined;

interface Reader {
  readonly sink: SourceSink;
  /** The newest event it has. */
  epoch: string | undefined;
  seq: number;
  readonly over: () => void;
}

/**
 * Keeps a session and hands it on to any number of readers: each begins with what it missed, or with a snapshot where that
 * is not known any more, and then gets every event once and in order. Where the frames come from is not its business.
 *
 * Frames that are no good are handed on like the others, so that positions have no holes; the readers say what was wrong
 * with them. Where events come without a position, it numbers them itself, in a history of its own.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #ordering = new Ordering();
  readonly #log: EventLog;
  readonly #readers = new Set<Reader>();
  #index: SessionIndex | undefined;
  #state: ConnectionState = 'connecting';
  /** True from a `resync` to an earlier place until its snapshot. */
  #back = false;
  /** Set once an event came without a position. */
  #own: { readonly epoch: string; seq: number } | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#log = new EventLog(options.maxEvents, options.maxLength);
    if (options.session !== undefined) this.#index = new SessionIndex(options.session);
  }

  /** How the connection stands, as readers are told. */
  get state(): ConnectionState {
    return this.#state;
  }

  /** Where to resume; undefined to begin afresh. */
  cursor(): string | undefined {
    return this.#ordering.cursor();
  }

  /** Where it is; undefined before it has begun. Unlike the cursor it stays while only a snapshot helps. */
  get place(): string | undefined {
    const here = this.#ordering.position;
    return here && `${here.epoch}:${here.seq}`;
  }

  /** True when everything up to that place is here. */
  reaches(place: string): boolean {
    const here = this.#ordering.position;
    const there = parseCursor(place);
    return here !== undefined && here.epoch === there?.epoch && here.seq >= there.seq;
  }

  /** Called when the frames are asked for again because some were missing. */
  repair(): void {
    this.#ordering.repair();
  }

  connection(state: ConnectionState): void {
    if (state === 'connecting' || state === 'reconnecting') {
      this.#ordering.reconnected();
      this.#back = false;
    }
    this.#state = state;
    for (const { sink } of this.#readers) sink.connection(state);
    if (state === 'ended' || state === 'lost') for (const { over } of this.#readers) over();
  }

  diagnostic(diagnostic: Diagnostic): void {
    for (const { sink } of this.#readers) sink.diagnostic(diagnostic);
  }

  /**
   * Takes one frame. `json` is its text, where that is at hand. `late`: what came before may have passed by unheard, so that
   * no event is the first, and only a snapshot is a beginning.
   */
  take(value: unknown, cursor: string | undefined, json: string | undefined, late = false): Demand {
    switch ((value as { type?: unknown } | null)?.type) {
      case 'snapshot':
      case 'changes':
      case 'heartbeat':
      case 'resync':
      case 'end':
        return this.#control(value, json);
      default:
        return late && this.#ordering.position === undefined ? 'repair' : this.#event(value, cursor, json);
    }
  }

  /** Adds a reader until it leaves or all is over. Never rejects. */
  attach(given: SourceSink, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const sink = guardSink(given, signal);
      const over = (): void => {
        this.#readers.delete(reader);
        signal.removeEventListener('abort', over);
        resolve();
      };
      const reader: Reader = { sink, epoch: undefined, seq: 0, over };
      signal.addEventListener('abort', over);
      this.#readers.add(reader);
      sink.connection('connecting');
      const { state } = this;
      // What is shown from here on is shown as what is; an end is told when there is nothing left to say.
      const isOver = state === 'ended' || state === 'lost';
      if (!isOver) sink.connection(state);
      this.#begin(reader, sink.cursor());
      if (!isOver) return;
      sink.connection(state);
      over();
    });
  }

  #begin(reader: Reader, cursor: string | undefined): void {
    const here = this.#ordering.position;
    if (here === undefined) return;
    const there = cursor === undefined ? undefined : parseCursor(cursor);
    const missed = there && this.#log.since(there);
    if (there && (missed || (there.epoch === here.epoch && there.seq > here.seq))) {
      // Whoever is ahead has read it from somebody who went away: what it knows already is left out when it comes.
      Object.assign(reader, there);
      for (const { value, cursor: at, seq, json } of missed ?? []) hand(reader, value, at, json, here.epoch, seq);
      if (there.seq <= here.seq) reader.sink.frame({ type: 'heartbeat', ...here, at: this.#options.clock.now() });
    } else {
      const snapshot = this.#index?.snapshot(this.#options.clock.now(), here.epoch, here.seq);
      if (snapshot) hand(reader, snapshot, `${here.epoch}:${here.seq}`, undefined, here.epoch, here.seq);
    }
  }

  #control(value: unknown, json: string | undefined): Demand {
    const checked = checkStreamEvent(value);
    if (!checked.ok) return this.#all(value, undefined, json);
    const event = checked.value;
    if (event.type === 'snapshot') {
      if (this.#index && this.#index.session !== event.session) return this.#all(value, undefined, json);
      const at = this.#own ? { epoch: this.#own.epoch, seq: ++this.#own.seq } : { epoch: event.epoch, seq: event.seq };
      if (!this.#ordering.snapshot(at)) return undefined;
      (this.#index ??= new SessionIndex(event.session)).load(event);
      this.#log.restart(at);
      const own = this.#own !== undefined;
      this.#spread(own ? { ...event, ...at } : value, own ? undefined : json, at);
      this.#back = false;
    } else if (event.type === 'changes') {
      return this.#changes(event, json);
    } else if (event.type === 'heartbeat') {
      if (this.#own) return undefined;
      if (this.#ordering.heartbeat(event)) return 'repair';
      this.#all(value, undefined, json);
    } else if (event.type === 'resync') {
      if (this.#own) return undefined;
      this.#back = this.#ordering.resync(event);
      this.#all(value, undefined, json);
    } else if (event.type === 'end') {
      if (goodbye(event) !== 'ended') return undefined;
      this.#all(value, undefined, json);
      return 'end';
    }
    return undefined;
  }

  /** Whoever comes later begins with a snapshot: what lies between is not known. */
  #changes(changes: Changes, json: string | undefined): Demand {
    if (this.#index && this.#index.session !== changes.session) return this.#all(changes, undefined, json);
    const own = this.#own && { epoch: this.#own.epoch, after: this.#own.seq, seq: ++this.#own.seq };
    const here = { ...changes, ...own };
    const verdict = this.#ordering.changes(here, here.after);
    if (verdict !== 'take') return verdict === 'repair' ? 'repair' : undefined;
    (this.#index ??= new SessionIndex(changes.session)).merge(changes);
    this.#log.restart(here);
    this.#spread(here, own ? undefined : json, here);
    return undefined;
  }

  #event(value: unknown, given: string | undefined, json: string | undefined): Demand {
    if (given === undefined || parseCursor(given) === undefined) this.#count();
    const cursor = this.#own ? `${this.#own.epoch}:${++this.#own.seq}` : given!;
    const verdict = this.#ordering.event(cursor);
    if (verdict !== 'take') return verdict === 'repair' ? 'repair' : undefined;
    const { epoch, seq } = this.#ordering.position!;
    const checked = checkStreamEvent(value);
    if (checked.ok) {
      const event = checked.value as ProgressEvent;
      (this.#index ??= new SessionIndex(event.session)).apply(event);
    }
    this.#log.push(epoch, { seq, cursor, value, json });
    for (const reader of this.#readers) {
      if (reader.epoch !== epoch || reader.seq < seq) hand(reader, value, cursor, json, epoch, seq);
    }
    return undefined;
  }

  /** Begins a history of its own, from what is known. */
  #count(): void {
    if (this.#own) return;
    const { epoch } = (this.#own = { epoch: uniqueName(), seq: 0 });
    const loaded = this.#ordering.position !== undefined;
    this.#ordering.snapshot({ epoch, seq: 0 });
    this.#log.restart({ epoch, seq: 0 });
    const snapshot = loaded && this.#index?.snapshot(this.#options.clock.now(), epoch, 0);
    if (snapshot) this.#spread(snapshot, undefined, { epoch, seq: 0 });
  }

  /** A new beginning for everybody, unless it is older than what somebody has and the server did not say that it went back. */
  #spread(value: unknown, json: string | undefined, { epoch, seq }: Position): void {
    for (const reader of this.#readers) {
      if (reader.epoch !== epoch || reader.seq <= seq || this.#back) hand(reader, value, `${epoch}:${seq}`, json, epoch, seq);
    }
  }

  /** What has no place of its own. */
  #all(value: unknown, cursor: string | undefined, json: string | undefined): undefined {
    for (const { sink } of this.#readers) give(sink, value, cursor, json);
  }
}

function hand(reader: Reader, value: unknown, cursor: string, json: string | undefined, epoch: string, seq: number): void {
  reader.epoch = epoch;
  reader.seq = seq;
  give(reader.sink, value, cursor, json);
}

function give(sink: SourceSink, value: unknown, cursor: string | undefined, json: string | undefined): void {
  if (json === undefined || !sink.text?.(json, cursor)) sink.frame(value, cursor);
}
