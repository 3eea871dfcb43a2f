import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Activity } from '@sitrep/schema/select';
import type { ProgressEvent } from '@sitrep/schema/wire';

/** The version of the lines that are written, and the only one that is read. */
export const EXPORT_VERSION = 1;

/** The first line. */
export interface ExportHead {
  readonly type: 'export';
  readonly version: number;
  /** When it was taken, epoch milliseconds. */
  readonly at: number;
}

/** A session begins; what belongs to it follows, one record a line. */
export interface SessionLine {
  readonly type: 'session';
  readonly session: string;
  readonly epoch: string;
  readonly seq: number;
  readonly updatedAt: number;
  readonly activity: Activity;
  readonly open: boolean;
  readonly title?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly card: CardRecord;
  readonly runs: readonly Run[];
}

/** An operation, with the place it has among the others. */
export interface OperationLine {
  readonly type: 'operation';
  readonly position: number;
  readonly record: Operation;
}

/** What was cleared or let go. */
export interface TombstoneLine {
  readonly type: 'tombstone';
  readonly key: string;
  readonly attempt: number;
}

/** An event of the history that is still kept. */
export interface EventLine {
  readonly type: 'event';
  readonly seq: number;
  readonly event: ProgressEvent;
}

/** A session is whole: so many lines belong to it. */
export interface SessionEnd {
  readonly type: 'session.end';
  readonly session: string;
  readonly lines: number;
}

/** The last line. */
export interface ExportEnd {
  readonly type: 'export.end';
  readonly sessions: number;
}
