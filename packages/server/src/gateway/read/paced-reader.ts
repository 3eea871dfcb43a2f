import type { Changes, End, Heartbeat, Resync } from '@sitrep/schema/wire';
import type { Cursor } from './cursor.ts';
import type { Delivery } from './delivery.ts';
import type { Opening, Subscriber } from './hub.ts';
import type { Batch } from './batch.ts';

/** The end of a stream whose token has expired: its reader may come back with a new one. */
export const EXPIRED = Object.freeze({ type: 'end', reason: 'token_expired' } as const);

/** How a reader is let go. */
export interface Farewell {
  /** Told why there is nothing more, and by the reason whether to come back; without it the connection just closes. */
  readonly end: End | undefined;
  /** Milliseconds it is asked to wait before it comes back. */
  readonly retryMs: number | undefined;
}

/**
 * The connection of one reader over the network. A `Piece` is what it is sent at a time, encoded once and shared by all
 * readers whose connections are alike. No call may throw or wait.
 */
export interface ReaderConnection<Piece> {
  /** True while it has not taken what it was given last. */
  readonly busy: boolean;
  /** True once nothing can be sent any more. */
  readonly closed: boolean;
  /** Called once, before anything is sent. `drained` is to be called whenever it has taken all it was given. */
  begin(drained: () => void): void;
  send(piece: Piece): void;
  /** Runs something that sends several pieces; they may go out together. */
  together(send: () => void): void;
  /** The last call but `cut`. */
  finish(farewell: Farewell): void;
  /** Lets it go at once, whatever it has not taken. */
  cut(): void;
}

/** How events become pieces. */
export interface Encoding<Piece> {
  /** Bytes it keeps while it waits. */
  size(piece: Piece): number;
  resumed(opening: Extract<Opening, { readonly resumed: true }>): Piece;
  snapshot(opening: Extract<Opening, { readonly resumed: false }>): Piece;
  batch(batch: Batch, delivery: Delivery): Piece;
  changes(changes: Changes, delivery: Delivery): Piece;
  heartbeat(event: Heartbeat, delivery: Delivery): Piece;
  resync(event: Resync): Piece;
}

/** What waits for a reader that is not behind. Never changed: each reader that is begins a list of its own. */
const NONE: never[] = [];

/** Where a reader stands that has been sent nothing. */
const NOWHERE: Cursor = Object.freeze({ epoch: '', seq: 0 });

/** Where a reader stands that has been sent everything but this. */
function before({ epoch, events, end }: Batch): Cursor {
  return { epoch, seq: (events[0]?.seq ?? end.seq + 1) - 1 };
}

export interface PacedReaderOptions {
  /** Bytes that may wait for this reader in this process, beside what its connection is busy with. */
  readonly bufferLimit: number;
  /** Milliseconds it may take nothing at all before it is cut off. */
  readonly slowMs: number;
  /** When its token expires, epoch milliseconds: nothing is replayed after that. Without one it never does. */
  readonly expiresAt: number | undefined;
  /**
   * Asked for what a reader that was too slow has missed since a position, once it has taken what was on its way; `mark` to
   * say so with `resync`.
   */
  readonly catchUp: (reader: Subscriber, mark: boolean, after: Cursor) => void;
  /** Told what a reader that is too slow came to. */
  readonly counts: SlowCounts;
}

/** What became of readers that were too slow. */
export interface SlowCounts {
  /** How often what waited was replaced by the newest of what changed. */
  coalesced: number;
  /** How often that had to be marked, because it happened again and again. */
  resynced: number;
  /** How many were cut off. */
  cut: number;
}

/**
 * One reader over the network, whatever the network is. While its connection is busy what follows waits, as references to
 * pieces that all readers share. When that is too much it is let go, and once the reader has taken what was on its way it is
 * sent the newest of what changed instead; when that happens again before the next quiet heartbeat, a `resync` says so and the
 * whole state follows. A reader that takes nothing at all is cut off after a while.
 */
export class PacedReader<Piece> implements Subscriber {
  readonly remote = true;
  readonly #connection: ReaderConnection<Piece>;
  readonly #encoding: Encoding<Piece>;
  readonly #options: PacedReaderOptions;
  #begun = false;
  /**
   * Where it stands once it has taken what its connection was given. Kept only while something waits or was missed, since nobody
   * asks for it otherwise and to write it down for each event would cost more than to find it out.
   */
  #at: Cursor = NOWHERE;
  /** What waits, each with the position after it. */
  #waiting: { readonly piece: Piece; readonly at: Cursor }[] = NONE;
  #waitingBytes = 0;
  /** True when what waited was let go and the newest of it has to be sent instead. */
  #missed = false;
  /** True when that happened since the last heartbeat that found it idle. */
  #slow = false;
  /** Since when it has taken nothing, by the heartbeats. */
  #stuckSince: number | undefined;

