import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { DecodeContext } from '../dialect.ts';
import type { Entries } from '../entries.ts';

/** What the stream said before. */
export interface ResponsesMemory {
  /** The response under way, or the last one. */
  readonly response?: string | undefined;
  /** Calls the client has to run, and whose output has not been seen. */
  readonly calls?: Entries<true> | undefined;
  readonly tokens?: number | undefined;
  /** The response whose tokens are in the sum already. */
  readonly counted?: string | undefined;
}

/** One frame being read. */
export interface Reading {
  readonly context: DecodeContext;
  memory: ResponsesMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
  /** The number of the frame in its stream. */
  readonly seq: number | undefined;
}
