import type { BlockedOn } from '@sitrep/schema/wire';

/** What a line of output says of the work. Absent keeps what was said before, `null` takes it back. */
export interface Said {
  readonly current?: number | null;
  readonly total?: number | null;
  readonly fraction?: number | null;
  readonly unit?: string | null;
  readonly message?: string;
  /** True: it waits for something to do, as a watcher does. False: it works again. */
  readonly waiting?: boolean;
  /** It waits for a person. */
  readonly blockedOn?: BlockedOn;
}

/** One line as a reader of it would see it. */
export interface Line {
  /** Without escape sequences, one line, trimmed. */
  readonly text: string;
  /** It is drawn over itself in place, as progress is and a log is not. */
  readonly redrawn: boolean;
  /** Nothing has ended it yet: what stands there may be a part of it. */
  readonly open?: boolean;
}

/** Follows the lines of one command and knows what has gone before. */
export interface Recogniser {
  /** What this line says; undefined when it is none of this tool's. */
  read(line: Line): Said | undefined;
  /** Lines went by unread in a flood: what was counted is not known any more. */
  missed?(): void;
}

/** A tool whose output we know. */
export interface Tool {
  /** Names of its commands. */
  readonly names: readonly string[];
  /**
   * Begins to follow. `args` are the arguments when the command is this tool itself, so that its ambiguous lines may be
   * read too; undefined when it may be some command inside a script.
   */
  start(args: readonly string[] | undefined): Recogniser;
}
