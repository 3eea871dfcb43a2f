import type { ConnectionState } from '@sitrep/schema/select';

/**
 * A source does transport and knows no words of any protocol: it delivers parsed JSON values in order, says how the
 * connection stands, and resumes where it is told to. `sse`, `memory` and `replay` are sources; a store is a sink.
 */
export interface Source {
  /**
   * Opens the source and delivers frames until it is over or `signal` aborts. Reconnects by itself where that makes
   * sense. Resolves when nothing more will come; never rejects: what went wrong goes to `sink.diagnostic`.
   */
  open(sink: SourceSink, signal: AbortSignal): Promise<void>;
}

/** What a source needs from the one who listens. No callback may throw; a source survives it all the same. */
export interface SourceSink {
  /** One frame, parsed from JSON. `cursor` is the transport's own position after it, if it has one. */
  frame(value: unknown, cursor?: string): void;
  /**
   * The same frame while it is still JSON text, for a sink that can spare the parsing: offered before `frame`, by sources
   * that have the text. True when the sink took it; otherwise `frame` follows at once with the value.
   */
  text?(json: string, cursor?: string): boolean;
  /** The connection changed. */
  connection(state: ConnectionState): void;
  /** Something was wrong and was survived. */
  diagnostic(diagnostic: Diagnostic): void;
  /** The position to resume from: `epoch:seq` of the newest event taken over, or undefined to begin afresh. */
  cursor(): string | undefined;
}

/** A fault that was survived, as data. */
export interface Diagnostic {
  /**
   * Stable word. Of sources: `network`, `http_status`, `content_type`, `watchdog`, `json`, `too_large`, `cursor`, `overflow`,
   * `busy`, `sink`. Of the store: `invalid`, `unknown`, `late`, `stale`, `gap`, `listener`, `source`.
   */
  readonly code: string;
  /** One sentence: what was wrong, where, what happens next. */
  readonly message: string;
  /** JSON Pointer into the frame, where a frame was at fault. */
  readonly path?: string | undefined;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
}
