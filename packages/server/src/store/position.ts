/** A place in the history of a session. The same epoch and number never name two different events. */
export interface Position {
  readonly epoch: string;
  /** Number of the newest event; 0 when there is none. */
  readonly seq: number;
}

/** One applied event as the log keeps it: what a reader that resumes is sent, byte for byte. */
export interface LoggedEvent {
  /** Position in the session's history, rising by one. */
  readonly seq: number;
  /** The event's `type`. */
  readonly type: string;
  /** The event as JSON text. */
  readonly data: string;
}
