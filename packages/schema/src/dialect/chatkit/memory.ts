import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { Stretch } from '../agent-stream.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext } from '../dialect.ts';
import type { Entries } from '../entries.ts';

export const NAME = 'chatkit';

/** Id of the operation that stands for the line of `progress_update`. */
export const LINE = 'progress_update';

/** Workflows that are remembered, and tasks that are looked at of each. */
export const MAX_ITEMS = 200;

/** What the stream said before. */
export interface ChatKitMemory extends CardMemory {
  readonly line?: Stretch | undefined;
  /** How many tasks each workflow has. */
  readonly items?: Entries<number> | undefined;
}

/** One frame being read. */
export interface Reading {
  readonly context: DecodeContext;
  memory: ChatKitMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
}
