import type { Id } from '@sitrep/schema/wire';
import type { DialectName } from '../dialects.ts';
import type { LeaseClaim } from '../lease/lease.ts';
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
  /**
   * Names this publish: repeated with the same key and the same entries it is not carried out again, and gets the same
   * answer. 1 to 255 visible ASCII characters; remembered a day, for the newest 1,000 of a session.
   */
  readonly idempotencyKey?: string | undefined;
  /** The entries as they came, where they came as text. Default: as JSON. */
  readonly text?: string | undefined;
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

/** Options of a write that is carried out once. */
export interface OnceOptions {
  /** See PublishOptions. */
  readonly idempotencyKey?: string | undefined;
}

/** The answer to a reset. */
export interface Reset {
  /** `epoch:seq` of the new beginning. */
  readonly cursor: string;
  /** The card's revision, which does not fall back. */
  readonly revision: number;
}

/** Marks an answer that was given before. */
export interface Replayed {
  /** True when the write had been carried out before and this is the answer it got then. */
  readonly replayed?: boolean | undefined;
}