  constructor(connection: ReaderConnection<Piece>, encoding: Encoding<Piece>, options: PacedReaderOptions) {
    this.#connection = connection;
    this.#encoding = encoding;
    this.#options = options;
  }

  open(opening: Opening): void {
    const first = !this.#begun;
    this.#begun = true;
    if (first) this.#begin();
    if (!this.#begins(opening.resumed ? opening.heartbeat : opening.snapshot, first)) return;
    this.#connection.together(() => {
      if (opening.resumed) return this.#connection.send(this.#encoding.resumed(opening));
      if (opening.resync) this.#connection.send(this.#encoding.resync(opening.resync));
      this.#connection.send(this.#encoding.snapshot(opening));
    });
  }

  merged(changes: Changes, delivery: Delivery): void {
    if (this.#begins(changes, false)) this.#connection.send(this.#encoding.changes(changes, delivery));
  }

  batch(batch: Batch, delivery: Delivery, changes?: Changes): void {
    if (this.#missed) return;
    const piece = changes ? this.#encoding.changes(changes, delivery) : this.#encoding.batch(batch, delivery);
    if (!this.#busy) return this.#connection.send(piece);
    if (this.#waiting.length === 0) {
      this.#waiting = [];
      this.#at = before(batch);
    }
    this.#waitingBytes += this.#encoding.size(piece);
    if (this.#waitingBytes <= this.#options.bufferLimit) {
      this.#waiting.push({ piece, at: batch.end });
      return;
    }
    this.#forget();
    this.#missed = true;
  }

  heartbeat(event: Heartbeat, delivery: Delivery): void {
    if (!this.#busy) {
      this.#slow = false;
      this.#stuckSince = undefined;
      return this.#connection.send(this.#encoding.heartbeat(event, delivery));
    }
    this.#stuckSince ??= event.at;
    if (event.at - this.#stuckSince < this.#options.slowMs) return;
    this.#options.counts.cut += 1;
    this.#connection.cut();
  }

  close(end: End | undefined, retryMs?: number): void {
    if (!this.#begun || this.#connection.closed) return;
    for (const { piece } of this.#waiting) this.#connection.send(piece);
    this.#forget();
    // A reader that has missed something must come back for it.
    this.#connection.finish({ end: this.#missed ? undefined : end, retryMs });
  }

  /** True while the connection has not taken what it was given last. */
  get #busy(): boolean {
    return this.#missed || this.#waiting.length > 0 || this.#connection.busy;
  }

  /** Apart, so that what lives as long as the connection holds nothing of how the stream began. */
  #begin(): void {
    this.#connection.begin(() => this.#drained());
  }

  #forget(): void {
    this.#waiting = NONE;
    this.#waitingBytes = 0;
  }

  /** True when what begins here, or goes on from here, can be sent now; it then stands there. */
  #begins({ epoch, seq, at }: Cursor & { readonly at: number }, first: boolean): boolean {
    // The token was checked when the request came; reading the store takes time, and so does a reader that is slow.
    if (at >= (this.#options.expiresAt ?? Infinity)) {
      this.close(EXPIRED);
      return false;
    }
    this.#forget();
    // Beginnings must not pile up for a reader that does not take them: it gets the newest once it has taken this one.
    this.#missed = !first && this.#connection.busy;
    if (!this.#missed) this.#at = { epoch, seq };
    return !this.#missed;
  }

  #drained(): void {
    this.#stuckSince = undefined;
    if (this.#missed) {
      this.#options.counts[this.#slow ? 'resynced' : 'coalesced'] += 1;
      this.#options.catchUp(this, this.#slow, this.#at);
      this.#slow = true;
      return;
    }
    let written = 0;
    while (written < this.#waiting.length && !this.#connection.busy) {
      const { piece, at } = this.#waiting[written] as { piece: Piece; at: Cursor };
      this.#waitingBytes -= this.#encoding.size(piece);
      this.#at = at;
      this.#connection.send(piece);
      written += 1;
    }
    if (written === this.#waiting.length) this.#waiting = NONE;
    else this.#waiting.splice(0, written);
  }
}
