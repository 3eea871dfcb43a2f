import type { Clock } from '../clock.ts';
import { intoKeeper } from '../relay/into-keeper.ts';
import type { Keeper } from '../relay/keeper.ts';
import type { Source, SourceSink } from '../source/source.ts';
import { Feed } from '../store/feed.ts';
import type { SharedFrame, SharedMessage } from './messages.ts';

export interface LeaderParts {
  readonly name: string;
  readonly term: number;
  readonly source: Source;
  readonly keeper: Keeper;
  readonly clock: Clock;
  readonly interval: number;
  post(message: SharedMessage): void;
}

/** Frames that go in one message at most. */
const PER_MESSAGE = 256;

/** The page that has the connection: reads the source into its keeper and tells all others what comes. */
export class Leader {
  #term: number;
  readonly #parts: LeaderParts;
  readonly #closing = new AbortController();
  readonly #feed: Feed;
  #waiting: SharedFrame[] = [];
  #beat: unknown;

  constructor(parts: LeaderParts) {
    this.#parts = parts;
    this.#term = parts.term;
    const { source, keeper, clock } = parts;
    const sink = intoKeeper(keeper, { repair: () => this.#feed.repair(), end: () => this.#feed.end() });
    const { signal } = this.#closing;
    this.#feed = new Feed({
      source,
      clock,
      linger: 0,
      spacing: 1_000,
      sink: {
        ...sink,
        // What it says while it is put down is not for the others: they go on.
        connection: (state) => {
          if (!signal.aborted) sink.connection(state);
        },
      },
      onRepair: () => keeper.repair(),
    });
  }

  /** Begins to lead. */
  start(): void {
    const { keeper } = this.#parts;
    this.#tell();
    void keeper.attach(
      this.#publisher(() => keeper.cursor()),
      this.#closing.signal,
    );
    this.#feed.retain();
    this.#keepTelling();
  }

  /** Puts the connection down. */
  stop(): void {
    if (this.#closing.signal.aborted) return;
    this.#flush();
    this.#closing.abort();
    this.#parts.clock.clearTimeout(this.#beat);
    this.#feed.close();
  }

  /** Its place among the leaders. */
  get term(): number {
    return this.#term;
  }

  /** Brings one page up to here. */
  answer(to: string, known: number, cursor: string | undefined): void {
    // A clock that was set back made this one look older than the last.
    if (known > this.#term) this.#term = known + 1;
    const once = new AbortController();
    const frames: SharedFrame[] = [];
    this.#flush();
    void this.#parts.keeper.attach({ ...this.#publisher(() => cursor, frames), connection: () => {}, diagnostic: () => {} }, once.signal);
    once.abort();
    this.#tell(to);
    this.#send(frames, { to, after: cursor ?? null });
  }

  /** A sink that puts what it gets into messages. */
  #publisher(cursor: () => string | undefined, into?: SharedFrame[]): SourceSink {
    const put = (json: string, at: string | undefined): void => {
      if (into) return void into.push([json, at]);
      if (this.#waiting.length === 0) queueMicrotask(() => this.#flush());
      this.#waiting.push([json, at]);
      if (this.#waiting.length >= PER_MESSAGE) this.#flush();
    };
    return {
      text(json, at) {
        put(json, at);
        return true;
      },
      frame: (value, at) => put(textOf(value), at),
      connection: () => {
        // In order with the frames: what is ended has said all it had to say.
        this.#flush();
        this.#tell();
      },
      diagnostic: (diagnostic) => this.#parts.post({ sitrep: 'diagnostic', from: this.#parts.name, term: this.#term, diagnostic }),
      cursor,
    };
  }

  #keepTelling(): void {
    this.#beat = this.#parts.clock.setTimeout(() => {
      this.#tell();
      this.#keepTelling();
    }, this.#parts.interval);
  }

  #tell(to?: string): void {
    const { name, keeper, post } = this.#parts;
    post({ sitrep: 'lead', from: name, term: this.#term, ...(to !== undefined && { to }), place: keeper.place, state: keeper.state });
  }

  #flush(): void {
    const frames = this.#waiting;
    this.#waiting = [];
    this.#send(frames);
  }

  #send(frames: readonly SharedFrame[], answer?: { readonly to: string; readonly after: string | null }): void {
    const { name, post } = this.#parts;
    for (let at = 0; at < frames.length; at += PER_MESSAGE) {
      post({ sitrep: 'frames', from: name, term: this.#term, ...answer, frames: frames.slice(at, at + PER_MESSAGE) });
    }
  }
}

/** What has no JSON is told as `null`: its place is taken all the same, and whoever reads it says that it is no frame. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}
