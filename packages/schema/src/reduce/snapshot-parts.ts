import type { CardRecord } from '../wire/card.ts';
import type { Snapshot } from '../wire/snapshot.ts';
import { cardBody } from './card.ts';
import { sameJson } from './equal.ts';

/** The record held when it means the same as the one that came, else a frozen copy of that. */
export function keep<T extends object>(held: T | undefined, came: T): T {
  return held !== undefined && sameJson(held, came) ? held : Object.freeze({ ...came });
}

/** The card of a snapshot as a record. */
export function cardOf(snapshot: Snapshot): CardRecord {
  const { revision, cardUpdatedAt, cardRun } = snapshot;
  return {
    revision,
    ...(cardUpdatedAt === undefined ? undefined : { updatedAt: cardUpdatedAt }),
    ...(cardRun === undefined ? undefined : { run: cardRun }),
    card: cardBody(snapshot.card),
  };
}
