/** What a line of the log is about, for programs that read logs. */
export interface LogFields {
  /** A stable word for what happened. */
  readonly event: string;
  /** Default `warn`: something went wrong and was survived. */
  readonly level?: 'info' | 'warn' | 'error' | undefined;
  readonly [name: string]: string | number | boolean | undefined;
}

/** Told in one line what went wrong and was survived, and what it is about. */
export type Log = (line: string, fields?: LogFields) => void;
