import type { CardRecord } from '../wire/card.ts';
import type { Operation } from '../wire/operation.ts';
import type { Run } from '../wire/run.ts';
import type { Id } from '../wire/scalars.ts';
import type { Snapshot } from '../wire/snapshot.ts';
import { cardBody } from './card.ts';
import { sameJson } from './equal.ts';
import { isOrderable } from './guard.ts';
import { sessionRecord } from './session.ts';
import type { SessionRecord } from './session.ts';

/** What is held already, to keep the references of what means the same. */
export interface Held {
  readonly session: string;
  find(id: Id, run?: string): Operation | undefined;
  readonly runs: ReadonlyMap<string, Run>;
  readonly card: CardRecord;
}

/** A snapshot taken apart into records, all read before anything is stored. */
interface SnapshotParts {
  readonly card: CardRecord;
  readonly about: SessionRecord;
  readonly runs: readonly Run[];
  readonly operations: readonly Operation[];
}

/** The records of a snapshot; undefined when it is of another session, or holds what the index could not order. */
export function partsOf(snapshot: Snapshot, held: Held): SnapshotParts | undefined {
  try {
    return snapshot.session === held.session && isLoadable(snapshot) ? read(snapshot, held) : undefined;
  } catch {
    return undefined;
  }
}

function read(snapshot: Snapshot, held: Held): SnapshotParts {
  return {
    card: keep(held.card, cardOf(snapshot)),
    about: sessionRecord(snapshot.title, snapshot.usage),
    runs: snapshot.runs.map((run) => keep(held.runs.get(run.run), run)),
    operations: snapshot.operations.map((operation) => keep(held.find(operation.id, operation.run), operation)),
  };
}

/** The same little that is asked of events, asked of every record. */
export function isLoadable({
  session,
  card,
  revision,
  operations,
  runs,
}: Pick<Snapshot, 'session' | 'card' | 'revision' | 'operations' | 'runs'>): boolean {
  return (
    isOrderable({ type: 'card', session, at: 0, revision, card }) &&
    operations.every((operation) => operation.state !== undefined && isOrderable({ ...operation, type: 'operation', at: 0 })) &&
    runs.every((run) => isOrderable({ ...run, type: 'run', at: 0 }))
  );
}

/** The record held when it means the same as the one that came, else a frozen copy of that. */
export function keep<T extends object>(held: T | undefined, came: T): T {
  return held !== undefined && sameJson(held, came) ? held : Object.freeze({ ...came });
}

/** The card of a snapshot as a record. */
export function cardOf(snapshot: Pick<Snapshot, 'card' | 'revision' | 'cardUpdatedAt' | 'cardRun'>): CardRecord {
  const { revision, cardUpdatedAt, cardRun } = snapshot;
  return {
    revision,
    ...(cardUpdatedAt === undefined ? undefined : { updatedAt: cardUpdatedAt }),
    ...(cardRun === undefined ? undefined : { run: cardRun }),
    card: cardBody(snapshot.card),
  };
}
