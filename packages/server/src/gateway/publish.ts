import type { Id } from '@sitrep/schema/wire';
import type { DialectName } from './dialects.ts';
import type { LeaseClaim } from './lease.ts';
import type { EventResult } from './prepare.ts';

/** How the entries of one publish are read. */
export interface PublishOptions {
  /** The foreign shape the entries have. Default: our own events. */
  readonly dialect?: DialectName | undefined;
  /** For foreign frames without one: the operation they belong to. */
  readonly id?: Id | undefined;
  /** For foreign frames: the run they belong to. */
  readonly run?: string | undefined;
  /** For foreign frames: the operation they are part of. */
  readonly parent?: Id | undefined;
  /** Who writes: what is open afterwards is held under its lease. Default: nobody who promises to be heard of again. */
  readonly lease?: LeaseClaim | undefined;
}

/** The answer to a publish, after everything in it is durable. */
export interface Published {
  /** What became of each entry, in order. */
  readonly results: readonly EventResult[];
  /** `epoch:seq` after the last of them. */
  readonly cursor: string;
}
