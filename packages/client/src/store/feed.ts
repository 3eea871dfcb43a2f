import type { ConnectionState } from '@sitrep/schema/select';
import type { Clock } from '../clock.ts';
import { describe } from '../fault.ts';
import { guardSink } from '../source/guard.ts';
import type { Source, SourceSink } from '../source/source.ts';

export interface FeedOptions {
  readonly source: Source;
  readonly clock: Clock;
  /** Milliseconds the source stays open after the last release. */
  readonly linger: number;
  /** Least milliseconds between two repairs. */
  readonly spacing: number;
  /** Where frames, connection changes and diagnostics go. `connecting` also stands for a source that was closed. */
  readonly sink: SourceSink;
  /** Called right before the source is reopened for a repair. */
  onRepair(): void;
}

/** Keeps one source open while somebody needs it, and at most once at a time. */
export class Feed {
  readonly #options: FeedOptions;
  #users = 0;
  #opening: AbortController | undefined;
  #last: ConnectionState = 'connecting';
  #closed = false;
  #lingering: unknown;
  #repairing: unknown;
  #repairedAt = -Infinity;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** One more needs the source. The first opens it, unless it has ended; one that was lost is tried again. */
  retain(): void {
    this.#users++;
    this.#options.clock.clearTimeout(this.#lingering);
    this.#lingering = undefined;
    if (this.#users === 1 && !this.#opening && this.#last !== 'ended') this.#open();
  }

  /** One fewer needs it. The last closes it after a while, so that moving in a page does not reconnect. */
  release(): void {
    const { clock, linger } = this.#options;
    if (--this.#users > 0 || this.#closed) return;
    this.#lingering = clock.setTimeout(() => {
      if (this.#users > 0 || !this.#opening) return;
      this.#abort();
      this.#connection('connecting');
    }, linger);
  }

  /** Opens the source anew to find what was lost: now, or as soon as the last repair is long enough ago. */
  repair(): void {
    const { clock, spacing } = this.#options;
    if (!this.#opening || this.#repairing !== undefined) return;
    const left = Math.min(spacing - (clock.now() - this.#repairedAt), spacing);
    const reopen = () => {
      this.#abort();
      this.#repairedAt = clock.now();
      this.#options.onRepair();
      this.#open();
    };
    if (left > 0) this.#repairing = clock.setTimeout(reopen, left);
    else reopen();
  }

  /** True from the moment a repair was asked for until the source is reopened. */
  get repairing(): boolean {
    return this.#repairing !== undefined;
  }

  /** The stream said that it is over. */
  end(): void {
    this.#abort();
    this.#connection('ended');
  }

  /** Ends the source for good. */
  close(): void {
    this.#closed = true;
    this.#options.clock.clearTimeout(this.#lingering);
    this.end();
  }

  #connection(state: ConnectionState): void {
    this.#last = state;
    this.#options.sink.connection(state);
  }

  #abort(): void {
    this.#options.clock.clearTimeout(this.#repairing);
    this.#repairing = undefined;
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.abort();
  }

  #open(): void {
    if (this.#closed) return;
    const { source, sink } = this.#options;
    const opening = (this.#opening = new AbortController());
    const { signal } = opening;
    const guarded = guardSink({ ...sink, connection: (state) => this.#connection(state) }, signal);
    const over = () => {
      if (signal.aborted) return;
      if (this.#last !== 'lost') guarded.connection('ended');
      this.#abort();
    };
    const broken = (error: unknown) => {
      guarded.diagnostic({ code: 'source', message: `A source threw: ${describe(error)}.` });
      guarded.connection('lost');
      over();
    };
    try {
      source.open(guarded, signal).then(over, broken);
    } catch (error) {
      broken(error);
    }
  }
}
